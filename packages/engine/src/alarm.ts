import { fireDueTimers } from './fire-due-timers.ts';
import { type Kernel, tell } from './kernel.ts';

/** The one timer of an engine: it rings at the earliest due time of all waits (P12, P21). */
export interface Alarm {
  /** Looks at the earliest due time again: something new may wait. */
  set(): void;
  stop(): void;
}

/** Longer time-outs overflow in JavaScript and fire at once; a day is well below. */
const longestMs = 86_400_000;

export function createAlarm(kernel: Kernel): Alarm {
  let timer: unknown;
  let ringsAtMs = Number.POSITIVE_INFINITY;
  let isStopped = false;

  const ring = async (): Promise<void> => {
    timer = undefined;
    ringsAtMs = Number.POSITIVE_INFINITY;
    try {
      await fireDueTimers(kernel);
    } catch (error) {
      tell(kernel, 'engine.fault', { error, while: 'firing due timers' });
    }
    set();
  };

  const look = async (): Promise<void> => {
    const dueMs = await kernel.store.nextDueMs();
    if (isStopped || dueMs === undefined || dueMs >= ringsAtMs) return;
    if (timer !== undefined) kernel.clock.clearTimeout(timer);
    const nowMs = kernel.clock.now();
    const delayMs = Math.min(Math.max(0, dueMs - nowMs), longestMs);
    ringsAtMs = nowMs + delayMs;
    timer = kernel.clock.setTimeout(() => void ring(), delayMs);
  };

  const set = (): void => {
    look().catch((error: unknown) => tell(kernel, 'engine.fault', { error, while: 'looking for the next due timer' }));
  };

  kernel.events.on('execution.waiting', (_about, { dueAtMs }) => {
    if (dueAtMs !== null && dueAtMs < ringsAtMs) set();
  });
  set();
  return {
    set,
    stop() {
      isStopped = true;
      if (timer !== undefined) kernel.clock.clearTimeout(timer);
    },
  };
}
