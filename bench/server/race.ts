import { fork } from 'node:child_process';
import { join } from 'node:path';
import { answerOf } from '../processes.ts';
import type { Progress } from '../progress.ts';
import { median } from '../statistics.ts';
import type { Answered, Load } from './load-process.ts';
import type { Server } from './start-server.ts';

/** What a server did in each round. */
export interface Raced {
  readonly title: string;
  readonly rounds: readonly Answered[];
}

/** The median of a figure over the rounds. */
export const middle = (raced: Raced, figure: keyof Answered): number => median(raced.rounds.map((round) => round[figure]));

/** How many times the other's requests a second: the median of the ratios within each round. */
export const times = (raced: Raced | undefined, other: Raced | undefined): number =>
  median((raced?.rounds ?? []).map(({ perSecond }, round) => perSecond / (other?.rounds[round]?.perSecond ?? Number.NaN)));

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
      const load: Load = { ...options, first, origin: server.origin, path: server.path, calls: server.calls };
      const answered = await answerOf<Answered>(child, 'The process of the callers', load);
      totals.set(server, first + answered.requests);
      return answered;
    },
    answered: (server) => totals.get(server) ?? 0,
    stop: () => {
      if (child.connected) child.disconnect();
    },
  };
}
