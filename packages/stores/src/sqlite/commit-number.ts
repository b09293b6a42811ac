import { randomInt } from 'node:crypto';
import type { Connection } from './connection.ts';
import type { Witness } from './witness.ts';

/** Numbers go round: a store lives longer than they last. 0 is none. */
const numbers = 0x7fff_ffff;

const numberAfter = (number: number): number => (number % numbers) + 1;

/** How far a number is behind another: below 0 when it is before it. */
export function behind(number: number, other: number): number {
  const steps = (((other - number) % numbers) + numbers) % numbers;
  return steps > numbers / 2 ? steps - numbers : steps;
}

/** @returns the number of the last commit; 0 in a database that has none */
export const commitNumber = (connection: Connection): number => Number(Object.values(connection.run('pragma user_version')[0] ?? {})[0]);

/** Begins to count, somewhere: two stores are not to have the same numbers. */
export const beginNumbers = (connection: Connection): void => connection.once(`pragma user_version = ${randomInt(1, numbers)}`);

/**
 * Numbers commits, in the header of the file and so in each commit's part of the log: what is missing of the log, or does
 * not belong to the file, is found when the store is opened.
 */
export interface CommitNumbers {
  /** Gives the open transaction its number. */
  next(): void;
  /** It is durable: now, and not before, the witness may say so. */
  committed(): void;
  /** What became of it is unknown. */
  failed(): void;
}

export function createCommitNumbers(connection: Connection, witness: Witness): CommitNumbers {
  let last: number | undefined;
  let next = 0;
  return {
    next() {
      last ??= commitNumber(connection);
      next = numberAfter(last);
      connection.once(`pragma user_version = ${next}`);
    },
    committed() {
      last = next;
      witness.write(next);
    },
    failed() {
      last = undefined;
    },
  };
}
