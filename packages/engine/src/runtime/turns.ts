/**
 * Lets work that begins in bulk (timers that are due together, recovery, a signal for many waits) begin a few at a time, company by
 * company: in between the event loop serves whatever else has come (P20), and no company waits for all of another's (P23).
 */
export interface Turns {
  /** Takes a turn. @returns nothing where it is at once, else what resolves when it comes */
  take(companyId: string): Promise<void> | undefined;
}

/** How many begin in one turn of the event loop. */
export const perTurn = 16;

/** The companies that wait for a turn, in the order in which they get one. */
type Waiting = Map<string, { readonly begin: (() => void)[]; next: number }>;

/** @param inNextTurn - calls back in the next turn of the event loop */
export function createTurns(inNextTurn: (callback: () => void) => void): Turns {
  const waiting: Waiting = new Map();
  let left = perTurn;
  let isCounting = false;

  const count = (): void => {
    left -= 1;
    if (isCounting) return;
    isCounting = true;
    inNextTurn(endTurn);
  };

  const endTurn = (): void => {
    isCounting = false;
    left = perTurn;
    while (left > 0) {
      const begin = takeNext(waiting);
      if (begin === undefined) return;
      count();
      begin();
    }
  };

  return {
    take(companyId) {
      if (left > 0 && waiting.size === 0) {
        count();
        return undefined;
      }
      return new Promise((resolve) => {
        const known = waiting.get(companyId);
        if (known === undefined) waiting.set(companyId, { begin: [resolve], next: 0 });
        else known.begin.push(resolve);
      });
    },
  };
}

/** The next to begin: one of the company whose turn it is, which then stands behind the others. */
function takeNext(waiting: Waiting): (() => void) | undefined {
  for (const [companyId, line] of waiting) {
    const begin = line.begin[line.next];
    line.next += 1;
    waiting.delete(companyId);
    if (line.next < line.begin.length) waiting.set(companyId, line);
    return begin;
  }
  return undefined;
}
