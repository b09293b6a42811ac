import type { BoundDriver, DriverContext } from '../contract/driver.ts';
import { type EffectCall, keepsLane, type Settled } from '../contract/execution.ts';
import type { Commit, DueWait, ExecutionRecord, InboxItem } from '../contract/store.ts';
import { createEffectCall } from '../machine/decide.ts';
import { idempotencyKey } from '../machine/deterministic-ids.ts';
import { advance, recordAnswer } from './advance.ts';
import type { EngineContext } from './context.ts';
import type { CrashTracker } from './crash-tracker.ts';
import { fireTimer } from './due-timers.ts';
import type { Listeners } from './events.ts';
import { processAll, processNext } from './inbox.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import type { LaneCall, LaneReply } from './lane-runtime.ts';
import { createLaneStore, type KeptLane, type LaneStore } from './lane-store.ts';
import { findHolding, holdThroughPause } from './perform-effect.ts';
import { recoverLane } from './recovery.ts';
import { handleLaneCall, createReply } from './handle-lane-call.ts';
import type { TimerScheduler } from './timer-scheduler.ts';
import { answersOpenWait } from './webhook.ts';

/** Everything that can happen in a lane that a runtime keeps. JSON. */
export type LaneInput =
  | LaneCall
  /** The answer of an effect. */
  | { readonly type: 'effect'; readonly companyId: string; readonly executionId: string; readonly key: string; readonly settled: Settled }
  | { readonly type: 'timer'; readonly wait: DueWait }
  /** An event that another lane sent. */
  | { readonly type: 'inbox'; readonly item: Omit<InboxItem, 'seq'> }
  /** A node no longer holds its user: queued items get their turn. */
  | { readonly type: 'turn' }
  /** An execution that repeatedly killed its process (P17). */
  | { readonly type: 'quarantine'; readonly companyId: string; readonly executionId: string; readonly reason: string };

/** The consequences of an input, as JSON: recorded before any of them happens. */
export interface LaneDecision {
  /** The instant of the decision, in milliseconds since the Unix epoch. */
  readonly atMs: number;
  readonly reply: LaneReply;
  /** The lane after it. */
  readonly kept: KeptLane;
  /** Commits for `store`, in this order. */
  readonly commits: readonly Commit[];
  /** Effects to perform; each answer is an input of the lane. */
  readonly effects: readonly EffectCall[];
  /** Keys of effects whose results are no longer awaited. */
  readonly dropped: readonly string[];
  /** Timers to set; each is an input of the lane. */
  readonly timers: readonly DueWait[];
  /** When the lane needs a `turn`, in milliseconds since the Unix epoch. */
  readonly turnsAtMs: readonly number[];
  /** Inputs of other lanes. */
  readonly elsewhere: readonly Omit<InboxItem, 'seq'>[];
}

export interface DecidedLane {
  readonly decision: LaneDecision;
  /** Publishes events and performs unawaited effects, once the decision is recorded. Lost with the process, as elsewhere. */
  publish(): void;
}

/**
 * Decides the consequences of an input to a lane that a runtime keeps: runs the engine's functions on the stored lane. It changes and
 * performs nothing, and may be repeated until its decision is recorded. Reads outside of the lane are those of `engine.store` at that
 * time.
 *
 * @throws {HiloError} `STORE_UNAVAILABLE` when the store cannot be read
 */
export async function decideLane(engine: EngineContext, lane: string, before: KeptLane, input: LaneInput): Promise<DecidedLane> {
  const laneStore = createLaneStore(lane, before, engine.store);
  const notices: (() => void)[] = [];
  const progress = { isOver: false };
  const context = createLaneContext(engine, lane, before, laneStore, { notices, input, progress });
  restoreBlocks(context, before);

  const atMs = context.clock.now();
  const isBlocked = (): boolean => context.lanes.blockers(lane).some((name) => atMs < (context.lanes.blockOf(lane, name)?.untilMs ?? 0));
  const processInbox = async (): Promise<void> => {
    while (laneStore.hasInbox() && !isBlocked()) {
      void processAll(context, lane); // it is over when the lane is quiet
      await whenQuiet(context, lane);
    }
  };
  await processInbox();
  // A refusal without a consequence is an answer.
  const answer = (): Promise<LaneReply> =>
    createReply(
      () => performInput(context, lane, input),
      () => laneStore.commits.length === 0,
    );
  const reply: LaneReply = isBlocked() && (await needsTurn(context, input)) ? { kind: 'busy' } : await answer();
  await whenQuiet(context, lane);
  await processInbox();
  progress.isOver = true;

  const kept = laneStore.kept();
  const { commits, elsewhere } = laneStore;
  return {
    decision: { atMs, reply, kept, commits, elsewhere, ...collectFollowUps(before, kept, atMs) },
    publish: () => notices.forEach((one) => one()),
  };
}

