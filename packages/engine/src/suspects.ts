import type { Clock } from './contract/clock.ts';

/** How long one suspect has the process to itself before the next gets its turn. */
const patienceMs = 5_000;

/**
 * Lanes whose process died while they were at work, until they get on (P17). Nobody knows which of many killed it; one that
 * was there twice is tried alone, so that a third death is its own and takes no bystander with it.
 */
export interface Suspects {
  /** When this process began: what was due before may be what the one before it died of. */
  readonly sinceMs: number;
  add(lane: string): void;
  /** Whether this process has counted the lane already. */
  has(lane: string): boolean;
  /** @returns whether the lane was a suspect until now */
  clear(lane: string): boolean;
  /** The process ends: what waits to be tried alone is left to the next. @returns the lanes that were suspects until now */
  clearAll(): readonly string[];
  /** Forgets in the store what is no suspect any more. @param task - does not throw */
  forget(task: () => Promise<void>): void;
  /** Resolves when all of it is forgotten: the deaths of a lane are not to be read before. */
  forgotten(): Promise<void>;
  /**
   * Runs a task when no other suspect is being tried. The turn ends when the lane gets on, when the task fails, or after a
   * while; who has the turn has it for all of the lane.
   */
  alone<Result>(lane: string, task: () => Promise<Result>): Promise<Result>;
}

export function createSuspects(clock: Clock): Suspects {
  const lanes = new Set<string>();
  let acquittals = 0;
  let turn: { readonly lane: string; readonly end: () => void } | undefined;
  let last: Promise<void> = Promise.resolve();
  let forgetting: Promise<unknown> = last;

  const endTurnOf = (lane: string): void => {
    if (turn?.lane === lane) turn.end();
  };

  return {
    sinceMs: clock.now(),
    add: (lane) => void lanes.add(lane),
    has: (lane) => lanes.has(lane),
    clear(lane) {
      endTurnOf(lane);
      return lanes.delete(lane);
    },
    clearAll() {
      acquittals += 1;
      const all = [...lanes];
      lanes.clear();
      return all;
    },
    forget(task) {
      forgetting = Promise.all([forgetting, task()]);
    },
    async forgotten() {
      await forgetting;
    },
    async alone(lane, task) {
      lanes.add(lane);
      if (turn?.lane === lane) return task();
      const [before, acquittalsBefore] = [last, acquittals];
      const over = Promise.withResolvers<void>();
      last = over.promise;
      await before;
      if (acquittals > acquittalsBefore) return new Promise<never>(() => undefined); // the next process tries it
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
