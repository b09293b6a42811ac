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
/** So many while somebody else is served: whoever comes waits for the commits of those before, and for no more than these. */
const atOnceBesideOthers = 32;
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

/** What acts on many things depend on. */
interface ActParts {
  /** Resolves when the next act may begin. */
  readonly take: () => Promise<void>;
  /** How many turns of lanes are at work in the engine. */
  readonly atWork: () => number;
}

/**
 * Acts on things in order, many at once, and few while others are served. When one act fails, no further one begins; resolves or rejects once
 * all that began have ended.
 */
export async function eachPaced<Item>(
  items: readonly Item[],
  { take, atWork }: ActParts,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const failures: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  let underWay = 0;
  let acting = 0; // those under way that do not wait for their pace
  const perform = async (item: Item): Promise<void> => {
    try {
      await take();
      if (failures.length === 0) {
        acting += 1;
        await act(item).finally(() => (acting -= 1));
      }
    } catch (error) {
      failures.push(error);
    }
    underWay -= 1;
    beginMore();
  };
  const beginMore = (): void => {
    while (failures.length === 0 && underWay < (atWork() > acting ? atOnceBesideOthers : atOnce)) {
      const { value, done } = left.next();
      if (done === true) break;
      underWay += 1;
      void perform(value);
    }
    if (underWay === 0) resolve();
  };
  beginMore();
  await promise;
  if (failures.length > 0) throw failures[0];
}
