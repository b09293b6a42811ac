// What members of a shared store tell each other through the database: calls with their answers, and what waits in whose lanes.
import { batchLoader, type Json, type LeaseListener } from '@hilo/engine/contract';
import type { Pool } from 'pg';
import { decodeText, encodeText, storeUnavailable } from '@hilo/stores';
import { partitionOf } from '@hilo/stores/sql-kit';
import type { MemberQueries } from './member-queries.ts';
import type { Membership } from './membership.ts';
import { retry } from './postgres-fault.ts';

/** What the exchange between members works with. */
interface ExchangeParts {
  readonly pool: Pool;
  readonly queries: MemberQueries;
  readonly membership: Pick<Membership, 'me'>;
  readonly listener: () => LeaseListener | undefined;
  readonly isOurs: (lane: string) => boolean;
}

/** Calls that processes post to each other in the database: slower than over the network, but always available. */
export interface CallBox {
  /** Posts a call. @returns the answer @throws {StoreUnavailable} when none came in time: it may still be processed */
  post(lane: string, call: Json): Promise<Json>;
  /** Processes calls that were posted to this process. */
  poll(): Promise<void>;
  /** Fetches answers. */
  collect(): void;
}

/** How long to wait for an answer: longer than it takes to declare a process dead. */
const answerMs = 20_000;
/** How often answers are polled for, where no notice comes. */
const pollMs = 500;

export function createCallBox(parts: ExchangeParts & { readonly channel: string }): CallBox {
  const { pool, queries, membership, listener, isOurs, channel } = parts;
  const waiting = new Map<number, { readonly part: number; readonly answer: (answer: Json) => void }>();
  /** Calls in progress. */
  const taken = new Set<number>();
  let polling: NodeJS.Timeout | undefined;

  const notify = (notice: string): void => void pool.query('select pg_notify($1, $2)', [channel, notice]).catch(() => undefined);

  const take = async ({ id, lane: column, call }: OpenCall): Promise<void> => {
    const [current, me, lane] = [listener(), membership.me(), decodeText(column)];
    if (taken.has(id) || current === undefined || !isOurs(lane)) return;
    taken.add(id);
    try {
      const answer = await current.onCall(lane, JSON.parse(call) as Json);
      if (answer === undefined) return; // the next owner of the lane takes it
      await retry(() => pool.query(queries.answer, [me, partitionOf(column), id, JSON.stringify(answer)]));
      notify(`answered ${id}`);
    } catch {
      // The next poll takes it again; its consequences still happen once.
    } finally {
      taken.delete(id);
    }
  };

  const poll = async (): Promise<void> => {
    const me = membership.me();
    if (me === 0) return;
    const { rows } = await pool.query<OpenCall>(queries.open, [me]);
    for (const row of rows) void take(row);
  };

  const collect = async (): Promise<void> => {
    if (waiting.size === 0) return;
    const parts = [...waiting.values()].map(({ part }) => part);
    const { rows } = await pool.query<{ readonly id: number; readonly answer: string }>(queries.answered, [parts, [...waiting.keys()]]);
    for (const { id, answer } of rows) waiting.get(id)?.answer(JSON.parse(answer) as Json);
  };

  /** Polls for answers while any is awaited. */
  const pollForAnswers = (): void => {
    polling ??= setTimeout(() => {
      polling = undefined;
      collect().catch(() => undefined);
      if (waiting.size > 0) pollForAnswers();
    }, pollMs);
  };

  const forget = (part: number, id: number): void => void pool.query(queries.forget, [part, id]).catch(() => undefined); // a later call removes it

  return {
    async post(lane, call) {
      const column = encodeText(lane);
      const part = partitionOf(column);
      const { rows } = await retry(() => pool.query<{ readonly id: number }>(queries.post, [part, column, JSON.stringify(call)]));
      const id = rows[0]?.id ?? 0;
      const { promise, resolve, reject } = Promise.withResolvers<Json>();
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(storeUnavailable('no process that has the lane answered in time: it may still be done'));
      }, answerMs);
      waiting.set(id, {
        part,
        answer: (answer) => {
          waiting.delete(id);
          clearTimeout(timer);
          forget(part, id);
          resolve(answer);
        },
      });
      notify('call');
      pollForAnswers();
      return promise;
    },
    poll,
    collect: () => void collect().catch(() => undefined),
  };
}

interface OpenCall {
  readonly id: number;
  readonly lane: string;
  readonly call: string;
}

/** Notifications between processes about items accepted for a lane. Items whose notice was lost are found by polling. */
export interface QueuedNotices {
  /** Notifies the owners of these lanes. */
  send(lanes: readonly string[]): void;
  /** Passes a notice on to the listener. @param column - the lane as a column holds it */
  receive(column: string): void;
  /** Polls for overdue items without a notice. */
  poll(): Promise<void>;
}

/** @param overdueMs - the age of accepted items whose notice may have been lost */
export function createQueuedNotices({ pool, queries, membership, listener, isOurs }: ExchangeParts, overdueMs: number): QueuedNotices {
  /** Items that were found overdue before, and reported. */
  let known: ReadonlySet<number> = new Set();

  const notifyTogether = batchLoader(async (lanes: readonly string[]) => {
    await pool.query(queries.notifyQueued, [JSON.stringify(lanes.map(encodeText))]);
    return lanes.map(() => undefined);
  });

  const receive = (lane: string): void => {
    if (isOurs(lane)) listener()?.onQueued(lane);
  };

  return {
    send(lanes) {
      for (const lane of lanes) notifyTogether(lane).catch(() => undefined); // its process finds the item when it polls
    },
    receive: (column) => receive(decodeText(column)),
    async poll() {
      const me = membership.me();
      if (me === 0) return;
      const { rows } = await pool.query<{ readonly seq: number; readonly lane: string }>(queries.overdue, [me, overdueMs]);
      for (const { seq, lane } of rows) if (!known.has(seq)) receive(decodeText(lane));
      known = new Set(rows.map(({ seq }) => seq));
    },
  };
}
