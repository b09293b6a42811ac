import type { Json } from '@hilo/engine/contract';
import { partitionOf } from '../partition.ts';
import { storeUnavailable } from '../store-error.ts';
import { decodeText, encodeText } from '../text-encoding.ts';
import type { ExchangeParts } from './membership.ts';
import { retry } from './retry.ts';

/** Calls that processes post to each other in the database: slower than over the network, but always available. */
export interface CallBox {
  /** Posts a call. @returns the answer @throws {StoreUnavailable} when none came in time: it may still be processed */
  post(lane: string, call: Json): Promise<Json>;
  /** Processes calls that were posted to this process. */
  look(): Promise<void>;
  /** Fetches answers. */
  collect(): void;
}

interface CallBoxParts extends ExchangeParts {
  readonly channel: string;
}

/** How long to wait for an answer: longer than it takes to declare a process dead. */
const answerMs = 20_000;
/** How often it is looked for, where no notice comes. */
const lookMs = 500;

export function createCallBox({ pool, questions, membership, listener, isOurs, channel }: CallBoxParts): CallBox {
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