/** Whether an input has its turn behind the effect that blocks the lane, such as an answer to a wait that is open. */
const needsTurn = async (context: EngineContext, input: LaneInput): Promise<boolean> =>
  input.type === 'signal' || (input.type === 'resume' && (await answersOpenWait(context, input.call, input.executionId)));

/** The effects, timers and turns that the lane needs after the decision and did not need before. */
function collectFollowUps(
  before: KeptLane,
  kept: KeptLane,
  atMs: number,
): Pick<LaneDecision, 'effects' | 'dropped' | 'timers' | 'turnsAtMs'> {
  const known = new Map(before.executions.map((record) => [record.executionId, record]));
  const performing = new Map(kept.executions.flatMap((record) => listPendingEffects(record).map((call) => [call.key, call] as const)));
  const asked = new Map(before.executions.flatMap((record) => listPendingEffects(record).map((call) => [call.key, call] as const)));
  const timers = kept.executions.filter(
    (record) => findDueAtMs(record) !== undefined && findOpenWaitId(record) !== findOpenWaitId(known.get(record.executionId)),
  );
  const holds = kept.executions.flatMap((record) => {
    const untilMs = heldUntilMs(record);
    return untilMs === undefined || untilMs === heldUntilMs(known.get(record.executionId)) ? [] : [Math.max(atMs, untilMs)];
  });
  return {
    effects: [...performing.values()].filter(({ key, attempt }) => asked.get(key)?.attempt !== attempt),
    dropped: [...asked.keys()].filter((key) => !performing.has(key)),
    timers: timers.map((record) => {
      const { companyId, executionId, lane, state } = record;
      return { companyId, executionId, lane, waitId: state.wait?.id ?? '', dueAtMs: findDueAtMs(record) ?? atMs };
    }),
    turnsAtMs: [...new Set(holds)],
  };
}

const listPendingEffects = (record: ExecutionRecord): readonly EffectCall[] =>
  record.state.status === 'running' && record.state.pending !== undefined ? [createEffectCall(record, record.state.pending)] : [];

const findOpenWaitId = (record: ExecutionRecord | undefined): string | undefined =>
  record?.state.status === 'waiting' ? record.state.wait?.id : undefined;

const findDueAtMs = (record: ExecutionRecord): number | undefined =>
  record.state.status === 'waiting' ? (record.state.wait?.dueAtMs ?? undefined) : undefined;

/** Until when an execution blocks its lane, if the block expires by itself. */
const heldUntilMs = (record: ExecutionRecord | undefined): number | undefined =>
  record === undefined || !keepsLane(record.state) ? undefined : (record.state.pending?.hold ?? findHolding(record)?.hold)?.untilMs;

/** Blocks the lane for its effects in progress, as it was blocked when they began. */
function restoreBlocks(context: EngineContext, { executions }: KeptLane): void {
  for (const record of executions) {
    if (!keepsLane(record.state)) continue;
    const { pending, status } = record.state;
    if (status === 'running' && pending !== undefined)
      context.lanes.block(record.lane, record.executionId, {
        untilMs: pending.hold?.untilMs ?? Number.POSITIVE_INFINITY,
        call: createEffectCall(record, pending),
        hold: pending.hold,
      });
    else holdThroughPause(context, record);
  }
}

/** Performs the input. @returns the answer for its caller */
async function performInput(context: EngineContext, lane: string, input: LaneInput): Promise<unknown> {
  switch (input.type) {
    case 'timer':
      return context.lanes.runFirst(lane, () => fireTimer(context, input.wait, `firing the timer of execution ${input.wait.executionId}`));
    case 'effect':
      return context.lanes.runFirst(lane, async () => {
        const known = await context.store.load(input.companyId, input.executionId);
        const { status, pending } = known?.state ?? {};
        // An answer that is no longer waited for changes nothing.
        if (known !== undefined && status === 'running' && pending?.key === input.key)
          await recordAnswer(context, known, input.settled, undefined);
      });
    case 'inbox': {
      const { companyId, acceptedAtMs, accepted } = input.item;
      const enqueue = [{ companyId, lane, acceptedAtMs, accepted }];
      return context.store.commit({ saves: [], history: [], contacts: [], enqueue, dequeue: [] });
    }
    case 'quarantine':
      return context.lanes.runFirst(lane, async () => {
        const known = await context.store.load(input.companyId, input.executionId);
        if (known !== undefined) await advance(context, known, { type: 'execution.quarantined', reason: input.reason }, { known });
      });
    case 'turn':
      return undefined;
    default:
      return handleLaneCall(context, lane, input);
  }
}

