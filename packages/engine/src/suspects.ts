import type { Clock } from './contract/clock.ts';

/** How long one suspect has the process to itself before the next gets its turn. */
const patienceMs = 5_000;

/**
 * Lanes whose process died while they were at work, until they get on (P17). Nobody knows which of many killed it; one that
 * was there twice is tried alone, so that a third death is its own and takes no bystander with it.
 */
export interface Suspects {
  add(lane: string): void;
  /** @returns whether the lane was a suspect until now */
  clear(lane: string): boolean;
  /** Runs a task when no other suspect is being tried; the turn ends when the lane gets on, or after a while. */
  alone<Result>(lane: string, task: () => Promise<Result>): Promise<Result>;
}

export function createSuspects(clock: Clock): Suspects {
  const lanes = new Map<string, () => void>();
  let turn: Promise<void> = Promise.resolve();

  return {
    add: (lane) => void lanes.set(lane, () => undefined),
    clear(lane) {
      lanes.get(lane)?.();
      return lanes.delete(lane);
    },
    alone(lane, task) {
      const before = turn;
      const over = Promise.withResolvers<void>();
      turn = over.promise;
      return before.then(async () => {
        const timer = clock.setTimeout(over.resolve, patienceMs);
        lanes.set(lane, () => {
          clock.clearTimeout(timer);
          over.resolve();
        });
        return task();
      });
    },
  };
}
