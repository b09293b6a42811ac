// Long work in parts: a loop over what a company has many of gives others their turn in between (P20). A read of SQLite that is awaited gives
// none: it is answered within the turn.
import { setImmediate as turn } from 'node:timers/promises';

/** Called before each part of long work. */
export type InTurns = (size?: number) => Promise<void>;

/** @param most - of parts, or of the sum of their sizes, in one turn */
export function createTurns(most: number): InTurns {
  let done = 0;
  return async (size = 1) => {
    done += size;
    if (done <= most) return;
    done = size;
    await turn();
  };
}
