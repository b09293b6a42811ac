// How fast a job acts: at its rate, a few at once, and only while the engine has room for others.
import type { Clock } from '@hilo/engine/contract';
import { pause } from '../waiting.ts';

/** What a pace depends on. */
interface PaceParts {
  readonly clock: Clock;
  /** Whether the engine is busy with what users do: then the job waits. */
  readonly isBusy: () => boolean;
}

/**
 * So many acts are under way at once: they share commits of the store, two of PostgreSQL's groups, so that it writes one while the next is
 * decided. The rest of the engine has the others.
 */
const atOnce = 128;
/** An act may begin so much before its time: timers are no finer. */
const slackMs = 10;
/** How long a job waits before it looks again whether the engine has room. */
const busyPauseMs = 50;

/**
 * Takes the next place in a pace, when it is free.
 *
 * @param rate - acts a second
 * @throws the reason of the signal, once it is aborted
 */
export type Pacer = (rate: number, signal: AbortSignal) => Promise<void>;

/** Makes the pace of one job, over all its pages. */
export function createPacer({ clock, isBusy }: PaceParts): Pacer {
  let freeAtMs = clock.now();
  return async (rate, signal) => {
    signal.throwIfAborted();
    const nowMs = clock.now();
    const atMs = Math.max(freeAtMs, nowMs - slackMs);
    freeAtMs = atMs + 1_000 / rate;
    if (atMs - nowMs > slackMs) await pause(clock, Math.ceil(atMs - nowMs), signal);
    while (isBusy() && !signal.aborted) await pause(clock, busyPauseMs, signal);
    signal.throwIfAborted();
  };
}

/** Acts on things in order, a few at once. When one act fails, no further one begins; resolves or rejects once all that began have ended. */
export async function eachPaced<Item>(
  items: readonly Item[],
  take: () => Promise<void>,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  let isOver = false;
  const worker = async (): Promise<void> => {
    for (const item of left) {
      if (isOver) return;
      await take();
      await act(item);
    }
  };
  const guarded = async (): Promise<void> => {
    try {
      await worker();
    } catch (error) {
      isOver = true;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, guarded));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
