import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Round } from './contestant-process.ts';
import type { ContestantName } from './contestants/index.ts';
import type { Progress } from './progress.ts';
import { answerOf } from './processes.ts';
import { median } from './statistics.ts';

export interface Raced {
  readonly name: ContestantName;
  /** Microseconds of the thread's work for one execution, the median of the rounds. */
  readonly usPerExecution: number;
  /** The same by the clock on the wall, which runs on while others use the machine. */
  readonly wallUsPerExecution: number;
  /** How many times the first contestant's work it took: the median of the ratios within each round. */
  readonly timesFirst: number;
  /** The smallest and the largest of those ratios. */
  readonly spread: readonly [number, number];
}

export interface RaceOptions {
  readonly rounds: number;
  /** Rounds that do not count, for each contestant: V8 takes its time to see what is hot. */
  readonly warmUpRounds: number;
  readonly roundMs: number;
}

/**
 * Runs contestants in turn, each in a process of its own that lives through all rounds; every other round goes the other
 * way round. A noisy machine is noisy for all of them, so ratios within a round are what can be trusted.
 */
export async function race(
  names: readonly ContestantName[],
  { rounds, warmUpRounds, roundMs }: RaceOptions,
  progress: Progress,
): Promise<readonly Raced[]> {
  const running = new Map<ContestantName, ChildProcess>();
  const file = join(import.meta.dirname, 'contestant-process.ts');
  try {
    for (const name of names) running.set(name, fork(file, [name]));
    for (const [index, [name, child]] of [...running].entries()) {
      progress.say(`warming up ${name} (${index + 1} of ${names.length})`);
      for (let round = 0; round < warmUpRounds; round += 1) await answerOf<Round>(child, name, roundMs);
    }
    const worked = new Map<ContestantName, number[]>(names.map((name) => [name, []]));
    const elapsed = new Map<ContestantName, number[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, child] of round % 2 === 0 ? running : [...running].reverse()) {
        progress.say(`round ${round + 1} of ${rounds}: ${name}`);
        const { executions, elapsedMs, workedMs } = await answerOf<Round>(child, name, roundMs);
        worked.get(name)?.push((workedMs * 1000) / executions);
        elapsed.get(name)?.push((elapsedMs * 1000) / executions);
      }
    }
    const [first] = worked.values();
    return names.map((name): Raced => {
      const own = worked.get(name) ?? [];
      const ratios = own.map((time, round) => time / (first?.[round] ?? Number.NaN));
      const wallUsPerExecution = median(elapsed.get(name) ?? []);
      return {
        name,
        usPerExecution: median(own),
        wallUsPerExecution,
        timesFirst: median(ratios),
        spread: [Math.min(...ratios), Math.max(...ratios)],
      };
    });
  } finally {
    for (const child of running.values()) if (child.connected) child.disconnect();
    progress.clear();
  }
}
