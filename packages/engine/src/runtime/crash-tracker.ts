import { batchLoader } from '../contract/batch-loader.ts';
import type { Clock } from '../contract/clock.ts';
import type { ExecutionStore } from '../contract/store.ts';
import type { Listeners } from './events.ts';

/** How long one suspected lane is tried alone before the next gets its turn. */
const patienceMs = 5_000;

/**
 * Lanes that were working when their process died, until they make progress (P17). Which of several lanes killed the process is
 * unknown; a lane that was working at two crashes is tried alone, so that a third crash is its own and quarantines no other.
 */
export interface CrashTracker {
  /** When this process began: an earlier due timer may have killed the process before it. */
  readonly sinceMs: number;
  /** Suspects a lane until it makes progress. */
  add(lane: string): void;
  /** Counts a crash of a lane in the store, before work that may end the process. Lanes that are counted at once share a transaction. */
  count(lane: string): Promise<void>;
  /** Whether this process has counted the lane already. */
  has(lane: string): boolean;
  /** A lane made progress: its crashes are cleared in the store, too. Does not throw: what cannot be cleared stays counted. */
  clear(lane: string): void;
  /** The work of a lane held the event loop for so long that it counts as a crash, once its progress is committed. */
  harm(lane: string): void;
  /** Whether it did since its last progress; asked once. */
  takeHarm(lane: string): boolean;
  /** The process ends by itself: clears all suspected lanes, though they are still at work (P17, P25). */
  clearOnShutdown(): Promise<void>;
  /** Resolves when the store has all that was cleared: the crashes of a lane are not to be read before. */
  whenCleared(): Promise<void>;
  /**
   * Runs a task when no other suspected lane is being tried. The turn ends when the lane makes progress, when the task fails,
   * or after 5 s. Further tasks of the same lane run within its turn.
   */
  alone<Result>(lane: string, task: () => Promise<Result>): Promise<Result>;
}

interface CrashTrackerOptions {
  readonly clock: Clock;
  readonly store: Pick<ExecutionStore, 'countCrashes' | 'clearCrashCounts'>;
  readonly events: Pick<Listeners, 'emit'>;
}

export function createCrashTracker({ clock, store, events }: CrashTrackerOptions): CrashTracker {
  const lanes = new Set<string>();
  const harmful = new Set<string>();
  let shutdowns = 0;
  let turn: { readonly lane: string; readonly end: () => void } | undefined;
  let last: Promise<void> = Promise.resolve();
  let clearing: Promise<unknown> = last;

  const endTurnOf = (lane: string): void => {
    if (turn?.lane === lane) turn.end();
  };

  const clearInStore = (cleared: readonly string[]): Promise<void> =>
    store
      .clearCrashCounts(cleared)
      .catch((error: unknown) => events.emit('engine.fault', { error, while: `clearing the crash counts of ${cleared.join(', ')}` }));
  const clearOne = batchLoader(async (cleared: readonly string[]) => {
    await clearInStore(cleared);
    return cleared;
  });
  const countOne = batchLoader(async (counted: readonly string[]) => {
    await store.countCrashes(counted);
    return counted;
  });

  return {
    sinceMs: clock.now(),
    add: (lane) => void lanes.add(lane),
    async count(lane) {
      await countOne(lane);
    },
    has: (lane) => lanes.has(lane),
    clear(lane) {
      endTurnOf(lane);
      if (lanes.delete(lane)) clearing = Promise.all([clearing, clearOne(lane)]);
    },
    harm: (lane) => void harmful.add(lane),
    takeHarm: (lane) => harmful.delete(lane),
    async clearOnShutdown() {
      shutdowns += 1;
      const all = [...lanes];
      lanes.clear();
      await clearing;
      if (all.length > 0) await clearInStore(all);
    },
    async whenCleared() {
      await clearing;
    },
    async alone(lane, task) {
      lanes.add(lane);
      if (turn?.lane === lane) return task();
      const [before, shutdownsBefore] = [last, shutdowns];
      const over = Promise.withResolvers<void>();
      last = over.promise;
      await before;
      if (shutdowns > shutdownsBefore) return new Promise<never>(() => undefined); // the next process tries it
      const end = (): void => {
        clock.clearTimeout(timer);
        turn = undefined;
        over.resolve();
      };
      const timer = clock.setTimeout(end, patienceMs);
      turn = { lane, end };
      try {
        return await task();
      } catch (error) {
        endTurnOf(lane);
        throw error;
      }
    },
  };
}
