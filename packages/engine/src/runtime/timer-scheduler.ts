import type { Clock } from '../contract/clock.ts';
import { isOfClosedStore } from '../contract/errors.ts';
import type { ExecutionStore } from '../contract/store.ts';
import type { Listeners } from './events.ts';
import type { HeldTimers } from './held-timers.ts';

/** The one timer of an engine: it is set for the earliest due time of all waits (P12, P21). Idle until it is started. */
export interface TimerScheduler {
  /** A wait with this due time was committed. In milliseconds since the Unix epoch. */
  arm(dueAtMs: number): void;
  /** Reads the earliest due time from the store: waits may have been committed of which this process does not know. */
  lookUp(): void;
  start(): void;
  stop(): void;
}

export interface TimerSchedulerOptions {
  readonly clock: Clock;
  readonly store: Pick<ExecutionStore, 'nextDueMs' | 'leases'>;
  readonly events: Pick<Listeners, 'emit'>;
  readonly held: Pick<HeldTimers, 'fromMs' | 'nextMs' | 'include'>;
  /** Fires a slice of the due timers. @returns how many */
  readonly fire: () => Promise<number>;
}

/** Longer time-outs overflow in JavaScript and fire at once; a day is well below. */
const longestMs = 86_400_000;

/** For a shared store: another process may have opened a wait and died. */
const longestSharedMs = 5_000;

/** How long a slice of timers is waited for: a commit that does not end keeps no others from firing. */
export const patienceMs = 30_000;

/** When the store is read again after a failure. */
const pauseMs = 1_000;

export function createTimerScheduler({ clock, store, events, held, fire }: TimerSchedulerOptions): TimerScheduler {
  const isShared = store.leases !== undefined;
  const maxMs = isShared ? longestSharedMs : longestMs;
  let isStarted = false;
  let isFiring = false;
  let timer: unknown;
  let nextDueMs = Number.POSITIVE_INFINITY;
  let lookingUp: Promise<void> | undefined;

  const setFor = (atMs: number): void => {
    if (!isStarted || isFiring || atMs >= nextDueMs) return;
    if (timer !== undefined) clock.clearTimeout(timer);
    const nowMs = clock.now();
    nextDueMs = Math.max(atMs, nowMs);
    timer = clock.setTimeout(() => void fireDue(), nextDueMs - nowMs);
  };

  const fireDue = async (): Promise<void> => {
    timer = undefined;
    nextDueMs = Number.POSITIVE_INFINITY;
    let fired = 0;
    isFiring = true; // what becomes due meanwhile is found in the store afterwards
    const patience = clock.setTimeout(() => {
      isFiring = false;
      void setFromStore();
    }, patienceMs);
    try {
      fired = await fire();
    } catch (error) {
      events.emit('engine.fault', { error, while: 'firing due timers' });
    }
    clock.clearTimeout(patience);
    isFiring = false;
    // A due wait that was not returned to us is another process's, or the store failed.
    await setFromStore(fired === 0 ? pauseMs : 0);
  };

  /** @param overdueInMs - when to fire overdue timers */
  const setFromStore = async (overdueInMs = 0): Promise<void> => {
    const nowMs = clock.now();
    try {
      const dueMs = await store.nextDueMs(held.fromMs);
      const { nextMs } = held;
      if (dueMs === undefined && nextMs === undefined && !isShared) return;
      const atMs = Math.min(dueMs ?? Number.POSITIVE_INFINITY, nextMs ?? Number.POSITIVE_INFINITY);
      setFor(Math.min(atMs > nowMs ? atMs : nowMs + overdueInMs, nowMs + maxMs));
    } catch (error) {
      events.emit('engine.fault', { error, while: 'looking for the next due timer' });
      if (!isOfClosedStore(error)) setFor(nowMs + pauseMs);
    }
  };

  const lookUp = (): void => {
    held.include(0);
    if (isStarted) lookingUp ??= setFromStore().finally(() => (lookingUp = undefined));
  };

  return {
    arm(dueAtMs) {
      held.include(dueAtMs);
      setFor(Math.min(dueAtMs, clock.now() + maxMs));
    },
    lookUp,
    start() {
      if (isStarted) return;
      isStarted = true;
      lookUp();
    },
    stop() {
      isStarted = false;
      if (timer !== undefined) clock.clearTimeout(timer);
      timer = undefined;
      nextDueMs = Number.POSITIVE_INFINITY;
    },
  };
}
