import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Progress } from '../progress.ts';
import type { Answered, Load } from './load-process.ts';
import type { Server } from './start-server.ts';

/** What a server did in each round. */
export interface Raced {
  readonly title: string;
  readonly rounds: readonly Answered[];
}

export interface RaceOptions {
  readonly connections: number;
  readonly rounds: number;
  readonly roundMs: number;
  /** What does not count, for each server: V8 takes its time to see what is hot. */
  readonly warmUpMs: number;
}

/** The callers of every server: they are as warm for each. */
export interface Callers {
  /** Calls for so long. @throws {Error} at the first wrong answer */
  call(server: Server, options: Pick<Load, 'connections' | 'durationMs'>): Promise<Answered>;
  /** How many calls a server has answered so far. */
  answered(server: Server): number;
  stop(): void;
}

/** Calls servers in turn, every other round the other way round: a noisy machine is noisy for all of them. */
export async function raceServers(
  servers: readonly Server[],
  callers: Callers,
  { connections, rounds, roundMs, warmUpMs }: RaceOptions,
  progress: Progress,
): Promise<readonly Raced[]> {
  const over = connectionsOf(connections);
  for (const server of servers) {
    progress.say(`${over}: warming up ${server.title}`);
    await callers.call(server, { connections, durationMs: warmUpMs });
  }
  const answered = new Map<Server, Answered[]>(servers.map((server) => [server, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [server, own] of round % 2 === 0 ? answered : [...answered].reverse()) {
      progress.say(`${over}, round ${round + 1} of ${rounds}: ${server.title}`);
      own.push(await callers.call(server, { connections, durationMs: roundMs }));
    }
  }
  return [...answered].map(([{ title }, own]) => ({ title, rounds: own }));
}

export const connectionsOf = (count: number): string => (count === 1 ? '1 connection' : `${count} connections`);

export function startCallers(): Callers {
  const child = fork(join(import.meta.dirname, 'load-process.ts'));
  const totals = new Map<Server, number>();
  return {
    async call(server, options) {
      const first = totals.get(server) ?? 0;
      const answered = await told(child, { ...options, first, origin: server.origin, path: server.path, calls: server.calls });
      totals.set(server, first + answered.requests);
      return answered;
    },
    answered: (server) => totals.get(server) ?? 0,
    stop: () => {
      if (child.connected) child.disconnect();
    },
  };
}

function told(child: ChildProcess, load: Load): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('The callers stopped: the reason is above'));
    child.once('exit', fail);
    child.once('message', (answered: Answered) => {
      child.off('exit', fail);
      resolve(answered);
    });
    child.send(load);
  });
}
