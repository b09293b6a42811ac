// The part of the results about the service: a webhook to its answer.
import { diskSentence } from '../disk.ts';
import { atLeast, atMost, figure, type Measured, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { floor } from './floor.ts';
import { hilo } from './hilo.ts';
import { measureServers, type Race } from './measure.ts';
import { minimalSame } from './minimal.ts';
import { nodeRed } from './node-red.ts';
import { connectionsOf, middle, type Raced, type Round, times } from './race.ts';

/** Webhook to answer: Hilo, durable, next to servers that keep nothing and to peers that keep as much, over 1 and 32 connections. */
export async function webhooks(quick: boolean, progress: Progress): Promise<readonly Part[]> {
  const options = quick ? { rounds: 3, roundMs: 300, warmUpMs: 500 } : { rounds: 7, roundMs: 1_500, warmUpMs: 4_000 };
  const { races, missing } = await measureServers([1, 32], options, progress);
  const disk = await diskSentence();
  return races.map(({ connections, raced }): Part => {
    const bare = raced.find(({ title }) => title === floor.title);
    return {
      name: `W2: webhook to answer, ${connectionsOf(connections)}`,
      unit: 'requests/s',
      contestants: raced.filter(({ rounds }) => rounds.length > 0).map((own) => measuredOf(own, bare)),
      aims: connections === 32 ? aimsOf({ connections, raced }, disk) : [],
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

function aimsOf({ raced }: Race, disk: string): Part['aims'] {
  const named = (title: string): Raced | undefined => raced.find((one) => one.title === title);
  const own = named(hilo.title);
  const timesOf = (title: string): number => times(own, named(title));
  const of = (one: Raced | undefined, which: keyof Round): number => (one === undefined ? Number.NaN : middle(one, which));
  const mainUs = of(own, 'mainUs');
  const shared = `an answer takes ${figure(of(own, 'cpuUs'))} µs of the processors here and ${figure(of(named(floor.title), 'cpuUs'))} on node:http, and the callers have one`;
  const bound = `${shared}; ${figure(mainUs)} µs are of the thread that serves HTTP and decides, so that it answers at most ${figure(1e6 / mainUs)} a second; the rest is SQLite's and the collector's; ${disk}`;
  // Servers that store each step, like Hilo's history of visits; those that store the whole only are in the table too.
  const durable = raced.filter(({ title }) => title.endsWith('each step durable'));
  return [
    atLeast('requests a second, times those of minimal same', timesOf(minimalSame.title), 0.9, bound),
    atLeast('requests a second, times those of node:http', timesOf(floor.title), 0.25, bound),
    atLeast('requests a second, times those of Node-RED, which keeps nothing', timesOf(nodeRed.title), 1.5, bound),
    ...durable.map(({ title }) => atLeast(`requests a second, times those of ${title}`, timesOf(title), 10, bound)),
    atMost('p99, ms', of(own, 'p99Ms'), 15, `${disk}, and an answer waits for the group before its own and for its own; ${shared}`),
  ];
}
