import { randomInt } from 'node:crypto';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** What every property of this run draws its values from. */
    seed: number;
    /** How many values a property tries; 0 leaves it to fast-check. */
    runs: number;
  }
}

/** Chooses one seed for the whole run and prints it, so that a run can be repeated: `HILO_SEED=… npm test`. */
export default function chooseSeed({ provide }: TestProject): void {
  const seed = integerFrom('HILO_SEED') ?? randomInt(2 ** 31);
  const runs = integerFrom('HILO_RUNS') ?? 0;
  console.log(`HILO_SEED=${seed}${runs > 0 ? ` HILO_RUNS=${runs}` : ''}`);
  provide('seed', seed);
  provide('runs', runs);
}

function integerFrom(name: string): number | undefined {
  const text = process.env[name];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be a whole number, and is "${text}"`);
  return value;
}
