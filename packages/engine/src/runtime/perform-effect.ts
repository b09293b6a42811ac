// Performs effects by their drivers, and records what came of them.
import type { Digest } from '../contract/clock.ts';
import type { AbortSignal, DriverContext } from '../contract/driver.ts';
import type { EffectDefinition } from '../contract/effect.ts';
import { describeThrown } from '../contract/errors.ts';
import type { Contact, EffectCall, PendingEffect, Settled } from '../contract/execution.ts';
import type { Json } from '../contract/json.ts';
import type { Awaitable, ExecutionRecord } from '../contract/store.ts';
import { findHolding } from '../lane/lane.ts';
import { createEffectCall } from '../machine/decide.ts';
import { idempotencyKey } from '../machine/deterministic-ids.ts';
import { measure, notJson } from '../variables/measure.ts';
import { andThen, rescue, retryWhileUnavailable } from './retry.ts';
import type { EngineContext } from './context.ts';
import { respondTo } from './await-finish.ts';

/** The user of an effect as read just now; `undefined` inside it when there is none. */
export interface KnownContact {
  readonly contact: Contact | undefined;
}

/**
 * Blocks the lane and performs the effect whose intent is committed. The result of a driver that answers synchronously is recorded in
 * the same turn; while waiting for any other, the lane does other work.
 *
 * @param recordAnswer - commits the result; runs in the lane, before its queue. `known` when the driver answered synchronously, so that
 *   the user need not be read again
 */
export function performEffect(
  context: EngineContext,
  record: ExecutionRecord,
  pending: PendingEffect,
  recordAnswer: (settled: Settled, known: KnownContact | undefined) => Awaitable<void>,
): void {
  const { executionId, lane } = record;
  const { lanes } = context;
  const call = createEffectCall(record, pending);
  let isWanted = true;
  let abort: (() => void) | undefined;
  lanes.block(lane, executionId, {
    untilMs: pending.hold?.untilMs ?? Number.POSITIVE_INFINITY,
    call,
    hold: pending.hold,
    abort() {
      isWanted = false;
      abort?.();
    },
  });
  const reportFault = (error: unknown): void =>
    context.events.emit('engine.fault', { error, while: `recording the answer of effect ${pending.key}` });

  const perform = (): Awaitable<void> => {
    // The lane was another process's meanwhile: it is recovered as the store has it.
    if (isWanted && lanes.blockOf(lane, executionId)?.call !== call) return undefined;
    return andThen(readContact(context, call), (contact) => {
      const settling = settle(context, call, contact, (how) => {
        abort = how;
        if (!isWanted) how(); // cancelled before the driver was called
      });
      if (!(settling instanceof Promise)) return isWanted ? recordAnswer(settling, { contact }) : undefined;
      settling
        .then((settled) => (isWanted ? lanes.runFirst(lane, async () => recordAnswer(settled, undefined)) : undefined))
        .catch(reportFault);
      return undefined;
    });
  };
  lanes.soon(lane, () => rescue(perform, reportFault));
}

/** Performs an effect whose result is recorded already: an error of its driver has no consequence. */
export function performDetached(context: EngineContext, call: EffectCall): void {
  respondTo(context, call);
  const perform = context.drivers.get(call.type)?.perform as ((request: Json, context: DriverContext) => Promise<unknown>) | undefined;
  perform?.(call.request, new DriverCall(context, call, undefined)).catch((error: unknown) =>
    context.events.emit('engine.fault', { error, while: `performing effect ${call.key}` }),
  );
}

/** Performs an effect that nothing waits for, of the user as of now. */
export function settleUnawaited(context: EngineContext, call: EffectCall): void {
  const perform = async (): Promise<unknown> => settle(context, call, await readContact(context, call));
  void perform().catch((error: unknown) => context.events.emit('engine.fault', { error, while: `performing effect ${call.key}` }));
}

/** Keeps the lane of an execution that pauses before it tries a node again, as long as the node holds its user. */
export function holdThroughPause(context: EngineContext, record: ExecutionRecord): void {
  const holding = findHolding(record);
  if (holding === undefined) return;
  const { call, hold } = holding;
  context.lanes.block(record.lane, record.executionId, { untilMs: hold.untilMs, call, hold });
}

/**
 * The user of an effect as of now, not as of the decision: a message that has come since has opened the window (WIN-04). Retried while
 * the store is unavailable.
 */
export function readContact(context: EngineContext, { origin: { companyId, botId, userId } }: EffectCall): Awaitable<Contact | undefined> {
  if (botId === undefined || userId === undefined) return undefined;
  const reading = context.store.contact(companyId, botId, [userId]);
  if (!(reading instanceof Promise)) return reading;
  const again = async (): Promise<Contact | undefined> => context.store.contact(companyId, botId, [userId]);
  let next = (): Promise<Contact | undefined> => {
    next = again;
    return reading;
  };
  return retryWhileUnavailable(context, `reading user ${userId}`, () => next());
}

/**
 * Calls the driver and turns any outcome into a result: an error of a driver never stalls an execution. The result of a driver that
 * answers synchronously is no promise.
 *
 * @param onAbortable - called with a function that aborts the driver while it runs, for when its result is not needed any more
 */
