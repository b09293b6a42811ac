import type { Clock } from '../contract/clock.ts';
import type { DueWait, ExecutionStore } from '../contract/store.ts';
import type { HeldTimers } from './held-timers.ts';
import type { KeyedQueue } from './keyed-queue.ts';

/** Reads which due timers are fired next. */
export interface DueReader {
  /**
   * The next slice of due waits, the first of each company before the second of any. Those that are held, or in a lane that is being handed
   * over, are left out. While more are due than one slice has, each company has an equal share of it, however many others have.
   */
  read(): Promise<readonly DueWait[]>;
}

export interface DueReaderOptions {
  readonly store: Pick<ExecutionStore, 'due' | 'companiesWithTimers'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly lanes: Pick<KeyedQueue, 'takes'>;
  readonly held: HeldTimers;
  /** How many waits are read at once. */
  readonly slice?: number;
  /** How many companies with timers are looked through for a slice. With more of them, the next slice begins where this one ended. */
  readonly companies?: number;
}

/** How many companies are read at once: other work that reads from the store is served in between. */
const readsAtOnce = 16;

export function createDueReader({ store, clock, lanes, held, slice = 512, companies = 512 }: DueReaderOptions): DueReader {
  let after = '';
  const readFree = async (...asked: Parameters<ExecutionStore['due']>) => {
    const due = await store.due(...asked);
    // Timers of lanes that are being handed over are fired by their next owner.
    return { due, free: due.filter((wait) => !held.has(wait) && lanes.takes(wait.lane)) };
  };

  /** The earliest of all companies. */
  const readEarliest = async () => {
    held.release(clock.now());
    for (;;) {
      const limit = slice + 2 * held.countAtStart(); // doubled, so that many that are due at one instant are read in few steps
      const { due, free } = await readFree(clock.now(), limit, held.fromMs);
      const isAll = due.length < limit;
      if (!held.pass(due, isAll) || free.length > 0 || isAll) return { isAll, lines: Map.groupBy(free, ({ companyId }) => companyId) };
    }
  };

  /** Reads a share of those companies too whose timers are behind the earliest. @returns how many waits of each are fired at most */
  const readShares = async (lines: Map<string, DueWait[]>): Promise<number> => {
    const found = await store.companiesWithTimers(clock.now(), after, companies);
    after = (found.length < companies ? undefined : found.at(-1)?.companyId) ?? '';
    const due = found.flatMap(({ companyId, isDue }) => (isDue ? [companyId] : []));
    const { size } = new Set([...lines.keys(), ...due]);
    if (size === lines.size && size === 1) return Number.POSITIVE_INFINITY; // no other to share with
    const share = Math.ceil(slice / size);
    const few = due.filter((companyId) => (lines.get(companyId)?.length ?? 0) < share);
    const readShare = (companyId: string) => readFree(clock.now(), share + held.countOf(companyId), held.fromMs, companyId);
    for (let from = 0; from < few.length; from += readsAtOnce) {
      const some = few.slice(from, from + readsAtOnce);
      for (const [index, { free }] of (await Promise.all(some.map(readShare))).entries()) lines.set(some[index] ?? '', free);
    }
    return few.length > 0 ? share : Number.POSITIVE_INFINITY;
  };

  return {
    async read() {
      const { isAll, lines } = await readEarliest();
      let share = Number.POSITIVE_INFINITY;
      let rounds = isAll ? 2 : 0;
      while (rounds < 2) {
        share = await readShares(lines);
        if (after === '') rounds += 1;
        // Where none of these can be fired now, all other companies are looked through.
        if ([...lines.values()].some(({ length }) => length > 0)) break;
      }
      const waits: DueWait[] = [];
      for (let place = 0, before = -1; place < share && before < waits.length; place += 1) {
        before = waits.length;
        for (const { [place]: wait } of lines.values()) if (wait !== undefined) waits.push(wait);
      }
      return waits;
    },
  };
}
