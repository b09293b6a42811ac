import type { TranscriptsResult } from '../worker/protocol.ts';

/** Which ports tests take. */
export interface Coverage {
  /** The tests that take a port, by node id and port joined by a NUL. */
  readonly tested: ReadonlyMap<string, readonly string[]>;
  /** Ports that no test takes, as `node.port`. */
  readonly never: readonly string[];
  /** How many ports each test alone takes: what would be lost without it. */
  readonly alone: ReadonlyMap<string, number>;
}

/** What the kept tests cover, and which of them found what. */
export function coverageOf({ results, neverTaken }: Pick<TranscriptsResult, 'results' | 'neverTaken'>): Coverage {
  const tested = new Map<string, string[]>();
  for (const { name, taken } of results) for (const port of taken) tested.set(port, [...(tested.get(port) ?? []), name]);
  const alone = new Map(results.map(({ name }) => [name, 0]));
  for (const [first, ...others] of tested.values())
    if (first !== undefined && others.length === 0) alone.set(first, (alone.get(first) ?? 0) + 1);
  return { tested, never: neverTaken, alone };
}
