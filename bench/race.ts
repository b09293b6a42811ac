// Races contestants in one process, in rounds that alternate, and prints what each of them takes.
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Round } from './contestant-process.ts';
import type { ContestantName } from './contestants/index.ts';
import type { Progress } from './progress.ts';
import { answerOf, forkModule, reasonOf } from './processes.ts';
import { median } from './statistics.ts';

export interface Raced {
  readonly name: ContestantName;
  /** Microseconds of the thread's work for one execution, the median of the rounds. */
  readonly usPerExecution: number;
  /** How many times the first contestant's work it took: the median of the ratios within each round. */
  readonly timesFirst: number;
  /** Bytes allocated for one execution, and garbage collections in a second of work, medians of the rounds. */
  readonly allocatedBytes: number;
  readonly collectionsPerSecond: number;
  /** What part of the time they took, from 0 to 1. */
  readonly collectingShare: number;
  /** Why it left the race: the figures are those of the rounds before. */
  readonly failed?: string;
}

export interface RaceOptions {
  readonly rounds: number;
  /** Warm-up rounds of each contestant: V8 takes time to optimise hot code. */
  readonly warmUpRounds: number;
  readonly roundMs: number;
}

/**
 * Runs contestants in turn, each in a process of its own for all rounds; every other round in reverse order. Noise of the machine affects
 * all of them, so ratios within a round are reliable. One that fails leaves the race, and the others continue.
 */
export async function race(
  names: readonly ContestantName[],
  { rounds, warmUpRounds, roundMs }: RaceOptions,
  progress: Progress,
): Promise<readonly Raced[]> {
  const running = new Map<ContestantName, ChildProcess>();
  const failures = new Map<ContestantName, string>();
  const file = join(import.meta.dirname, 'contestant-process.ts');
  const run = async (name: ContestantName, child: ChildProcess): Promise<Round | undefined> => {
    if (failures.has(name)) return undefined;
    try {
      return await answerOf<Round>(child, name, roundMs);
    } catch (error) {
      failures.set(name, reasonOf(error));
      return undefined;
    }
  };
  try {
    for (const name of names) running.set(name, forkModule(file, [name]));
    for (const [index, [name, child]] of [...running].entries()) {
      progress.say(`warming up ${name} (${index + 1} of ${names.length})`);
      for (let round = 0; round < warmUpRounds; round += 1) await run(name, child);
    }
    const ran = new Map<ContestantName, Round[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, child] of round % 2 === 0 ? running : [...running].reverse()) {
        progress.say(`round ${round + 1} of ${rounds}: ${name}`);
        const done = await run(name, child);
        if (done !== undefined) ran.get(name)?.push(done);
      }
    }
    const usOf = ({ executions, workedMs }: Round): number => (workedMs * 1_000) / executions;
    const floor = ran.get(names[0] ?? 'async-loop') ?? [];
    return names.map((name): Raced => {
      const rounds = ran.get(name) ?? [];
      const ratios = rounds.map((round, index) => usOf(round) / (floor[index] === undefined ? Number.NaN : usOf(floor[index])));
      const failed = failures.get(name);
      return {
        name,
        ...(failed === undefined ? {} : { failed }),
        usPerExecution: median(rounds.map(usOf)),
        timesFirst: median(ratios),
        allocatedBytes: median(rounds.map(({ executions, allocatedBytes }) => allocatedBytes / executions)),
        collectionsPerSecond: median(rounds.map(({ collections, workedMs }) => (collections * 1_000) / workedMs)),
        collectingShare: median(rounds.map(({ collectingMs, elapsedMs }) => collectingMs / elapsedMs)),
      };
    });
  } finally {
    for (const child of running.values()) if (child.connected) child.disconnect();
    progress.clear();
  }
}