export function settle(
  context: EngineContext,
  call: EffectCall,
  contact: Contact | undefined,
  onAbortable?: (abort: () => void) => void,
): Settled | Promise<Settled> {
  const driver = context.drivers.get(call.type);
  respondTo(context, call);
  if (driver === undefined)
    return failure('DRIVER_MISSING', `Nothing here performs the effect "${call.type}": give the engine a driver for it`, 'failed');
  const { request, limitMs, type, executionId, nodeId, origin } = call;
  const driverCall = new DriverCall(context, call, contact);
  let performing: unknown;
  try {
    const perform = driver.perform as (request: Json, context: DriverContext) => unknown;
    performing =
      context.trace === undefined
        ? perform(request, driverCall)
        : context.trace({ name: 'effect', companyId: origin.companyId, executionId, type, nodeId }, () => perform(request, driverCall));
  } catch (error) {
    return describeDriverError(error);
  }
  if (!isThenable(performing)) return checkResult(driver.effect, performing); // no time passed

  return new Promise<Settled>((resolve) => {
    const timer = context.clock.setTimeout(() => {
      const { limitCause } = call;
      resolve({ kind: 'failure', outcome: 'unknown', failure: { ...limitCause, details: { ...limitCause.details, outcome: 'unknown' } } });
      driverCall.abort();
    }, limitMs);
    const over = (settled: Settled): void => {
      driverCall.end();
      context.clock.clearTimeout(timer);
      onAbortable?.(() => undefined);
      resolve(settled);
    };
    onAbortable?.(() => {
      context.clock.clearTimeout(timer);
      driverCall.abort();
    });
    performing.then(
      (value: unknown) => over(checkResult(driver.effect, value)),
      (error: unknown) => over(describeDriverError(error)),
    );
  });
}

/** The context of one call of a driver, and its abort. */
class DriverCall implements DriverContext {
  readonly executionId: string;
  readonly parentId: string | undefined;
  readonly nodeId: string;
  readonly attempt: number;
  readonly origin: EffectCall['origin'];
  readonly userId: string | undefined;
  readonly contact: Contact | undefined;
  readonly nowMs: number;
  readonly #digest: Digest;
  readonly #events: EngineContext['events'];
  readonly #key: string;
  #controller: AbortController | undefined;
  #isOver = false;

  constructor({ digest, events, clock }: EngineContext, call: EffectCall, contact: Contact | undefined) {
    const { key, executionId, parentId, nodeId, attempt, origin } = call;
    this.#digest = digest;
    this.#events = events;
    this.#key = key;
    this.executionId = executionId;
    this.parentId = parentId;
    this.nodeId = nodeId;
    this.attempt = attempt;
    this.origin = origin;
    this.userId = origin.userId;
    this.contact = contact;
    this.nowMs = clock.now();
  }

  /** Created on first access, like the signal. */
  get idempotencyKey(): string {
    return idempotencyKey(this.origin.companyId, this.#key, this.#digest);
  }

  /** Created on first access: most calls end at once. */
  get signal(): AbortSignal {
    return (this.#controller ??= new AbortController()).signal;
  }

  /** Bound on each access, so that a driver may take it out of its context. */
  get progress(): (value: Json) => void {
    return (value) => {
      const { origin, executionId, nodeId } = this;
      if (this.#isOver) return;
      this.#events.emit('effect.progressed', { companyId: origin.companyId, origin, executionId, nodeId, key: this.#key, value });
    };
  }

  /** What the driver says from now on comes to nothing. */
  end(): void {
    this.#isOver = true;
  }

  abort(): void {
    this.end();
    (this.#controller ??= new AbortController()).abort();
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** A driver that knows that nothing was sent throws `wasSent: false`; after any other error the effect may have happened (P5). */
const describeDriverError = (error: unknown): Settled => {
  const isUnsent = typeof error === 'object' && error !== null && 'wasSent' in error && error.wasSent === false;
  return failure('DRIVER_FAILED', describeThrown(error), isUnsent ? 'failed' : 'unknown');
};

/** Turns an invalid or too large answer into a failure. Measured first, since parsing costs far more (P20). */
function checkResult({ type, result }: EffectDefinition, answer: unknown): Settled {
  try {
    const given = measure(answer);
    if (given.kind === 'refused' && given.reason !== notJson)
      return failure('VALUE_TOO_LARGE', `The answer of "${type}" is refused: ${given.reason}`, 'unknown');
    const parsed = result.safeParse(answer);
    if (!parsed.success) return invalid(type, describeIssues(parsed.error.issues));
    const kept = measure(parsed.data); // an effect's own schema may let a date through, or make one
    return kept.kind === 'fits' ? { kind: 'result', value: parsed.data as Json } : invalid(type, kept.reason);
  } catch (error) {
    return invalid(type, describeThrown(error)); // a getter or proxy threw
  }
}

/** What is wrong with an answer, by its places: `order.total: expected number, received string`. */
const describeIssues = (issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string =>
  issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.length === 0 ? '' : `${path.map(String).join('.')}: `}${message.replace(/^Invalid input: /, '')}`)
    .join('; ')
    .slice(0, 500);

const invalid = (type: string, problem: string): Settled =>
  failure('DRIVER_ANSWER_INVALID', `The driver of "${type}" gave an answer of the wrong shape: ${problem}`, 'unknown');

const failure = (cause: string, message: string, outcome: 'failed' | 'unknown'): Settled => ({
  kind: 'failure',
  outcome,
  failure: { cause, message },
});
