import type { Clock } from '@hilo/engine/contract';

/** Polls the store for due work. */
export interface Poller {
  start(): void;
  /** Something is due at this instant. */
  wake(atMs: number): void;
  /** Stops polling; resolves when the current poll has ended. The rest stays in the store. */
  stop(): Promise<void>;
}

interface PollerParts {
  readonly clock: Clock;
  /** How often the store is polled for work without a notification: of another process, or of one that died. */
  readonly everyMs: number;
  /** Does due work; one call at a time. It handles its own errors. */
  readonly poll: (nowMs: number) => Promise<void>;
}

/** Polls every `everyMs` and at each instant that `wake` names, never twice at once. */
export function createPoller({ clock, everyMs, poll }: PollerParts): Poller {
  let timer: unknown;
  let nextAtMs = Number.POSITIVE_INFINITY;
  let polling: Promise<void> | undefined;
  let isRunning = false;

  const run = (): void => {
    clock.clearTimeout(timer);
    nextAtMs = Number.POSITIVE_INFINITY;
    polling = poll(clock.now()).then(() => {
      polling = undefined;
      // What became due meanwhile is due at once.
      wake(Math.min(nextAtMs, clock.now() + everyMs));
    });
  };

  function wake(atMs: number): void {
    if (!isRunning) return;
    const nowMs = clock.now();
    if (polling !== undefined) nextAtMs = Math.min(nextAtMs, atMs);
    else if (atMs <= nowMs) run();
    else {
      clock.clearTimeout(timer);
      nextAtMs = Math.min(nextAtMs, atMs);
      timer = clock.setTimeout(run, Math.max(0, nextAtMs - nowMs)); // an earlier one may be late
    }
  }

  return {
    wake,
    start() {
      isRunning = true;
      wake(clock.now() + everyMs);
    },
    async stop() {
      isRunning = false;
      clock.clearTimeout(timer);
      await polling;
    },
  };
}
