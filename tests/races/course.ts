import type fc from 'fast-check';
import { createVirtualClock, type VirtualClock } from '../../packages/simulator/src/virtual-clock.ts';

/** More tasks than any race needs: reaching it means an endless loop. */
const maxTasks = 5_000;

/** How a call of a racer ended. */
export type Outcome<Value> = { readonly kind: 'answered'; readonly value: Value } | { readonly kind: 'refused'; readonly error: unknown };

/** One run of a race: everything that crosses a border is a task, and the schedule decides the next task. */
export interface Course {
  readonly clock: VirtualClock;
  /**
   * Calls across a border. One task carries the call over, another carries the result back, so that other tasks may overtake both ways.
   * Before the race begins, a call is direct.
   */
  cross<Result>(label: string, perform: () => Result | Promise<Result>): Promise<Result>;
  /**
   * Makes a read-only call. One task is enough: its answer may be outdated before the next call arrives.
   */
  ask<Result>(label: string, perform: () => Result | Promise<Result>): Promise<Result>;
  /** Tells something across a border. */
  tell(label: string, perform: () => void): void;
  /** Makes a call when the schedule decides. */
  enter<Value>(label: string, call: () => Promise<Value>): Promise<Outcome<Value>>;
  /** Lets time pass when the schedule decides. */
  passes(ms: number): void;
  /** Begins the race: earlier calls were its preparation. */
  begin(): void;
  /**
   * Runs until no task is left.
   *
   * @param aftermathMs - how long it continues when only timers are left, in addition to the time of `passes`; 4 s when left out, by
   *   when most failed work has been retried
   * @throws {Error} when a racer got no answer
   */
  end(aftermathMs?: number): Promise<void>;
}

/** A turn of the event loop, in which all settled promises continue. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const now = Promise.resolve();

export function createCourse(schedule: fc.Scheduler): Course {
  const clock = createVirtualClock();
  const unanswered = new Set<string>();
  /** The end of the time that `passes` requested. */
  let toldMs = clock.now();
  let isOn = false;
  /** Calls that are on the other side. */
  let underWay = 0;

  const tell: Course['tell'] = (label, perform) => {
    if (isOn) void schedule.schedule(now, label).then(perform);
    else perform();
  };

  const ask: Course['ask'] = async (label, perform) => {
    if (!isOn) return perform();
    await schedule.schedule(now, label);
    underWay += 1;
    try {
      return await perform();
    } finally {
      underWay -= 1;
    }
  };

  /** @returns whether anything was left to do */
  const step = async (aftermathMs: number): Promise<boolean> => {
    await turn();
    if (schedule.count() > 0) {
      await schedule.waitNext(1);
      return true;
    }
    if (underWay > 0) return true;
    const nextMs = clock.nextMs() ?? Number.POSITIVE_INFINITY;
    if (nextMs > toldMs + aftermathMs) return false;
    clock.advanceTo(nextMs);
    return true;
  };

  return {
    clock,
    tell,
    begin() {
      isOn = true;
    },
    ask,
    async cross(label, perform) {
      try {
        return await ask(label, perform);
      } finally {
        if (isOn) await schedule.schedule(now, `${label} is answered`);
      }
    },
    async enter(label, call) {
      unanswered.add(label);
      await schedule.schedule(now, label);
      try {
        return { kind: 'answered', value: await call() };
      } catch (error) {
        return { kind: 'refused', error };
      } finally {
        unanswered.delete(label);
      }
    },
    passes(ms) {
      tell(`${ms} ms pass`, () => {
        clock.advanceBy(ms);
        toldMs = clock.now();
      });
    },
    async end(aftermathMs = 4_000) {
      for (let tasks = 0; await step(aftermathMs); tasks += 1)
        if (tasks > maxTasks) throw new Error(`After ${maxTasks} tasks the race is still on`);
      if (unanswered.size > 0) throw new Error(`Nobody answered: ${[...unanswered].join(', ')}`);
    },
  };
}
