import { styleText } from 'node:util';
import type { Compiled } from './compile-speed.ts';
import type { ContestantName } from './contestants/index.ts';
import { type machine, machineText } from './machine.ts';
import type { Profile } from './profile.ts';
import type { Raced } from './race.ts';
import { type Aim, aimsInMarkdown, aimsInTerminal, aligned, markdownTable, type Table, whole } from './tables.ts';

export interface Results {
  readonly machine: typeof machine;
  readonly peers: Readonly<Record<string, string>>;
  readonly command: string;
  readonly visits: readonly Raced[];
  /** One execution in a canvas of 10,000 nodes against one in a canvas of eleven, with the same way through it. */
  readonly bySize: readonly { readonly what: string; readonly ratio: number; readonly us: readonly number[] }[];
  readonly compiled: readonly Compiled[];
  readonly bytesPerWaiting: number;
}

const titles: Readonly<Record<ContestantName, string>> = {
  'async-loop': 'floor: async loop, await per node',
  'sync-loop': 'floor: sync loop',
  core: 'Hilo, transition called directly',
  actor: 'Hilo, canvasLogic in createActor',
  engine: 'Hilo, whole engine, in-memory store',
  xstate: 'raw XState machine, a state per node',
  robot3: 'robot3, a state per node',
  'core-wide': 'Hilo, transition, 10,000 nodes',
  'engine-wide': 'Hilo, whole engine, 10,000 nodes',
};

function aimsOf({ visits, compiled, bySize }: Results): readonly Aim[] {
  const times = (name: ContestantName) => visits.find((raced) => raced.name === name)?.timesFirst ?? Number.NaN;
  const faster = times('xstate') / times('engine');
  const ten = compiled.find(({ nodes }) => nodes === 10_000)?.compileMs ?? Number.NaN;
  const growth = growthOf(compiled);
  return [
    { text: `the engine takes at most 12 times the async loop: ${ratio(times('engine'))}`, isMet: times('engine') <= 12 },
    { text: `the engine is at least twice as fast as the XState machine: ${ratio(faster)}`, isMet: faster >= 2 },
    { text: `10,000 nodes compile in under 150 ms: ${ten.toFixed(0)} ms`, isMet: ten < 150 },
    { text: `compiling is linear: a node of 20,000 costs ${ratio(growth)} what one of 1,000 costs`, isMet: growth < 1.5 },
    ...bySize.map(({ what, ratio: size }) => ({
      text: `a visit costs the same in 10,000 nodes (${what}): ${ratio(size)}`,
      isMet: size < 1.25,
    })),
  ];
}

function growthOf(compiled: readonly Compiled[]): number {
  const perNode = (size: number) => {
    const found = compiled.find(({ nodes }) => nodes === size);
    return found === undefined ? Number.NaN : found.compileMs / found.nodes;
  };
  return perNode(20_000) / perNode(1_000);
}

const ratio = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)}×`;

const visitTable = ({ visits }: Results): Table => [
  ['ten nodes, one execution', '× floor', 'µs', 'µs by the wall', 'executions/s'],
  ...visits.map(({ name, timesFirst, usPerExecution, wallUsPerExecution }) => [
    titles[name],
    timesFirst.toFixed(2),
    usPerExecution.toFixed(2),
    wallUsPerExecution.toFixed(2),
    whole(1e6 / usPerExecution),
  ]),
];

const compileTable = ({ compiled }: Results): Table => [
  ['nodes', 'compileCanvas ms', 'ms per 1,000', 'checkCanvas ms', 'ms per 1,000', 'parseCanvas ms', 'ms per 1,000'],
  ...compiled.map(({ nodes, compileMs, checkMs, parseMs }) => [
    whole(nodes),
    ...[compileMs, checkMs, parseMs].flatMap((ms) =>
      ms === null ? ['over 1 MB', '–'] : [ms.toFixed(1), ((ms / nodes) * 1000).toFixed(1)],
    ),
  ]),
];

const sizeTable = ({ bySize }: Results): Table => [
  ['the same way, other nodes beside it', 'ratio', 'µs, 11 nodes', 'µs, 10,000 nodes'],
  ...bySize.map(({ what, ratio: size, us }) => [what, size.toFixed(2), ...us.map((value) => value.toFixed(2))]),
];

const origin = ({ peers, command }: Results): string =>
  `${command} · ${machineText} · ${Object.entries(peers)
    .map(([name, version]) => `${name} ${version}`)
    .join(' · ')}`;

const heap = ({ bytesPerWaiting }: Results): string =>
  `A waiting execution keeps ${whole(bytesPerWaiting)} bytes of heap in the in-memory store: record, wait and history.`;

/** For people at a terminal; colours where there are any. */
export function inTerminal(results: Results): string {
  return [
    styleText('dim', origin(results)),
    aligned(visitTable(results)),
    aligned(sizeTable(results)),
    aligned(compileTable(results)),
    heap(results),
    aimsInTerminal(aimsOf(results)),
  ].join('\n\n');
}

/** For the repository. Without a date: the same machine and versions give the same figures, within its noise. */
export function inMarkdown(results: Results): string {
  return `${origin(results)}

${markdownTable(visitTable(results))}

${markdownTable(sizeTable(results))}

${markdownTable(compileTable(results))}

${heap(results)}

${aimsInMarkdown(aimsOf(results))}`;
}

/** Where time goes: by package first, then by function. */
export function profileInTerminal({ what, usPerUnit, unit, packages, functions }: Profile): string {
  const line = ({ name, place, share }: Profile['functions'][number]): readonly string[] => [
    name,
    `${(share * 100).toFixed(1)} %`,
    `${(share * usPerUnit).toFixed(2)} µs`,
    place,
  ];
  const table = (head: string, shares: Profile['functions'], most: number): string =>
    aligned([[head, 'share', `of one ${unit}`, ''], ...shares.slice(0, most).map(line)]);
  return [
    `${what}: ${usPerUnit.toFixed(2)} µs for one ${unit}, by the wall, with the profiler on`,
    table('package', packages, 20),
    table('function', functions, 40),
  ].join('\n\n');
}
