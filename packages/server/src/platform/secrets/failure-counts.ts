import type { Clock } from '@hilo/engine/contract';

/** How often something failed lately, by name. */
export interface FailureCounts {
  add(name: string): void;
  forget(name: string): void;
  /** Those since the first of them, within a minute; none, when there were none. */
  of(name: string): Failures;
}

interface Failures {
  readonly count: number;
  /** When the last one was. */
  readonly lastMs: number;
}

const forgetAfterMs = 60_000;
/** Whoever makes up a name for each failure fills the memory no further than this. */
const mostNames = 10_000;
const none: Failures = { count: 0, lastMs: 0 };

export function createFailureCounts(clock: Pick<Clock, 'now'>): FailureCounts {
  const names = new Map<string, Failures & { readonly sinceMs: number }>();
  const fresh = (name: string) => {
    const known = names.get(name);
    return known !== undefined && Math.abs(clock.now() - known.sinceMs) < forgetAfterMs ? known : undefined;
  };
  return {
    add(name) {
      const nowMs = clock.now();
      const { count, sinceMs } = fresh(name) ?? { count: 0, sinceMs: nowMs };
      names.delete(name);
      names.set(name, { count: count + 1, sinceMs, lastMs: nowMs });
      const [oldest] = names.keys();
      if (names.size > mostNames && oldest !== undefined) names.delete(oldest);
    },
    forget: (name) => void names.delete(name),
    of: (name) => fresh(name) ?? none,
  };
}
