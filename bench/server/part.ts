import { atLeast, atMost, figure, type Measured, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { floor } from './floor.ts';
import { hilo } from './hilo.ts';
import { measureServers, type Race } from './measure.ts';
import { nodeRed } from './node-red.ts';
import { connectionsOf, middle, type Raced, times } from './race.ts';

/** Webhook to answer: Hilo, durable, next to servers that keep nothing and to peers that keep as much, over 1 and 32 connections. */
export async function webhooks(quick: boolean, progress: Progress): Promise<readonly Part[]> {
  const options = quick ? { rounds: 3, roundMs: 300, warmUpMs: 500 } : { rounds: 7, roundMs: 1_500, warmUpMs: 4_000 };
  const { races, missing } = await measureServers([1, 32], options, progress);
  return races.map(({ connections, raced }): Part => {
    const bare = raced.find(({ title }) => title === floor.title);
    return {
      name: `W2: webhook to answer, ${connectionsOf(connections)}`,
      unit: 'requests/s',
      contestants: raced.filter(({ rounds }) => rounds.length > 0).map((own) => measuredOf(own, bare)),
      aims: connections === 32 ? aimsOf({ connections, raced }) : [],
      notes: missing,
    };
  });
}

function measuredOf(raced: Raced, bare: Raced | undefined): Measured {
  const cpuUs = middle(raced, 'cpuUs');
  return {
    name: raced.title,
    median: middle(raced, 'perSecond'),
    p99: middle(raced, 'p99Ms'),
    ratioToFloor: times(raced, bare),
    ...(Number.isNaN(cpuUs) ? {} : { cpuUs }),
  };
}

function aimsOf({ raced }: Race): Part['aims'] {
  const own = raced.find(({ title }) => title === hilo.title);
  const timesOf = (title: string): number => {
    const other = raced.find((one) => one.title === title);
    return times(own, other);
  };
  const cpu = (title: string): string => {
    const other = raced.find((one) => one.title === title);
    return other === undefined ? '–' : figure(middle(other, 'cpuUs'));
  };
  const bound = `an answer takes ${cpu(hilo.title)} µs of the processors here, ${cpu(floor.title)} on node:http; callers and server share them`;
  // Servers that store each step, like Hilo's history of visits; those that store the whole only are in the table too.
  const durable = raced.filter(({ title }) => title.endsWith('each step durable'));
  return [
    atLeast('requests a second, times those of node:http', timesOf(floor.title), 0.25, bound),
    atLeast('requests a second, times those of Node-RED, which keeps nothing', timesOf(nodeRed.title), 1, bound),
    ...durable.map(({ title }) => atLeast(`requests a second, times those of ${title}`, timesOf(title), 10, bound)),
    atMost('p99, ms', own === undefined ? Number.NaN : middle(own, 'p99Ms'), 15, bound),
  ];
}
