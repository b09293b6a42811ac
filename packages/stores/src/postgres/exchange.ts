import type { Json, LeaseListener } from '@hilo/engine/contract';
import type { Pool } from 'pg';
import { partitionOf } from '../sharing.ts';
import { storeUnavailable } from '../store-error.ts';
import { decodeText, encodeText } from '../text-encoding.ts';
import { batchLoader } from './gathered-reads.ts';
import type { MemberQuestions } from './member-questions.ts';
import type { Membership } from './membership.ts';
import { retry } from './postgres-fault.ts';

/** What the exchange between members works with. */
interface ExchangeParts {
  readonly pool: Pool;
  readonly questions: MemberQuestions;
  readonly membership: Pick<Membership, 'me'>;
  readonly listener: () => LeaseListener | undefined;
  readonly isOurs: (lane: string) => boolean;
}

/** Calls that processes post to each other in the database: slower than over the network, but always available. */
export interface CallBox {
  /** Posts a call. @returns the answer @throws {StoreUnavailable} when none came in time: it may still be processed */
  post(lane: string, call: Json): Promise<Json>;
  /** Processes calls that were posted to this process. */
  look(): Promise<void>;
  /** Fetches answers. */
  collect(): void;
}

/** How long to wait for an answer: longer than it takes to declare a process dead. */
const answerMs = 20_000;
/** How often it is looked for, where no notice comes. */
const lookMs = 500;

export function createCallBox({
  pool,
  questions,
  membership,
  listener,
  isOurs,
  channel,
}: ExchangeParts & { readonly channel: string }): CallBox {
  const waiting = new Map<number, (answer: Json) => void>();
  /** Calls in progress. */
  const taken = new Set<number>();
  let looking: NodeJS.Timeout | undefined;

  const notify = (notice: string): void => void pool.query('select pg_notify($1, $2)', [channel, notice]).catch(() => undefined);

  const take = async ({ id, lane: column, call }: OpenCall): Promise<void> => {
    const [current, me, lane] = [listener(), membership.me(), decodeText(column)];
    if (taken.has(id) || current === undefined || !isOurs(lane)) return;
    taken.add(id);
    try {
      const answer = await current.onCall(lane, JSON.parse(call) as Json);
      if (answer === undefined) return; // the next owner of the lane takes it
      await retry(() => pool.query(questions.answer, [me, id, JSON.stringify(answer)]));
      notify(`answered ${id}`);
    } catch {
      // It is taken again at the next look, and still has one consequence.
    } finally {
      taken.delete(id);
    }
  };

  const look = async (): Promise<void> => {
    const me = membership.me();
    if (me === 0) return;
    const { rows } = await pool.query<OpenCall>(questions.open, [me]);
    for (const row of rows) void take(row);
  };

  const collect = async (): Promise<void> => {
    if (waiting.size === 0) return;
    const { rows } = await pool.query<{ readonly id: number; readonly answer: string }>(questions.answered, [[...waiting.keys()]]);
    for (const { id, answer } of rows) waiting.get(id)?.(JSON.parse(answer) as Json);
  };

  /** Polls for answers while any is awaited. */
  const keepLooking = (): void => {
    looking ??= setTimeout(() => {
      looking = undefined;
      collect().catch(() => undefined);
      if (waiting.size > 0) keepLooking();
    }, lookMs);
  };

  const forget = (id: number): void => void pool.query(questions.forget, [[id]]).catch(() => undefined); // forgotten later

  return {
    async post(lane, call) {
      const column = encodeText(lane);
      const { rows } = await retry(() =>
        pool.query<{ readonly id: number }>(questions.post, [partitionOf(column), column, JSON.stringify(call)]),
      );
      const id = rows[0]?.id ?? 0;
      const { promise, resolve, reject } = Promise.withResolvers<Json>();
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(storeUnavailable('no process that has the lane answered in time: it may still be done'));
      }, answerMs);
      waiting.set(id, (answer) => {
        waiting.delete(id);
        clearTimeout(timer);
        forget(id);
        resolve(answer);
      });
      notify('call');
      keepLooking();
      return promise;
    },
    look,
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
  tell(lanes: readonly string[]): void;
  /** @param column - the lane as a column holds it */
  hear(column: string): void;
  /** Polls for overdue items without a notice. */
  look(): Promise<void>;
}

/** @param overdueMs - the age of accepted items whose notice may have been lost */
export function createQueuedNotices({ pool, questions, membership, listener, isOurs }: ExchangeParts, overdueMs: number): QueuedNotices {
  /** Items that were found overdue before, and reported. */
  let known: ReadonlySet<number> = new Set();

  const tellTogether = batchLoader(async (lanes: readonly string[]) => {
    await pool.query(questions.tellQueued, [JSON.stringify(lanes.map(encodeText))]);
    return lanes.map(() => undefined);
  });

  const hear = (lane: string): void => {
    if (isOurs(lane)) listener()?.onQueued(lane);
  };

  return {
    tell(lanes) {
      for (const lane of lanes) tellTogether(lane).catch(() => undefined); // its process looks for itself
    },
    hear: (column) => hear(decodeText(column)),
    async look() {
      const me = membership.me();
      if (me === 0) return;
      const { rows } = await pool.query<{ readonly seq: number; readonly lane: string }>(questions.overdue, [me, overdueMs]);
      for (const { seq, lane } of rows) if (!known.has(seq)) hear(decodeText(lane));
      known = new Set(rows.map(({ seq }) => seq));
    },
  };
}
