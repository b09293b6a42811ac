import { describe, expect, it } from 'vitest';
import { createHeldTimers } from './held-timers.ts';
import { createTimerScheduler, patienceMs } from './timer-scheduler.ts';

/** A scheduler by a clock that a test moves, over a store in which a timer is due at any time. */
function schedulerOf(fire: () => Promise<number>) {
  let nowMs = 0;
  const timers = new Map<() => void, number>();
  const clock = {
    now: () => nowMs,
    setTimeout: (callback: () => void, delayMs: number) => (timers.set(callback, nowMs + delayMs), callback),
    clearTimeout: (timer: unknown) => void timers.delete(timer as () => void),
  };
  const store = { nextDueMs: async () => nowMs };
  const scheduler = createTimerScheduler({ clock, store, events: { emit: () => undefined }, held: createHeldTimers(), fire });
  const passTo = async (atMs: number): Promise<void> => {
    nowMs = atMs;
    for (const [callback, dueMs] of timers)
      if (dueMs <= nowMs) {
        timers.delete(callback);
        callback();
      }
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { scheduler, passTo };
}

describe('the one timer of an engine', () => {
  it('begins no slice beside one that is under way, unless that one does not end for half a minute (P11)', async () => {
    let begun = 0;
    const ends: (() => void)[] = [];
    const { scheduler, passTo } = schedulerOf(() => {
      begun += 1;
      return new Promise((resolve) => ends.push(() => resolve(1)));
    });
    scheduler.start();
    await passTo(0);
    await passTo(1); // it has looked into the store
    expect(begun).toBe(1);
    scheduler.arm(2);
    scheduler.lookUp();
    await passTo(patienceMs);
    expect(begun).toBe(1);
    await passTo(patienceMs + 1);
    await passTo(patienceMs + 2);
    expect(begun).toBe(2);
    for (const end of ends.splice(0)) end();
    await passTo(patienceMs + 3);
    await passTo(patienceMs + 4);
    expect(begun).toBe(3);
    scheduler.stop();
  });
});
