// The engine: what a host makes, starts and stops.
import { companyOfLane } from './machine/new-execution.ts';
import { canvasHash } from './canvas/hash.ts';
import { checkOptions } from './check-options.ts';
import { type Company, createCompany } from './company.ts';
import { engineLooks, guard, guardCompany, requireCompanyId, requireWorkflowId } from './front-door.ts';
import type { CallbackRules, ResumeClaim } from './contract/callback.ts';
import type { Canvas } from './contract/canvas.ts';
import type { Clock } from './contract/clock.ts';
import { isOfClosedStore } from './contract/errors.ts';
import type { WebhookAdmission } from './contract/node.ts';
import type { Migration } from './contract/migration.ts';
import type { ExecutionRecord, HistoryRecord } from './contract/store.ts';
import type { EngineEvents, IncompatibleVersion, Listener } from './runtime/events.ts';
import { takeForwardedCall } from './runtime/ask-lane.ts';
import { fireDueTimers } from './runtime/due-timers.ts';
import { createContext, type EngineContext, type EngineOptions } from './runtime/context.ts';
import { findIncompatibleVersions } from './runtime/incompatible-versions.ts';
import { processNext } from './runtime/inbox.ts';
import { type Connections, type Published, publishCanvas } from './runtime/canvas-library.ts';
import type { InboundMessage, LaneCall, LaneReply, MessageOutcome, Migrated, Started, WebhookAccepted, WebhookCall } from './lane/calls.ts';
import { createDeliveries, recoverHeldSignals } from './runtime/held-signals.ts';
import { awaitFinish, type WaitOptions } from './runtime/await-finish.ts';
import { receiveMessage } from './runtime/message.ts';
import {
  type Admissible,
  admitWebhook,
  type CallbackCall,
  findCallback,
  receiveCallback,
  receiveWebhook,
  refuseUnread,
  type Unread,
} from './runtime/webhook.ts';
import { recover, recoverLane } from './runtime/recovery.ts';
import { forkExecution, type ForkOptions, retryExecution, type RetryOptions } from './runtime/continue.ts';
import { migrateExecution, type MigrateOptions, undoMigration } from './runtime/migrate.ts';
import { replayStore, type StoreReplay } from './runtime/replay-workflow.ts';
import { cancelExecution, type Operated, readExecution, readHistory, releaseExecution } from './runtime/operate.ts';
import { type LateRefusal, type LateRefusalOutcome, refuseLate, sendSignal, type Signal, type SignalOutcome } from './runtime/signal.ts';
import { startExecution, type StartRequest } from './runtime/start.ts';
import type { Finish } from './webhook-answer.ts';

