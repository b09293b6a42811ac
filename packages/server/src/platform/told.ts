// What is told once in a while for each name, of so many names: whoever repeats something, or does it under ever new names, fills no record.
import type { Clock } from '@hilo/engine/contract';

/** What was told in the present while. */
export interface Told {
  /** Whether it is to be told: it was not in this while, and there is room for one more name. */
  isDue(name: string): boolean;
  /** Keeps that it was told. */
  add(name: string): void;
}

/** Kept by this process alone, until the while is over for all names at once. @param most - names that are told in one while */
export function createTold({ now }: Pick<Clock, 'now'>, { everyMs, most }: { readonly everyMs: number; readonly most: number }): Told {
  const names = new Set<string>();
  let current = 0;
  return {
    isDue(name) {
      const turn = Math.floor(now() / everyMs);
      if (turn !== current) {
        current = turn;
        names.clear();
      }
      return !names.has(name) && names.size < most;
    },
    add: (name) => void names.add(name),
  };
}
