// Engines and libraries in one process: the same steps, with nothing durable.
import type { ContestantName } from '../contestants/index.ts';
import { atLeast, atMost, figure, type Measured, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { race, type RaceOptions } from '../race.ts';
import { waitingHeap } from '../waiting-heap.ts';

const titles: readonly (readonly [ContestantName, string])[] = [
  ['async-loop', 'floor: async loop, await per node'],
  ['sync-loop', 'floor: sync loop'],
  ['core', 'Hilo, transition called directly'],
  ['actor', 'Hilo, canvasLogic in createActor'],
  ['engine', 'Hilo, whole engine, in-memory store'],
  ['robot3', 'robot3, a state per node'],
  ['xstate', 'raw XState machine, a state per node'],
  ['node-red', 'Node-RED, a flow in its runtime'],
  ['mastra', 'Mastra workflow'],
  ['sequential-workflow', 'sequential-workflow-machine'],
  ['langgraph', 'LangGraph StateGraph'],
  ['bpmn-engine', 'bpmn-engine'],
];

/** Ten nodes in memory on one thread, next to a bare loop and to seven peers. Every execution is checked. */
export async function inProcess(quick: boolean, progress: Progress): Promise<Part> {
  const options: RaceOptions = quick ? { rounds: 3, warmUpRounds: 2, roundMs: 120 } : { rounds: 15, warmUpRounds: 8, roundMs: 250 };
  const raced = await race(
    titles.map(([name]) => name),
    options,
    progress,
  );
  const titleOf = new Map(titles);
  const measured = raced
    .filter(({ usPerExecution }) => !Number.isNaN(usPerExecution))
    .map(
      ({ name, usPerExecution, timesFirst, allocatedBytes, collectionsPerSecond }): Measured => ({
        name: titleOf.get(name) ?? name,
        median: usPerExecution,
        ratioToFloor: timesFirst,
        allocatedBytes,
        collectionsPerSecond,
      }),
    );
  const times = (name: ContestantName): number => raced.find((other) => other.name === name)?.timesFirst ?? Number.NaN;
  const kilobytes = (name: ContestantName): string =>
    figure((raced.find((other) => other.name === name)?.allocatedBytes ?? Number.NaN) / 1e3);
  const made = `it allocates ${kilobytes('core')} kB an execution, the floor ${kilobytes('async-loop')} kB`;
  const collecting = figure(100 * (raced.find(({ name }) => name === 'engine')?.collectingShare ?? Number.NaN));
  const share = `the transition alone takes ${figure(times('core'))} times the floor; the whole engine allocates ${kilobytes('engine')} kB an execution, the floor ${kilobytes('async-loop')} kB, and ${collecting} % of its time is the collector's, which copies what the store keeps`;
  const bytesPerWaiting = await waitingHeap(quick ? 2_000 : 10_000, progress);
  return {
    name: 'W1: ten nodes in memory, one thread',
    unit: 'µs an execution',
    contestants: measured,
    aims: [
      atMost('whole engine, times the floor', times('engine'), 12, share),
      atMost('transition alone, times the floor', times('core'), 6, made),
      atLeast('whole engine, times as fast as Node-RED', times('node-red') / times('engine'), 3.5, share),
      atLeast('whole engine, times as fast as the XState machine', times('xstate') / times('engine'), 3, share),
    ],
    notes: [
      `A waiting execution keeps ${Math.round(bytesPerWaiting).toLocaleString('en')} bytes of heap in the in-memory store.`,
      ...raced.flatMap(({ name, failed }) => (failed === undefined ? [] : [`${titleOf.get(name) ?? name}: ${failed}`])),
    ],
  };
}
