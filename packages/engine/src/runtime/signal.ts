import { HiloError } from '../contract/errors.ts';
import type { Json } from '../contract/json.ts';
import { seenForMs } from '../lane/step.ts';
import { measure } from '../variables/measure.ts';
import { answerWait, findWaits, type KnownWait } from './answer-wait.ts';
import type { EngineContext } from './context.ts';
import { deliverHeldSignals, holdSignal } from './held-signals.ts';
import { effectKey, idempotencyKey } from '../machine/deterministic-ids.ts';

/** An answer to open waits with a name and a correlation value. */
export interface Signal {
  readonly companyId: string;
  /** The kind of waits; `wait-event` when left out. `handoff` and `payment` are for the services that run these. */
  readonly kind?: 'event' | 'handoff' | 'payment';
  /** The event's name; of the other kinds, the kind itself. */
  readonly name: string;
  /** Must equal the wait's own value; empty text where the wait names none. */
  readonly correlation: string;
  /** Of this execution's wait alone; of all that fit, when left out. */
  readonly executionId?: string;
  /** At most 64 KB of JSON: it becomes the value of a variable. */
  readonly payload: Json;
  /**
   * How long it is held where nothing waits for it, for the first wait that fits, in milliseconds: at most 30 days, and not at all when
   * left out. Only of kind `event`.
   */
  readonly ttlMs?: number;
  /** The same key within eight days gives the same answer, and has no second consequence (P10). */
  readonly idempotencyKey?: string;
}

/** What became of a signal. */
export interface SignalOutcome {
  /** The executions that it resumed. */
  readonly executionIds: readonly string[];
  /** Until when it is held, in milliseconds since the Unix epoch, where it resumed none. */
  readonly heldUntilMs?: number;
}

/**
 * Resumes every execution that waits for this signal now. Durable when the promise resolves. With an idempotency key, the
 * list of waits is stored first: a repetition after a crash in between answers the rest of them, and no wait that was opened since.
 *
 * @returns the executions that it resumed; not those whose wait was answered by something else first
 * @throws {HiloError} `INVALID_REQUEST` for a payload over its limits; `STORE_UNAVAILABLE`: some may have continued
 */
export async function sendSignal(context: EngineContext, signal: Signal): Promise<SignalOutcome> {
  const size = measure(signal.payload);
  if (size.kind === 'refused') throw new HiloError('INVALID_REQUEST', { reason: `The payload of the signal is refused: ${size.reason}` });
  const key = keyOf(signal);
  const waits = key === undefined ? await findWaits(context, signal) : await storeWaitsOnce(context, signal, key);
  const { companyId, payload } = signal;
  const answered = await Promise.all(
    waits.map(async ({ executionId, lane, waitId }) => {
      await context.turns.take(companyId);
      return answerWait(context, lane, {
        companyId,
        executionId,
        waitId,
        payload,
        keys: key === undefined ? [] : [answerKey(key, executionId)],
      });
    }),
  );
  const executionIds = waits.flatMap(({ executionId }, index) => (answered[index] === true ? [executionId] : []));
  const { ttlMs = 0, kind = 'event', name, correlation } = signal;
  if (executionIds.length > 0 || ttlMs === 0 || kind !== 'event') return { executionIds };
  const topic = { companyId, name, correlation };
  const heldUntilMs = await holdSignal(context, { ...topic, payload, ttlMs, key: key === undefined ? undefined : `${key}:held` });
  const since = await deliverHeldSignals(context, topic);
  return since.length > 0 ? { executionIds: since } : { executionIds, heldUntilMs };
}

type Keyed = Pick<Signal, 'companyId' | 'name' | 'idempotencyKey'>;
const keyOf = ({ companyId, name, idempotencyKey: given }: Keyed): string | undefined =>
  given === undefined ? undefined : `${companyId}:signal:${name}:${given}`;
const answerKey = (key: string, executionId: string): string => `${key}:${executionId}`;

/** Whether a signal with this key has answered a wait of the execution before. */
export async function wasAnswered({ store }: EngineContext, signal: Keyed, executionId: string): Promise<boolean> {
  const key = keyOf(signal);
  return key !== undefined && (await store.seenAnswer([answerKey(key, executionId)])) !== undefined;
}

/** The waits of the first signal with this key: found and stored once, then read. */
async function storeWaitsOnce(context: EngineContext, signal: Signal, key: string): Promise<readonly KnownWait[]> {
  const known = await context.store.seenAnswer([key]);
  if (known !== undefined) return known.answer as unknown as readonly KnownWait[];
  const waits = (await findWaits(context, signal)).map((wait) => ({ ...wait }));
  const seen = { keys: [key], untilMs: context.clock.now() + seenForMs, answer: waits };
  const committed = await context.store.commit({ saves: [], history: [], contacts: [], enqueue: [], dequeue: [], seen });
  return committed.kind === 'duplicate' ? (committed.answer as unknown as readonly KnownWait[]) : waits;
}

/** A message that its provider took, and refused later since the user's 24-hour window is closed (WIN-02). */
export interface LateRefusal {
  readonly companyId: string;
  readonly executionId: string;
  /** The key of the effect that sent the message. */
  readonly idempotencyKey: string;
}

/**
 * The outcome of a late refusal. `left`: the execution waited for the reply to that message, and left by `windowClosed`; `underWay`: the
 * sending of the message is not recorded yet, so that the call may be repeated; `passed`: the execution no longer waits for that reply.
 */
export type LateRefusalOutcome = 'left' | 'underWay' | 'passed';

/**
 * Resumes by the port `windowClosed` an execution that waits for the reply to a message that was not delivered. A wait is answered once: a
 * reply or a timer that came first wins (P7).
 *
 * @throws {HiloError} `STORE_UNAVAILABLE`
 */
export async function refuseLate(
  context: EngineContext,
  { companyId, executionId, idempotencyKey: sent }: LateRefusal,
): Promise<LateRefusalOutcome> {
  const record = await context.store.load(companyId, executionId);
  if (record === undefined) return 'passed';
  const { pending, visit, wait } = record.state;
  const isSent = (key: string): boolean => idempotencyKey(companyId, key, context.digest) === sent;
  if (pending !== undefined && isSent(pending.key)) return 'underWay';
  if (wait?.kind !== 'reply' || visit === undefined) return 'passed';
  if (!isSent(effectKey(executionId, visit.nodeId, visit.number, visit.results.length - 1))) return 'passed';
  const signal = { companyId, executionId, waitId: wait.id, payload: { cause: 'WINDOW_CLOSED' }, keys: [] };
  return (await answerWait(context, record.lane, signal)) ? 'left' : 'passed';
}
