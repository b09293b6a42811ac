import { atLeast, atMost, type Measured, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { measureServers } from './measure.ts';
import { connectionsOf, middle, type Raced, times } from './race.ts';

/** Webhook to answer: Hilo, durable, next to servers that keep nothing, over 1 and 32 connections. */
export async function webhooks(quick: boolean, progress: Progress): Promise<readonly Part[]> {
  const options = quick ? { rounds: 3, roundMs: 1_000, warmUpMs: 2_000 } : { rounds: 9, roundMs: 2_000, warmUpMs: 6_000 };
  const { races, withoutNodeRed } = await measureServers([1, 32], options, progress);
  return races.map(({ connections, floor, hilo, nodeRed }): Part => {
    const measured = [floor, hilo, nodeRed].filter((raced) => raced !== undefined);
    return {
      name: `W2: webhook to answer, ${connectionsOf(connections)}`,
      unit: 'requests/s',
      contestants: measured.map((raced) => measuredOf(raced, floor)),
      aims: connections === 32 ? aimsOf(hilo, floor, nodeRed) : [],
      notes: withoutNodeRed === undefined ? [] : [`Node-RED is missing: ${withoutNodeRed}`],
    };
  });
}

const measuredOf = (raced: Raced, floor: Raced | undefined): Measured => ({
  name: raced.title,
  median: middle(raced, 'perSecond'),
  p99: middle(raced, 'p99Ms'),
  ratioToFloor: times(raced, floor),
});

const aimsOf = (hilo: Raced | undefined, floor: Raced | undefined, nodeRed: Raced | undefined): Part['aims'] => [
  atLeast('requests a second, times those of node:http', times(hilo, floor), 0.25),
  atLeast('requests a second, times those of Node-RED, which keeps nothing', times(hilo, nodeRed), 1),
  atMost('p99, ms', hilo === undefined ? Number.NaN : middle(hilo, 'p99Ms'), 15),
];