/** Executes canvases. Every verb resolves when its consequence is durable, not when it is finished. */
export interface Engine {
  /**
   * Calls a listener for each event of this name, after its commit. For observation alone: a listener that throws, or is removed,
   * changes nothing that the engine does.
   *
   * @returns removes the listener again
   * @throws {HiloError} `INVALID_OPTIONS` for an unknown event, or a listener that is no function
   */
  on<Name extends keyof EngineEvents>(name: Name, listener: Listener<Name>): () => void;
  /** Removes a listener. One that was not registered is ignored. */
  off<Name extends keyof EngineEvents>(name: Name, listener: Listener<Name>): void;
  /** The functions of one company, without naming it in each call: what a host calls. */
  company(companyId: string): Company;
  /** Recovers the unfinished work of an earlier process, and fires timers until `stop`. Resolves when that work has its turn. */
  start(): Promise<void>;
  /**
   * Like `start`, but resolves before unfinished work is looked for: calls are taken, and wait until it is known.
   *
   * @returns `recovered` resolves when all of it has had its first turn
   */
  begin(): Promise<{ readonly recovered: Promise<void> }>;
  /** Whether unfinished work of an earlier process has not had its first turn yet. */
  isRecovering(): boolean;
  /** Continues the executions, timers and accepted items of companies that were written into the store past a started engine (an import). */
  recoverCompanies(companyIds: ReadonlySet<string>): Promise<void>;
  /**
   * Fires no more timers, and releases this process's lanes to others. Durability does not depend on it.
   *
   * @param options - `drainMs`: how long to wait for work in progress, in milliseconds; not at all when left out
   */
  stop(options?: { readonly drainMs?: number }): Promise<void>;
  /** Stores a draft, even with problems: publishing it reports them. */
  saveDraft(companyId: string, canvas: Canvas): Promise<void>;
  /** Publishes the draft as the next version. @throws {HiloError} `WORKFLOW_NOT_FOUND` without a draft, `INVALID_CANVAS` */
  publish(companyId: string, workflowId: string, connections?: Connections): Promise<Published>;
  /** Starts a workflow by its id. @throws {HiloError} `WORKFLOW_NOT_FOUND`, `INVALID_CANVAS` */
  startWorkflow(request: StartRequest): Promise<{ readonly executionId: string }>;
  /** Accepts a request to a webhook: starts or resumes an execution. @throws {HiloError} with the `status` to answer with */
  receiveWebhook(call: WebhookCall): Promise<WebhookAccepted>;
  /**
   * What the webhook of a start says to a request, without accepting it: whether it names an execution, and when it is answered.
   *
   * @throws {HiloError} as `receiveWebhook` for a request that starts an execution
   */
  admitWebhook(call: Admissible): Promise<WebhookAdmission>;
  /** Refuses a request that could not be read: with its error, where the webhook exists and takes the method (GEN-09). */
  refuseWebhook(unread: Unread, error: unknown): Promise<never>;
  /**
   * Accepts a call of a third party by the address that `resumeUrl` gave them.
   *
   * @throws {HiloError} `EXECUTION_NOT_FOUND`, `EXECUTION_NOT_WAITING` where it is of no use any more, `METHOD_NOT_ALLOWED`
   */
  receiveCallback(call: CallbackCall): Promise<WebhookAccepted>;
  /** How the wait of such an address is called; `undefined` where it is of no use any more. Changes nothing. */
  findCallback(claim: ResumeClaim): Promise<CallbackRules | undefined>;
  /**
   * Waits for the canvas to answer an accepted request, or for the end of its execution, whichever is first.
   *
   * @returns `undefined` when neither comes within the limit, or before the signal: the execution continues
   */
  awaitFinish(
    companyId: string,
    accepted: Pick<WebhookAccepted, 'executionId' | 'isNewExecution'>,
    options?: WaitOptions,
  ): Promise<Finish | undefined>;
  /** Lets go of all who wait for a finish, now and later: the process stops (P25). */
  releaseWaits(): void;
  /** Accepts a user's message. @throws {HiloError} `INVALID_TIME_ZONE`, `INVALID_LOCALE`, `STORE_CONFLICT`, `STORE_UNAVAILABLE` */
  receiveMessage(message: InboundMessage): Promise<{ readonly outcome: MessageOutcome }>;
  /** Resumes executions that wait for a named signal. @returns those that continued */
  signal(signal: Signal): Promise<SignalOutcome>;
  /** Informs an execution that the message whose reply it waits for was refused after it was accepted (WIN-02). */
  refuseLate(refusal: LateRefusal): Promise<LateRefusalOutcome>;
  /** Cancels an execution and its children. @throws {HiloError} `EXECUTION_NOT_FOUND` */
  cancel(companyId: string, executionId: string, reason?: string, operated?: Operated): Promise<ExecutionRecord>;
  /** Resumes a quarantined execution where it stopped. @throws {HiloError} `EXECUTION_NOT_FOUND` */
  release(companyId: string, executionId: string, operated?: Operated): Promise<ExecutionRecord>;
  /**
   * Takes a waiting execution to another version of its workflow, where the verdict on it is one that `accept` names; else it stays.
   *
   * @throws {HiloError} `EXECUTION_NOT_FOUND`, `VERSION_NOT_FOUND`, `INVALID_MIGRATION`
   */
  migrate(companyId: string, executionId: string, migration: Migration, options?: MigrateOptions): Promise<Migrated>;
  /** Takes it back from where the job `undoes` took it, unless anything has happened to it since. @throws {HiloError} `EXECUTION_NOT_FOUND` */
  undoMigration(companyId: string, executionId: string, undoes: string, options?: Pick<MigrateOptions, 'by' | 'job'>): Promise<Migrated>;
  /**
   * Continues an execution that failed, expired or was cancelled as a new one: what failed decides what is repeated.
   *
   * @throws {HiloError} `EXECUTION_NOT_FOUND`, `CONTINUED_ALREADY`, `CHILD`, `HISTORY_MASKED`, and why it cannot stand in its version
   */
  retry(companyId: string, executionId: string, options?: RetryOptions): Promise<Started>;
  /**
   * Begins a copy of an execution where it stood before an event of its history.
   *
   * @throws {HiloError} `EXECUTION_NOT_FOUND`, `INVALID_REQUEST`, `WAITS_FOR_CHILD`, `HISTORY_MASKED`, and why it cannot stand in its version
   */
  fork(companyId: string, executionId: string, options: ForkOptions): Promise<Started>;
  /** Replays every history of the store with the nodes of this engine (P19, P36). Reads only. */
  replayStore(onPage?: (progress: StoreReplay) => void | Promise<void>): Promise<StoreReplay>;
  /** Reads an execution as it is kept, with its variables and its open wait; `undefined` for none of that id. */
  execution(companyId: string, executionId: string): Promise<ExecutionRecord | undefined>;
  /** Reads what an execution did, the oldest advance first; none for one that there is not. */
  history(companyId: string, executionId: string): Promise<readonly HistoryRecord[]>;
  /**
   * The versions that open executions are in and that the nodes of this engine cannot run: a node is gone, has a new required field, or
   * another port. `start` emits each as `version.incompatible`. Nothing where the store does not name its companies.
   */
  incompatibleVersions(): Promise<readonly IncompatibleVersion[]>;
  /**
   * Processes a call that another process, which shares the store, forwarded to this one.
   *
   * @returns the answer for its caller; `undefined` when this process does not own the lane
   * @throws {HiloError} `STORE_UNAVAILABLE`, `STORE_CONFLICT`: the same call may succeed later
   */
  takeHandedCall(lane: string, call: LaneCall): Promise<LaneReply | undefined>;
  /** Fires due timers, a slice of them where very many are due; returns how many. A started engine fires all by itself. */
  fireDueTimers(): Promise<number>;
  /** The earliest due time of any wait, in milliseconds since the Unix epoch. */
  nextDueMs(): Promise<number | undefined>;
  /** Resolves when no work is in progress: every execution has ended or waits. */
  whenIdle(): Promise<void>;
  /** How many lanes run a task, and how many are blocked by an effect without a result. */
  activity(): { readonly working: number; readonly blocked: number };
}

