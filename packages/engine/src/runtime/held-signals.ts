// Signals that are held until something waits for them.
import { HiloError } from '../contract/errors.ts';
import type { Json } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { HeldSignal } from '../contract/store.ts';
import { seenForMs } from '../lane/step.ts';
import { executionOfKey } from '../machine/deterministic-ids.ts';
import { randomHex } from '../machine/new-execution.ts';
import type { EngineContext, Topic } from './context.ts';
import { retryWhileUnavailable } from './retry.ts';
import { answerWait, findWaits, type KnownWait } from './answer-wait.ts';

/** A signal that is to be held. */
interface Holding extends Topic {
  readonly payload: Json;
  readonly ttlMs: number;
  /** A repetition with the same key is the same signal. */
  readonly key: string | undefined;
}

/**
 * Holds a signal that nothing waits for, for the first wait that fits (P1). A wait may have been opened since it was looked for: after
 * this, waits are looked for again, as held signals are after each wait that opens, so that the later of the two finds the earlier.
 *
 * @returns until when it is held, in milliseconds since the Unix epoch
 * @throws {HiloError} `INVALID_REQUEST` for a longer time than signals are held, or a store that holds none; `TOO_MANY_SIGNALS`
 */
export async function holdSignal(context: EngineContext, { ttlMs, key, ...topic }: Holding): Promise<number> {
  const { store, clock, random } = context;
  if (store.heldSignals === undefined)
    throw new HiloError('INVALID_REQUEST', { reason: 'The store of this engine holds no signals: leave out "ttl"' });
  if (!(ttlMs > 0 && ttlMs <= limits.heldSignals.longestMs))
    throw new HiloError('INVALID_REQUEST', { reason: `A signal is held for ${limits.heldSignals.longestMs / 86_400_000} days at most` });
  const nowMs = clock.now();
  const known = key === undefined ? undefined : await store.seenAnswer([key]);
  if (known === undefined && ((await store.countHeldSignals?.(topic.companyId, nowMs)) ?? 0) >= limits.heldSignals.count)
    throw new HiloError('TOO_MANY_SIGNALS', { most: limits.heldSignals.count });
  const untilMs = nowMs + ttlMs;
  const hold = [{ ...topic, id: randomHex(random, 16), heldAtMs: nowMs, untilMs }];
  const seen = key === undefined ? undefined : { keys: [key], untilMs: nowMs + seenForMs, answer: untilMs };
  const committed = await store.commit({ saves: [], history: [], contacts: [], enqueue: [], dequeue: [], hold, ...(seen && { seen }) });
  return committed.kind === 'duplicate' && typeof committed.answer === 'number' ? committed.answer : untilMs;
}

/**
 * Gives held signals of a topic to the waits for them, the oldest to the first, one each (P7). Which wait a signal is for is stored before
 * it is answered, so that another process, or the next, gives it to no second one.
 *
 * @returns the executions that continued
 */
export async function deliverHeldSignals(context: EngineContext, topic: Topic): Promise<readonly string[]> {
  const { store, clock } = context;
  const executionIds: string[] = [];
  for (const held of (await store.heldSignals?.(topic.companyId, topic.name, topic.correlation)) ?? []) {
    const delivered = held.untilMs <= clock.now() ? 'expired' : await deliver(context, held);
    if (delivered === undefined) return executionIds; // nothing waits for it yet, nor for the ones behind it
    await store.dropHeldSignal?.(held.companyId, held.id);
    if (delivered !== 'expired') executionIds.push(delivered);
  }
  return executionIds;
}

/** @returns the execution that it was given to, now or before; nothing when none waits for it */
async function deliver(context: EngineContext, held: HeldSignal): Promise<string | undefined> {
  const { companyId, id, payload } = held;
  const key = `${companyId}:held:${id}`;
  const from = executionOfKey(id); // a node's signal is held by the key of its effect
  for (let choice = 1; ; choice += 1) {
    const wait = await chooseWait(context, held, `${key}:${choice}`);
    if (wait === undefined) return undefined;
    const { executionId, lane, waitId } = wait;
    const signal = { companyId, executionId, waitId, payload, keys: [`${key}:given`], from };
    if (await answerWait(context, lane, signal)) return executionId;
    // Something else answered this wait first: the next is chosen.
  }
}

/** The wait that a signal is for, by the number of the choice: chosen and stored once, then read. */
async function chooseWait(context: EngineContext, held: HeldSignal, key: string): Promise<KnownWait | undefined> {
  const chosen = await context.store.seenAnswer([key]);
  if (chosen !== undefined) return chosen.answer as unknown as KnownWait;
  const [first] = await findWaits(context, held);
  if (first === undefined) return undefined;
  const seen = { keys: [key], untilMs: Math.max(held.untilMs, context.clock.now()) + seenForMs, answer: { ...first } };
  const committed = await context.store.commit({ saves: [], history: [], contacts: [], enqueue: [], dequeue: [], seen });
  return committed.kind === 'duplicate' ? (committed.answer as unknown as KnownWait) : first;
}

/** Delivers in the background, one after the other for each topic, and again while the store is unavailable. */
export function createDeliveries(context: () => EngineContext): (topic: Topic) => void {
  const last = new Map<string, Promise<unknown>>();
  return (topic) => {
    const engine = context();
    if (engine.store.heldSignals === undefined) return;
    const name = JSON.stringify([topic.companyId, topic.name, topic.correlation]);
    const doing = `delivering held signals "${topic.name}" of company "${topic.companyId}"`;
    const delivering = (last.get(name) ?? Promise.resolve())
      .then(() => retryWhileUnavailable(engine, doing, () => deliverHeldSignals(engine, topic)))
      .catch((error: unknown) => engine.events.emit('engine.fault', { error, while: doing }))
      .finally(() => {
        if (last.get(name) === delivering) last.delete(name);
      });
    last.set(name, delivering);
  };
}

/** Delivers what a process that died may have left between a wait and a signal for it. */
export async function recoverHeldSignals(context: EngineContext): Promise<void> {
  for (const topic of (await context.store.awaitedSignals?.()) ?? []) {
    await context.turns.take(topic.companyId);
    context.deliverHeld(topic);
  }
}
