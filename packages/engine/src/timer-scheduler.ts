import { fireDueTimers } from './fire-due-timers.ts';
import type { Kernel } from './kernel.ts';
import { tell } from './tell.ts';

/** The one timer of an engine: it rings at the earliest due time of all waits (P12, P21). */
export interface Alarm {
  stop(): void;
}

/** Longer time-outs overflow in JavaScript and fire at once; a day is well below. */
const longestMs = 86_400_000;

/** Of a shared store: another process may have opened a wait and died. */
const longestSharedMs = 5_000;

/** When the store is asked again after it failed. */
const pauseMs = 1_000;

export function createAlarm(kernel: Kernel): Alarm {
  const mostMs = kernel.membership === undefined ? longestMs : longestSharedMs;
  let timer: unknown;
  let ringsAtMs = Number.POSITIVE_INFINITY;
  let isStopped = false;
  let looking: Promise<void> | undefined;

  const setFor = (atMs: number): void => {
    if (isStopped || atMs >= ringsAtMs) return;
    if (timer !== undefined) kernel.clock.clearTimeout(timer);
    const nowMs = kernel.clock.now();
    ringsAtMs = Math.max(atMs, nowMs);
    timer = kernel.clock.setTimeout(() => void ring(), ringsAtMs - nowMs);
  };

  const ring = async (): Promise<void> => {
    timer = undefined;
    ringsAtMs = Number.POSITIVE_INFINITY;
    let fired = 0;
    try {
      fired = await fireDueTimers(kernel);
    } catch (error) {
      tell(kernel, 'engine.fault', { error, while: 'firing due timers' });
    }
    // What is due and was not given to us is another process's, or the store failed.
    await look(fired === 0 ? pauseMs : 0);
  };

  /** @param overdueInMs - when to ring for what is due already */
  const look = async (overdueInMs = 0): Promise<void> => {
    const nowMs = kernel.clock.now();
    try {
      const dueMs = await kernel.store.nextDueMs();
      if (dueMs === undefined && kernel.membership === undefined) return;
      const nextMs = dueMs ?? Number.POSITIVE_INFINITY;
      setFor(Math.min(nextMs > nowMs ? nextMs : nowMs + overdueInMs, nowMs + mostMs));
    } catch (error) {
      tell(kernel, 'engine.fault', { error, while: 'looking for the next due timer' });
      setFor(nowMs + pauseMs);
    }
  };

  kernel.events.on('execution.waiting', (_about, { dueAtMs }) => {
    if (dueAtMs !== null) setFor(Math.min(dueAtMs, kernel.clock.now() + mostMs));
  });
  kernel.events.on('lane.takenUp', () => {
    looking ??= look().finally(() => (looking = undefined));
  });
  void look();
  return {
    stop() {
      isStopped = true;
      if (timer !== undefined) kernel.clock.clearTimeout(timer);
    },
  };
}
