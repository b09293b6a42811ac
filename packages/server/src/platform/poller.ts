// What is due is done again and again, by every process: one loop for all that the store is asked for. A failure is told, and tried again.
import type { Clock } from '@hilo/engine/contract';
import type { Logger } from './logging/logger.ts';

/** Polls the store for due work. */
export interface Poller {
  start(): void;
  /** Something is due at this instant. */
  wake(atMs: number): void;
  /** Resolves when no poll is under way, nor due at once. */
  whenIdle(): Promise<void>;
  /** Stops polling for good; resolves when the current poll has ended. The rest stays in the store. */
  stop(): Promise<void>;
}

interface PollerParts {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  /** How often the store is polled for work without a notification: of another process, or of one that died. */
  readonly everyMs: number;
  /** How long to wait after the poll that has just ended, where that depends on it; `everyMs`, when left out. */
  readonly waitMs?: () => number;
  /** Does due work; one call at a time. */
  readonly poll: (nowMs: number) => Promise<void>;
  /** The beginning of the sentence for the log where it fails: "Due jobs could not be started". */
  readonly failure: string;
}

/** Polls every `everyMs`, or after `waitMs`, and at each instant that `wake` names, never twice at once. */
export function createPoller({ clock, log, everyMs, waitMs = () => everyMs, poll, failure }: PollerParts): Poller {
  let timer: unknown;
  let nextAtMs = Number.POSITIVE_INFINITY;
  let polling: Promise<void> | undefined;
  let isRunning = false;
  let isStopped = false;

  const pollOnce = async (): Promise<void> => {
    try {
      await poll(clock.now());
    } catch (error) {
      log.warn({ error: String(error) }, `${failure}; the next try is in ${waitMs() / 1_000} s`);
    }
  };

  const run = (): void => {
    clock.clearTimeout(timer);
    nextAtMs = Number.POSITIVE_INFINITY;
    polling = pollOnce().then(() => {
      polling = undefined;
      // What became due meanwhile is due at once.
      const dueAtMs = Math.min(nextAtMs, clock.now() + waitMs());
      nextAtMs = Number.POSITIVE_INFINITY;
      wake(dueAtMs);
    });
  };

  function wake(atMs: number): void {
    if (!isRunning) return;
    const nowMs = clock.now();
    if (polling !== undefined) nextAtMs = Math.min(nextAtMs, atMs);
    else if (atMs <= nowMs) run();
    // Most wakes are for what is looked for soon anyway.
    else if (atMs < nextAtMs) {
      clock.clearTimeout(timer);
      nextAtMs = atMs;
      timer = clock.setTimeout(run, nextAtMs - nowMs);
    }
  }

  const whenIdle = async (): Promise<void> => {
    while (polling !== undefined) await polling;
  };

  return {
    wake,
    whenIdle,
    start() {
      isRunning = !isStopped;
      wake(clock.now() + everyMs);
    },
    async stop() {
      [isRunning, isStopped] = [false, true];
      clock.clearTimeout(timer);
      await whenIdle();
    },
  };
}
