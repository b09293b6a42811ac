/**
 * Lets work that begins in bulk (timers that are due together, recovery, a signal for many waits) begin a few at a time, company by
 * company: in between the event loop serves whatever else has come (P20), and no company waits for all of another's (P23).
 */
export interface Turns {
  /** Takes a turn. @returns nothing where it is at once, else what resolves when it comes */
  take(companyId: string): Promise<void> | undefined;
}

/** How many begin in one turn of the event loop at most. */
export const perTurn = 16;

/** Once those that have begun took this long, the next begin in the next turn of the event loop. */
export const sliceMs = 5;

/** The companies that wait for a turn, in the order in which they get one. */
type WaitingCompanies = Map<string, { readonly begin: (() => void)[]; next: number }>;

export interface TurnsOptions {
  /** Calls back in the next turn of the event loop. */
  readonly inNextTurn: (callback: () => void) => void;
  readonly now: () => number;
}

export function createTurns({ inNextTurn, now }: TurnsOptions): Turns {
  const waiting: WaitingCompanies = new Map();
  let left = perTurn;
  let isCounting = false;
  let sinceMs = 0;

  const count = (): void => {
    left -= 1;
    if (isCounting) return;
    isCounting = true;
    sinceMs = now();
    inNextTurn(() => void endTurn());
  };

  const isFull = (): boolean => left === 0 || (isCounting && now() - sinceMs >= sliceMs);

  const endTurn = async (): Promise<void> => {
    isCounting = false;
    left = perTurn;
    while (waiting.size > 0 && !isFull()) {
      count();
      takeNext(waiting)?.();
      await worked();
    }
  };

  return {
    take(companyId) {
      if (waiting.size === 0 && !isFull()) {
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

/** Whoever has begun goes on in a microtask, and has worked until its next one: what it takes is known before the next begins. */
async function worked(): Promise<void> {
  await Promise.resolve();
  await Promise.resolve();
}

/** The next to begin: one of the company whose turn it is, which then stands behind the others. */
function takeNext(waiting: WaitingCompanies): (() => void) | undefined {
  for (const [companyId, line] of waiting) {
    const begin = line.begin[line.next];
    line.next += 1;
    waiting.delete(companyId);
    if (line.next < line.begin.length) waiting.set(companyId, line);
    return begin;
  }
  return undefined;
}
