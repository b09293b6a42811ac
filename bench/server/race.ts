import { join } from 'node:path';
import { answerOf, coresToPin, forkPinned, mainThreadMs, processorMs, reasonOf } from '../processes.ts';
import type { Progress } from '../progress.ts';
import { median } from '../statistics.ts';
import type { Answered, Load } from './load-process.ts';
import type { Server } from './start-server.ts';

/** What a server did in one round. */
export interface Round extends Answered {
  /** CPU time of the server's processes per answer, in microseconds; NaN when the system does not report it. */
  readonly cpuUs: number;
  /** The part of it that their main threads had: what a second has room for bounds the rate, on however many processors. */
  readonly mainUs: number;
}

/** What a server did in each round. */
export interface Raced {
  readonly title: string;
  readonly rounds: readonly Round[];
  /** Why it left the race. */
  readonly failed?: string;
}

/** The median of a figure over the rounds. */
export const middle = (raced: Raced, figure: keyof Round): number => median(raced.rounds.map((round) => round[figure]));

/** How many times the other's requests a second: the median of the ratios within each round. */
export const times = (raced: Raced | undefined, other: Raced | undefined): number =>
  median((raced?.rounds ?? []).map(({ perSecond }, round) => perSecond / (other?.rounds[round]?.perSecond ?? Number.NaN)));

export interface RaceOptions {
  readonly connections: number;
  readonly rounds: number;
  readonly roundMs: number;
  /** The warm-up of each server: V8 takes time to optimise hot code. */
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

/**
 * Calls servers in turn, every other round in reverse order: noise of the machine affects all of them. One that fails leaves the race, and
 * the others continue.
 */
export async function raceServers(
  servers: readonly Server[],
  callers: Callers,
  { connections, rounds, roundMs, warmUpMs }: RaceOptions,
  progress: Progress,
): Promise<readonly Raced[]> {
  const over = connectionsOf(connections);
  const failures = new Map<Server, string>();
  const call = async (server: Server, durationMs: number, what: string): Promise<Round | undefined> => {
    if (failures.has(server)) return undefined;
    progress.say(`${over}, ${what}: ${server.title}`);
    try {
      const before = [processorMs(server.pids), mainThreadMs(server.pids)];
      const answered = await callers.call(server, { connections, durationMs });
      const after = [processorMs(server.pids), mainThreadMs(server.pids)];
      const [cpuUs = Number.NaN, mainUs = Number.NaN] = after.map(
        (ms, index) => (((ms ?? Number.NaN) - (before[index] ?? Number.NaN)) * 1_000) / answered.requests,
      );
      return { ...answered, cpuUs, mainUs };
    } catch (error) {
      failures.set(server, reasonOf(error));
      return undefined;
    }
  };
  for (const server of servers) await call(server, warmUpMs, 'warming up');
  const answered = new Map<Server, Round[]>(servers.map((server) => [server, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [server, own] of round % 2 === 0 ? answered : [...answered].reverse()) {
      const done = await call(server, roundMs, `round ${round + 1} of ${rounds}`);
      if (done !== undefined) own.push(done);
    }
  }
  return [...answered].map(([server, own]) => {
    const failed = failures.get(server);
    return failed === undefined ? { title: server.title, rounds: own } : { title: server.title, rounds: own, failed };
  });
}

export const connectionsOf = (count: number): string => (count === 1 ? '1 connection' : `${count} connections`);

/** The callers have the last processor to themselves where the system lets a process be pinned; the servers are on any. */
export function startCallers(): Callers {
  const cores = coresToPin();
  const child = forkPinned(cores.length > 1 ? cores.at(-1) : undefined, join(import.meta.dirname, 'load-process.ts'), []);
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
