import { type Clock, isHiloError } from '@hilo/engine/contract';
import type { Logger } from '../platform/logging/logger.ts';
import type { LaneColumns } from './outbox-sql.ts';
import type { Next, Turn } from './turns.ts';

/** Asks the store until it answers: what came of a message is known here alone, and whoever does not know sends it again (P3). */
export type Insist = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;

interface LaneWork {
  readonly clock: Clock;
  readonly log: Logger;
  next(lane: LaneColumns): Promise<Next>;
  /** Delivers a message and says what came of it. */
  perform(turn: Turn, insist: Insist): Promise<void>;
  /** Told when somebody else may have settled messages of the lane. */
  look(lane: LaneColumns): Promise<void>;
}

/** Works through lanes: each on its own, one message after the other. */
export interface Lanes {
  /** There is something to do in this lane. */
  wake(lane: LaneColumns): void;
  /** Begins no further message; resolves when those at hand are done with. */
  stop(): Promise<void>;
}

/** One text for each lane. */
export const laneName = ({ companyId, botId, userKey }: LaneColumns): string => JSON.stringify([companyId, botId, userKey]);

/** How long another process's message is waited for before one looks again, and the store, when it takes nothing. */
const lookAgainMs = 1_000;

export function createLanes({ clock, log, next, perform, look }: LaneWork): Lanes {
  const working = new Map<string, { isWoken: boolean; readonly work: Promise<void> }>();
  const pauses = new Set<() => void>();
  let isStopped = false;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clock.clearTimeout(timer);
        pauses.delete(end);
        resolve();
      };
      const timer = clock.setTimeout(end, ms);
      pauses.add(end);
    });

  const insist: Insist = async (ask) => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (isStopped || !isHiloError(error, 'STORE_UNAVAILABLE')) throw error;
        log.warn({ error: String(error) }, 'The store does not answer for a message that is at hand; the next try is in a second');
        await pause(lookAgainMs);
      }
    }
  };

  const workThrough = async (lane: LaneColumns): Promise<void> => {
    while (!isStopped) {
      try {
        const found = await next(lane);
        if (found.kind === 'turn') await perform(found.turn, insist);
        else await look(lane);
        if (found.kind === 'empty') return;
        if (found.kind === 'later') await pause(Math.min(Math.max(1, found.dueAtMs - clock.now()), lookAgainMs));
      } catch (error) {
        // Nothing is lost: the message stands in the outbox until somebody can say what came of it.
        if (isStopped) return;
        log.warn({ error: String(error) }, 'A message could not be taken from the outbox; the next try is in a second');
        await pause(lookAgainMs);
      }
    }
  };

  const wake = (lane: LaneColumns): void => {
    if (isStopped) return;
    const name = laneName(lane);
    const known = working.get(name);
    if (known !== undefined) known.isWoken = true;
    else {
      const work = workThrough(lane).then(() => {
        const wasWoken = working.get(name)?.isWoken === true;
        working.delete(name);
        if (wasWoken) wake(lane);
      });
      working.set(name, { isWoken: false, work });
    }
  };

  return {
    wake,
    async stop() {
      isStopped = true;
      for (const end of pauses) end();
      await Promise.all([...working.values()].map(({ work }) => work));
    },
  };
}