/**
 * Makes an engine of nodes, drivers, a store, time and randomness.
 *
 * @example
 * import { createEngine } from '@hilo/engine';
 * import { drive, sendMessage, standardNodes } from '@hilo/nodes';
 * import { openSqliteStore } from '@hilo/stores';
 *
 * const store = await openSqliteStore({ path: './bot.db' });
 * const engine = createEngine({ nodes: standardNodes, drivers: [drive(sendMessage, send)], store });
 * const acme = engine.company('acme');
 * await acme.publish(canvas);
 * await engine.start();
 *
 * @throws {HiloError} `INVALID_OPTIONS` for invalid or unknown options
 */
export function createEngine(options: EngineOptions): Engine {
  checkOptions(options);
  const context = createContext(options, {
    processNext,
    createDeliveries,
    recoverLane,
    recover,
    fireDueTimers,
    takeHandedCall: takeForwardedCall,
  });
  return guardEngine({
    on: (name, listener) => context.events.on(name, listener),
    off: (name, listener) => context.events.off(name, listener),
    company(companyId) {
      requireCompanyId(companyId);
      return guardCompany(createCompany(context, companyId));
    },
    saveDraft: async (companyId, canvas) => context.canvases.saveDraft(companyId, canvas, canvasHash(canvas)),
    publish: (companyId, workflowId, connections) => publishCanvas(context, companyId, workflowId, connections),
    startWorkflow: (request) => startExecution(context, request),
    receiveWebhook: (call) => receiveWebhook(context, call),
    admitWebhook: (call) => admitWebhook(context, call),
    receiveCallback: (call) => receiveCallback(context, call),
    findCallback: (claim) => findCallback(context, claim),
    refuseWebhook: (unread, error) => refuseUnread(context, unread, error),
    awaitFinish: (companyId, accepted, waitOptions) => awaitFinish(context, companyId, accepted, waitOptions),
    releaseWaits: () => context.finishes.release(),
    receiveMessage: (message) => receiveMessage(context, message),
    signal: (signal) => sendSignal(context, signal),
    refuseLate: (refusal) => refuseLate(context, refusal),
    cancel: (companyId, executionId, reason = 'Cancelled on request', operated = {}) =>
      cancelExecution(context, companyId, executionId, reason, operated),
    release: (companyId, executionId, operated = {}) => releaseExecution(context, companyId, executionId, operated),
    migrate: (companyId, executionId, migration, migrateOptions) =>
      migrateExecution(context, companyId, executionId, migration, migrateOptions),
    replayStore: (onPage) => replayStore(context, onPage),
    retry: (companyId, executionId, retryOptions) => retryExecution(context, companyId, executionId, retryOptions),
    fork: (companyId, executionId, forkOptions) => forkExecution(context, companyId, executionId, forkOptions),
    undoMigration: (companyId, executionId, undoes, because) => undoMigration(context, companyId, executionId, undoes, because),
    execution: (companyId, executionId) => readExecution(context, companyId, executionId),
    history: (companyId, executionId) => readHistory(context, companyId, executionId),
    incompatibleVersions: () => findIncompatibleVersions(context),
    takeHandedCall: (lane, call) => takeForwardedCall(context, lane, call),
    fireDueTimers: async () => (context.runtime === undefined ? fireDueTimers(context) : 0), // a runtime fires them itself
    nextDueMs: () => context.store.nextDueMs(),
    start: async () => (await begin(context)).listed,
    async begin() {
      const { listed } = await begin(context);
      return { recovered: listed.then(context.recoveries.whenDone) };
    },
    isRecovering: context.recoveries.isUnderWay,
    async recoverCompanies(companyIds) {
      if (context.runtime !== undefined) return; // what it keeps is not in the store
      await context.ownership?.whenReady();
      await recover(context, { has: (lane) => companyIds.has(companyOfLane(lane)) });
      context.timers.lookUp();
    },
    async stop({ drainMs = 0 } = {}) {
      if (context.runtime !== undefined) {
        if (drainMs > 0) await waitAtMost(context.clock, drainMs, context.runtime.whenIdle());
        return context.runtime.stop();
      }
      context.timers.stop();
      if (drainMs > 0) await waitAtMost(context.clock, drainMs, context.lanes.whenIdle());
      await context.crashTracker.clearOnShutdown();
      await endJoining(context);
      await context.ownership?.leave();
    },
    async whenIdle() {
      await context.recoveries.whenListed();
      await (context.runtime ?? context.lanes).whenIdle();
    },
    activity: () => (context.runtime ?? context.lanes).activity(),
  });
}

