import { compileSpeed } from '../compile-speed.ts';
import { advanceByVisits } from '../long-history.ts';
import { atMost, figure, type Measured, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { race, type Raced } from '../race.ts';

/** What grows with a canvas and with a history, and what must not. */
export async function growth(quick: boolean, progress: Progress): Promise<readonly Part[]> {
  return [canvases(quick, progress), await visits(quick, progress), await histories(quick, progress)];
}

/** Reading, checking and compiling canvases of 10 to 20,000 nodes. */
function canvases(quick: boolean, progress: Progress): Part {
  const compiled = compileSpeed([10, 100, 1_000, 5_000, 10_000, 20_000], quick ? 2 : 9, progress);
  const usPerNode = (ms: number, nodes: number): number => (ms * 1_000) / nodes;
  const cost = (nodes: number, what: 'compileMs' | 'checkMs' | 'jsonMs'): number => {
    const found = compiled.find((other) => other.nodes === nodes);
    return found === undefined ? Number.NaN : usPerNode(found[what], nodes);
  };
  const memory =
    `what was compiled is kept, and the collector copies it: a node of 100 takes ${figure(cost(100, 'compileMs'))} µs; ` +
    `JSON.parse alone takes ${figure(cost(20_000, 'jsonMs') / cost(100, 'jsonMs'))} times as long for a node of 20,000 as for one of 100`;
  return {
    name: 'Growth: canvases',
    unit: 'µs a node',
    contestants: compiled.flatMap(({ nodes, compileMs, checkMs, parseMs }): readonly Measured[] => {
      const size = `${nodes.toLocaleString('en')} nodes`;
      const compile = { name: `compileCanvas, ${size}`, median: usPerNode(compileMs, nodes) };
      const check = { name: `checkCanvas, ${size}`, median: usPerNode(checkMs, nodes) };
      return parseMs === null ? [compile, check] : [compile, check, { name: `parseCanvas, ${size}`, median: usPerNode(parseMs, nodes) }];
    }),
    aims: [
      atMost('compiling a node of 20,000, µs', cost(20_000, 'compileMs'), 8, memory),
      atMost('checking is linear: a node of 20,000, times one of 1,000', cost(20_000, 'checkMs') / cost(1_000, 'checkMs'), 1.5),
    ],
    notes: ['A canvas text over 1 MB is refused, so that the longest are not parsed.'],
  };
}

/** The same ten nodes, once alone and once with 10,000 others beside the way. */
async function visits(quick: boolean, progress: Progress): Promise<Part> {
  const options = quick ? { rounds: 3, warmUpRounds: 2, roundMs: 120 } : { rounds: 15, warmUpRounds: 8, roundMs: 250 };
  const [core, coreWide] = await race(['core', 'core-wide'], options, progress);
  const [engine, engineWide] = await race(['engine', 'engine-wide'], options, progress);
  const collecting = (alone: Raced | undefined, wide: Raced | undefined): string =>
    `the collector, which marks what the 10,000 nodes keep: it takes ${percent(alone)} of the time among 11 nodes, and ${percent(wide)} among 10,000`;
  return {
    name: 'Growth: a visit in a large canvas',
    unit: 'µs an execution',
    contestants: [
      { name: 'transition, 11 nodes', median: core?.usPerExecution ?? Number.NaN, ratioToFloor: 1 },
      {
        name: 'transition, 10,000 nodes',
        median: coreWide?.usPerExecution ?? Number.NaN,
        ratioToFloor: coreWide?.timesFirst ?? Number.NaN,
      },
      { name: 'whole engine, 11 nodes', median: engine?.usPerExecution ?? Number.NaN, ratioToFloor: 1 },
      {
        name: 'whole engine, 10,000 nodes',
        median: engineWide?.usPerExecution ?? Number.NaN,
        ratioToFloor: engineWide?.timesFirst ?? Number.NaN,
      },
    ],
    aims: [
      atMost(
        'a visit among 10,000 nodes, times one among 11 (transition)',
        coreWide?.timesFirst ?? Number.NaN,
        1.25,
        collecting(core, coreWide),
      ),
      atMost(
        'a visit among 10,000 nodes, times one among 11 (whole engine)',
        engineWide?.timesFirst ?? Number.NaN,
        1.25,
        collecting(engine, engineWide),
      ),
    ],
  };
}

/** What part of its time a contestant collected garbage. */
const percent = (raced: Raced | undefined): string => `${figure((raced?.collectingShare ?? Number.NaN) * 100)} %`;

/** One execution that goes round and round: what its advances cost early and late in its history. */
async function histories(quick: boolean, progress: Progress): Promise<Part> {
  const windows = await advanceByVisits(quick ? 6_000 : 48_000, progress);
  const [first] = windows;
  const last = windows.at(-1);
  const ratio = (last?.usPerAdvance ?? Number.NaN) / (first?.usPerAdvance ?? Number.NaN);
  return {
    name: 'Growth: a long history',
    unit: 'µs an advance',
    contestants: windows.map(({ visits: count, usPerAdvance }) => ({
      name: `after ${count.toLocaleString('en')} visits`,
      median: usPerAdvance,
      ratioToFloor: usPerAdvance / (first?.usPerAdvance ?? Number.NaN),
    })),
    aims: [atMost(`an advance after ${last?.visits.toLocaleString('en')} visits, times one at the beginning`, ratio, 1.5)],
  };
}
