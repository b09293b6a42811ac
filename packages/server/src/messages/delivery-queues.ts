import { type Clock, isHiloError, type JsonObject } from '@hilo/engine/contract';
import { asCondition, type Runner } from '@hilo/stores';
import type { Logger } from '../platform/logging/logger.ts';
import { pause } from '../platform/waiting.ts';
import { claimFirst, firstDue, renewClaim, claimedMessage } from './outbox-sql.ts';
import { type Lane, nameLane } from '../platform/database/lanes.ts';

/** Repeats a call until the store is available: only this process knows a message's outcome; if lost, the message is sent again (P3). */
export type Retry = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;

interface LaneWork {
  readonly clock: Clock;
  readonly log: Logger;
  next(lane: Lane): Promise<Next>;
  /** Delivers a message and records its outcome. */
  perform(turn: Turn, retry: Retry): Promise<void>;
  /** Ends the waits for messages of the lane that another process has settled. Called when there may be some. */
  resolveSettled(lane: Lane): Promise<void>;
}

/** Works through lanes: each on its own, one message after the other. */
export interface Lanes {
  /** There is something to do in this lane. */
  wake(lane: Lane): void;
  /** Begins no further message; resolves when those at hand are done with. */
  stop(): Promise<void>;
}

/** The pause before a lane is read again: after an error of the store, or while another process holds its first message. */
const retryMs = 1_000;

/** Works through lanes by {@link LaneWork}; nothing is done before the first `wake`. */
export function createLanes({ clock, log, next, perform, resolveSettled }: LaneWork): Lanes {
  const working = new Map<string, { isWoken: boolean; readonly work: Promise<void> }>();
  const stopping = new AbortController();
  const { signal } = stopping;

  const retry: Retry = async (ask) => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (signal.aborted || !isHiloError(error, 'STORE_UNAVAILABLE')) throw error;
        log.warn({ error: String(error) }, 'The store does not answer for a message that is at hand; the next try is in a second');
        await pause(clock, retryMs, signal);
      }
    }
  };

  const workThrough = async (lane: Lane): Promise<void> => {
    while (!signal.aborted) {
      try {
        const found = await next(lane);
        if (found.kind === 'turn') await perform(found.turn, retry);
        else await resolveSettled(lane);
        if (found.kind === 'empty') return;
        if (found.kind === 'later') await pause(clock, Math.min(Math.max(1, found.dueAtMs - clock.now()), retryMs), signal);
      } catch (error) {
        // Nothing is lost: the message stays in the outbox until its outcome is known.
        if (signal.aborted) return;
        log.warn({ error: String(error) }, 'A message could not be taken from the outbox; the next try is in a second');
        await pause(clock, retryMs, signal);
      }
    }
  };

  const wake = (lane: Lane): void => {
    if (signal.aborted) return;
    const name = nameLane(lane);
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
      stopping.abort();
      await Promise.all([...working.values()].map(({ work }) => work));
    },
  };
}

/** A message whose turn it is. */
export interface Turn {
  /** Of its row in the outbox. */
  readonly id: number;
  readonly lane: Lane;
  readonly messageId: string;
  readonly idempotencyKey: string;
  readonly userId: string;
  readonly message: JsonObject;
  /** Null where no workflow sent it. */
  readonly executionId: string | null;
  readonly nodeId: string | null;
  /** This one counted. */
  readonly attempts: number;
  /** Whether a process had it at hand and ended before it could say what came of it: perhaps it was sent (P5). */
  readonly wasInterrupted: boolean;
}

/** The next item of a lane: a message, a message that another process holds or that is paused, or nothing. */
export type Next =
  | { readonly kind: 'turn'; readonly turn: Turn }
  | { readonly kind: 'later'; readonly dueAtMs: number }
  | { readonly kind: 'empty' };

/** Takes the next message of a lane for this process. */
export async function takeNext(runner: Runner, lane: Lane, me: string, clock: Pick<Clock, 'now'>): Promise<Next> {
  const nowMs = clock.now();
  const claiming = asCondition(claimFirst({ ...lane, me, nowMs, untilMs: nowMs + claimMs }));
  const reading = claimedMessage({ ...lane, me });
  const { rowsOf } = await runner.write([claiming, reading]);
  const [claimed] = rowsOf(claiming);
  if (claimed === undefined) {
    const first = await runner.readOne(firstDue(lane));
    if (first === undefined) return { kind: 'empty' };
    // Takes a message that arrived, or became free, between the two queries.
    return first.dueAtMs <= nowMs ? takeNext(runner, lane, me, clock) : { kind: 'later', dueAtMs: first.dueAtMs };
  }
  const { id, attempts, idempotencyKey, wasInterrupted } = claimed;
  const [row] = rowsOf(reading);
  if (row === undefined) throw new Error(`Message ${idempotencyKey} is in the outbox and nowhere else`);
  return {
    kind: 'turn',
    turn: {
      ...row,
      id,
      lane,
      attempts,
      wasInterrupted: wasInterrupted !== 0,
      idempotencyKey,
      executionId: row.executionId ?? null,
      nodeId: row.nodeId ?? null,
    },
  };
}

/**
 * How long a claim holds without renewal. After that another process takes the message over; the dead process may have sent it, so
 * the retry uses the same key (P5).
 */
const claimMs = 20_000;

/** The claims on the messages that this process is sending, renewed while it runs and reaches the store. */
export interface Claims {
  /** Holds the claim on a row of the outbox while something is done with it. */
  during<Done>(id: number, work: () => Promise<Done>): Promise<Done>;
  /** Lets them hold from now on; to be called well within the time that a claim holds. */
  renew(): Promise<void>;
}

/** @param me - who holds these claims */
export function createClaims(runner: Runner, me: string, clock: Pick<Clock, 'now'>): Claims {
  const held = new Set<number>();

  return {
    async during(id, work) {
      held.add(id);
      try {
        return await work();
      } finally {
        held.delete(id);
      }
    },
    async renew() {
      if (held.size === 0) return;
      const untilMs = clock.now() + claimMs;
      const claims = [...held].map((id) => renewClaim({ id, me, untilMs }));
      await runner.write(claims);
    },
  };
}