/** The verbs of an engine below those of a company, which take what a service has read: the same sentences for hosts in JavaScript. */
function guardEngine(engine: Engine): Engine {
  const { canvas, companyId, connections, executionId, given, job, migration, options, reason, required } = engineLooks;
  return {
    ...engine,
    saveDraft: guard(engine.saveDraft, companyId, canvas),
    publish: guard(engine.publish, requireCompanyId, requireWorkflowId, connections),
    startWorkflow: guard(engine.startWorkflow, given('the start', ['workflowId'], { origin: ['companyId'] })),
    receiveWebhook: guard(engine.receiveWebhook, given('the call', ['companyId', 'workflowId', 'nodeId'], { request: [] })),
    admitWebhook: guard(engine.admitWebhook, given('the call', ['companyId', 'workflowId', 'nodeId'], { request: [] })),
    receiveCallback: guard(engine.receiveCallback, given('the call', [], { claim: ['companyId', 'executionId'], request: [] })),
    findCallback: guard(engine.findCallback, given('the claim', ['companyId', 'executionId'])),
    receiveMessage: guard(engine.receiveMessage, given('the message', ['companyId', 'botId', 'eventId'], { user: ['id'], message: [] })),
    signal: guard(engine.signal, given('the signal', ['companyId', 'name', 'correlation'])),
    refuseLate: guard(engine.refuseLate, given('the refusal', ['companyId', 'executionId', 'idempotencyKey'])),
    cancel: guard(engine.cancel, companyId, executionId, reason, options),
    release: guard(engine.release, companyId, executionId, options),
    migrate: guard(engine.migrate, companyId, executionId, migration, options),
    undoMigration: guard(engine.undoMigration, companyId, executionId, job, options),
    retry: guard(engine.retry, companyId, executionId, options),
    fork: guard(engine.fork, companyId, executionId, required),
    execution: guard(engine.execution, companyId, executionId),
    history: guard(engine.history, companyId, executionId),
  };
}

/** Begins to work. @returns `listed` resolves when the unfinished work of an earlier process has its turn */
async function begin(context: EngineContext): Promise<{ readonly listed: Promise<void> }> {
  if (context.runtime !== undefined) {
    const listed = Promise.resolve(await context.runtime.start());
    beginBackground(context);
    return { listed };
  }
  await context.ownership?.join();
  const listed = (context.ownership?.whenReady() ?? recover(context)).then(() => {
    context.timers.start();
    beginBackground(context);
  });
  context.recoveries.holdCalls(listed);
  context.recoveries.follow(listed);
  return { listed };
}

/** Begins what a start does not wait for. */
function beginBackground(context: EngineContext): void {
  void inBackground(context, 'delivering signals that are held', () => recoverHeldSignals(context));
  void inBackground(context, 'looking for versions that cannot be run any more', async () => {
    for (const version of await findIncompatibleVersions(context)) context.events.emit('version.incompatible', version);
  });
}

/** Where the store cannot be written, the next process takes each message more carefully than it had to. */
async function endJoining({ joinedDeliveries, events }: EngineContext): Promise<void> {
  try {
    await joinedDeliveries.end();
  } catch (error) {
    events.emit('engine.fault', { error, while: 'noting that no message is under way' });
  }
}

/** Does what a start does not wait for. */
async function inBackground({ events }: EngineContext, doing: string, task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (!isOfClosedStore(error)) events.emit('engine.fault', { error, while: doing });
  }
}

/** Resolves when a promise does, or after this time. */
async function waitAtMost(clock: Clock, limitMs: number, waiting: Promise<void>): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = clock.setTimeout(resolve, limitMs);
  await Promise.race([waiting, over]);
  clock.clearTimeout(timer);
}