/** The input of one decision, and what it collects. */
interface Deciding {
  readonly notices: (() => void)[];
  readonly input: LaneInput;
  readonly progress: { readonly isOver: boolean };
}

/** The engine of one decision: it sees this lane alone, its clock stands still, and its effects are recorded instead of performed. */
function createLaneContext(
  engine: EngineContext,
  lane: string,
  before: KeptLane,
  { store, commits }: LaneStore,
  { notices, input, progress }: Deciding,
): EngineContext {
  const { clock } = engine;
  // A timer that fires is due, whatever this process's clock shows (P12).
  const atMs = Math.max(clock.now(), input.type === 'timer' ? input.wait.dueAtMs : 0);
  const events: Listeners = { ...engine.events, emit: (name, ...args) => void notices.push(() => engine.events.emit(name, ...args)) };
  const isAwaited = (key: string): boolean =>
    [before.executions, ...commits.map(({ saves }) => saves)].some((records) =>
      records.some(
        ({ companyId, state: { pending } }) => pending !== undefined && idempotencyKey(companyId, pending.key, engine.digest) === key,
      ),
    );
  const context: EngineContext = {
    ...engine,
    runtime: undefined,
    ownership: undefined,
    clock: {
      now: () => atMs,
      // Retries pause while the store is unavailable; timers that are left after the decision are not needed.
      setTimeout: (callback, delayMs) =>
        progress.isOver ? undefined : clock.setTimeout(() => void (progress.isOver || callback()), delayMs),
      clearTimeout: (timer) => clock.clearTimeout(timer),
    },
    store,
    events,
    drivers: createRecordingDrivers(engine, notices, isAwaited),
    lanes: createKeyedQueue({ now: () => atMs, setTimeout: () => undefined, clearTimeout: () => undefined }),
    timers: idleTimers,
    keepsTimers: false,
    turns: { take: () => undefined }, // it is the turn of this one lane
    crashTracker: noCrashes,
    processNext: (of, what) => processNext(context, of, what),
    deliverHeld: (topic) => void notices.push(() => engine.deliverHeld(topic)),
    recoverLane: (of) => recoverLane(context, of),
  };
  return context;
}

/**
 * Drivers that perform nothing. Awaited effects are in the decision; unawaited ones (`driveDetached`, the reply to a message that is
 * held back) are performed once the decision is recorded.
 *
 * @param isAwaited - whether an execution of the lane waits for the effect with this key, or has waited for it
 */
function createRecordingDrivers(
  { drivers, events }: EngineContext,
  notices: (() => void)[],
  isAwaited: (key: string) => boolean,
): EngineContext['drivers'] {
  const recording = ({ effect, answer, perform }: BoundDriver): BoundDriver => ({
    effect,
    ...(answer !== undefined && { answer }),
    perform(request: never, call: DriverContext) {
      const key = call.idempotencyKey;
      if (!isAwaited(key))
        notices.push(() => {
          Promise.resolve()
            .then(() => perform(request, call))
            .catch((error: unknown) => events.emit('engine.fault', { error, while: `performing effect ${key}` }));
        });
      return new Promise<never>(() => undefined);
    },
  });
  return new Map([...drivers].map(([type, driver]) => [type, recording(driver)]));
}

/** Resolves when the lane is idle: each queued task may have queued others. */
async function whenQuiet({ lanes }: EngineContext, lane: string): Promise<void> {
  do {
    await lanes.runFirst(lane, async () => undefined);
    await Promise.resolve(); // the queue looks for its next task first
  } while (lanes.activity().working > 0);
}

const idleTimers: TimerScheduler = { arm: () => undefined, lookUp: () => undefined, start: () => undefined, stop: () => undefined };

const noCrashes: CrashTracker = {
  sinceMs: 0,
  add: () => undefined,
  has: () => false,
  clear: () => undefined,
  harm: () => undefined, // time stands still here
  takeHarm: () => false,
  clearOnShutdown: async () => undefined,
  whenCleared: async () => undefined,
  alone: (_lane, task) => task(),
};
