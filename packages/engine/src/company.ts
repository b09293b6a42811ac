// The verbs of an engine for one company.
import { checkCanvasText } from './canvas/check.ts';
import { type CanvasDiff, diffCanvases } from './canvas/diff.ts';
import { canvasHash } from './canvas/hash.ts';
import { parseCanvas } from './canvas/parse.ts';
import type { Canvas } from './contract/canvas.ts';
import { HiloError } from './contract/errors.ts';
import { Channel, executionStatuses, type ExecutionStatus, type Origin } from './contract/execution.ts';
import type { Json, JsonObject } from './contract/json.ts';
import type { Migration } from './contract/migration.ts';
import type { Problem } from './contract/problem.ts';
import type { ExecutionRecord, Gate, HistoryRecord, PublishedVersion } from './contract/store.ts';
import {
  checkOptions,
  readFields,
  readHead,
  readHostRequest,
  readJson,
  readMessage,
  readObject,
  readText,
  readTexts,
  readUser,
  refuseOtherNames,
  type WebhookParts,
} from './host-input.ts';
import { checkAmongOthers, type Connections } from './runtime/canvas-library.ts';
import type { EngineContext } from './runtime/context.ts';
import type { EngineEvents, Listener } from './runtime/events.ts';
import {
  applyBulk,
  bulkPart,
  type BulkAction,
  type BulkDone,
  type BulkFilter,
  type BulkOptions,
  type BulkPartOptions,
  type BulkPlan,
  type BulkPlanOptions,
  planBulk,
  requireAct,
} from './runtime/bulk.ts';
import { awaitFinish } from './runtime/await-finish.ts';
import type { InboundMessage, MessageOutcome, Migrated, Started, WebhookAccepted } from './lane/calls.ts';
import { type PauseOptions, pauseWorkflow, unpauseWorkflow, unpublishWorkflow } from './runtime/close-workflow.ts';
import { receiveMessage } from './runtime/message.ts';
import { cancelExecution, type Operated, readExecution, readHistory, releaseExecution } from './runtime/operate.ts';
import { forkExecution, type ForkOptions, retryExecution, type RetryOptions } from './runtime/continue.ts';
import {
  applyMigration,
  applyPart,
  type Applied,
  type ApplyOptions,
  type ApplyPartOptions,
  type PartOf,
  requirePlan,
} from './runtime/apply-migration.ts';
import { migrateExecution, type MigrateOptions } from './runtime/migrate.ts';
import { openExecutions } from './runtime/open-executions.ts';
import { type MigrationPlan, planMigration, type PlanOptions } from './runtime/plan-migration.ts';
import {
  type ReplayedConversation,
  replayExecution,
  type ReplayOptions,
  type ReplayReport,
  replayWorkflow,
} from './runtime/replay-workflow.ts';
import { type Undone, undoMigrations, type UndoOptions, undoPart, type UndoPartOptions } from './runtime/undo-migrations.ts';
import { sendSignal, type SignalOutcome } from './runtime/signal.ts';
import { startExecution } from './runtime/start.ts';
import { receiveWebhook, refuseUnread } from './runtime/webhook.ts';
import { readDeliveryKey } from './webhook-request.ts';
import type { WebhookResponse } from './webhook-answer.ts';

/** The functions of one company: no call reaches another company's canvases or executions. */
export interface Company {
  /**
   * Checks a canvas, stores it and makes it the version of new executions; running ones keep theirs. Publishing unchanged content changes
   * nothing.
   *
   * @param canvas - JSON text, or the object
   * @param connections - the company's channels and names; without them, names are not checked
   * @throws {HiloError} `INVALID_CANVAS` with every problem in `details.problems`; nothing is stored then
   */
  publish(canvas: string | object, connections?: Connections): Promise<PublishedCanvas>;
  /**
   * Accepts a request to the webhook of a workflow: starts an execution, or resumes the one that it names. Durable when the promise
   * resolves. The caller has checked its credentials.
   *
   * @param request - a web standard `Request`, or its parts with the body parsed
   * @throws {HiloError} whose `status` is the one to answer with: 400, 404, 405, 409, 413 or 503
   */
  webhook(workflowId: string, request: Request | WebhookParts, options?: WebhookOptions): Promise<WebhookResult>;
  /**
   * Accepts a message of a user: it answers the open wait of their execution, or starts a workflow. Durable when the promise resolves.
   *
   * @returns `duplicate` when the delivery was accepted before: it has no second consequence within eight days
   * @throws {HiloError} `INVALID_REQUEST` for a delivery without bot, user, id or `message.type`, with a field that is not of its kind, or with a
   *   value that is no JSON; `STORE_CONFLICT`, `STORE_UNAVAILABLE`
   */
  message(delivery: Delivery): Promise<{ readonly outcome: MessageOutcome }>;
  /** Starts a workflow by its name. @throws {HiloError} `WORKFLOW_NOT_FOUND` */
  start(workflowId: string, options?: StartOptions): Promise<{ readonly executionId: string }>;
  /** Resumes every execution that waits for this name and correlation; returns those that continued. */
  signal(name: string, options?: SignalOptions): Promise<SignalOutcome>;
  /** What a publish would say, without storing anything: every problem of the canvas. @param connections - as for `publish` */
  validate(canvas: string | object, connections?: Connections): Promise<readonly Problem[]>;
  /**
   * Stores a draft, even with problems: `test` runs it, and `publish` makes the same canvas a version.
   *
   * @returns the problems of its check
   * @throws {HiloError} `INVALID_CANVAS` for what is no canvas at all
   */
  saveDraft(
    canvas: string | object,
    connections?: Connections,
  ): Promise<{ readonly workflowId: string; readonly problems: readonly Problem[] }>;
  /** Starts the draft of a workflow: children and jumps without a version run drafts, too. @throws {HiloError} `WORKFLOW_NOT_FOUND` */
  test(workflowId: string, options?: Omit<StartOptions, 'version' | 'idempotencyKey'>): Promise<{ readonly executionId: string }>;
  /**
   * Keeps a workflow from being started until it is unpaused; what is open goes on. A user who would begin it is told what `says` holds,
   * without it their message is unmatched (`WORKFLOW_PAUSED`); a webhook is answered 503, and a start is refused.
   *
   * @throws {HiloError} `WORKFLOW_NOT_FOUND`, `INVALID_REQUEST`, `INVALID_CANVAS` for a message that cannot be sent
   */
  pause(workflowId: string, options?: PauseOptions, connections?: Connections): Promise<Gate>;
  /** Lets a paused workflow be started again, in the version that was the latest. @throws {HiloError} `WORKFLOW_NOT_FOUND` */
  unpause(workflowId: string): Promise<void>;
  /** Takes a workflow out of publication until it is published again; what is open goes on. @throws {HiloError} `WORKFLOW_NOT_FOUND` */
  unpublish(workflowId: string, operated?: Operated): Promise<Gate>;
  /** The published versions of a workflow, oldest first; none where it was never published. */
  versions(workflowId: string): Promise<readonly PublishedVersion[]>;
  /**
   * What differs between two versions, layout aside.
   *
   * @param from - a number, or `draft`
   * @param to - the draft, when left out
   * @throws {HiloError} `WORKFLOW_NOT_FOUND` where there is no such version
   */
  diff(workflowId: string, from: number | 'draft', to?: number | 'draft'): Promise<CanvasDiff>;
  /** How many executions of a workflow are open, in which version, and at which nodes they wait. */
  population(workflowId: string): Promise<readonly VersionPopulation[]>;
  /** A page of executions, newest first. */
  executions(filter?: ExecutionsFilter): Promise<{ readonly results: readonly ExecutionRecord[]; readonly nextCursor: string | null }>;
  /**
   * As `on` of the engine, for the events of this company alone; those of the process, such as `engine.fault`, are no company's.
   *
   * @returns removes the listener again
   */
  on<Name extends CompanyEvent>(name: Name, listener: Listener<Name>): () => void;
  /** An execution as it is now. @throws {HiloError} `CELL_ELSEWHERE` for one of another cell */
  execution(executionId: string): Promise<ExecutionRecord | undefined>;
  /** All that an execution did, oldest first. @throws {HiloError} `CELL_ELSEWHERE` */
  history(executionId: string): Promise<readonly HistoryRecord[]>;
  /** Cancels an execution and its children. @throws {HiloError} `EXECUTION_NOT_FOUND` */
  cancel(executionId: string, reason?: string, operated?: Operated): Promise<ExecutionRecord>;
  /**
   * Takes a waiting execution to another version of its workflow, where the verdict on it is one that `accept` names; else it stays.
   *
   * @throws {HiloError} `EXECUTION_NOT_FOUND`, `VERSION_NOT_FOUND`, `INVALID_MIGRATION`
   */
  migrate(executionId: string, migration: Migration, options?: MigrateOptions): Promise<Migrated>;
  /** Migrations of all waiting executions of a workflow. */
  readonly migrations: CompanyMigrations;
  /** Acts on many executions. */
  readonly bulk: CompanyBulk;
  /**
   * Continues an execution that failed, expired or was cancelled as a new one: what failed decides what is repeated, and what was done is
   * not done again.
   *
   * @throws {HiloError} `EXECUTION_NOT_FOUND`, `CONTINUED_ALREADY`, `CHILD`, `HISTORY_MASKED`, and why it cannot stand in its version
   */
  retry(executionId: string, options?: RetryOptions): Promise<Started>;
  /**
   * Begins a copy of an execution where it stood before an event of its history.
   *
   * @throws {HiloError} `EXECUTION_NOT_FOUND`, `INVALID_REQUEST`, `WAITS_FOR_CHILD`, `HISTORY_MASKED`, and why it cannot stand in its version
   */
  fork(executionId: string, options: ForkOptions): Promise<Started>;
  /**
   * Replays the newest ended conversations of the published version on its draft, another version or a canvas, with the answers that they
   * had; nothing is performed, and nothing of it is kept.
   *
   * @throws {HiloError} `WORKFLOW_NOT_FOUND`, `VERSION_NOT_FOUND`, `INVALID_CANVAS`
   */
  replay(workflowId: string, options?: ReplayOptions): Promise<ReplayReport>;
  /** One execution as it was, and on its draft, another version or a canvas. @throws {HiloError} `EXECUTION_NOT_FOUND`, as `replay` */
  replayExecution(executionId: string, options?: Pick<ReplayOptions, 'against' | 'ignore'>): Promise<ReplayedConversation>;
  /** Lets an execution that was quarantined after crashes continue. @throws {HiloError} `EXECUTION_NOT_FOUND` */
  release(executionId: string, operated?: Operated): Promise<ExecutionRecord>;
}

/** Acts on the executions that a filter names. */
export interface CompanyBulk {
  /** Counts them; changes nothing. @throws {HiloError} `FILTER_EMPTY` */
  plan(filter: BulkFilter, options?: BulkPlanOptions): Promise<BulkPlan>;
  /**
   * Checks that an act names what it is to be done to, and could be done to one of them.
   *
   * @throws {HiloError} `FILTER_EMPTY`, `VERSION_NOT_FOUND`, `INVALID_MIGRATION`
   */
  check(filter: BulkFilter, action: BulkAction): Promise<void>;
  /** Acts on all of them, at most `atMost`; again, it finds them unchanged. @throws {HiloError} `FILTER_EMPTY` */
  apply(filter: BulkFilter, action: BulkAction, options: BulkOptions): Promise<BulkDone>;
  /** Acts on the next of them, for callers that keep how far it is. @throws {HiloError} `FILTER_EMPTY` */
  part(filter: BulkFilter, action: BulkAction, options: BulkPartOptions): Promise<PartOf<BulkDone>>;
}

/** Migrations of all waiting executions of a workflow. */
export interface CompanyMigrations {
  /** What a migration would do with each; changes nothing. @throws {HiloError} `VERSION_NOT_FOUND`, `INVALID_MIGRATION` */
  plan(migration: unknown, options?: PlanOptions): Promise<MigrationPlan>;
  /**
   * Migrates those on which the verdict is accepted; the others stay. Doing it again changes nothing more.
   *
   * @throws {HiloError} `PLAN_CHANGED`, `VERSION_NOT_FOUND`, `INVALID_MIGRATION`
   */
  apply(migration: unknown, options?: ApplyOptions): Promise<Applied>;
  /** Takes those back that `apply` with this `job` has migrated, and to which nothing has happened since. */
  undo(workflowId: string, job: string, options?: UndoOptions): Promise<Undone>;
  /** Checks that a migration can be done, and is that of a plan. @throws {HiloError} `PLAN_CHANGED`, `VERSION_NOT_FOUND`, `INVALID_MIGRATION` */
  check(migration: unknown, planId?: string): Promise<void>;
  /** The next part of `apply`, for callers that keep how far it is. */
  applyPart(migration: unknown, options: ApplyPartOptions): Promise<PartOf<Applied>>;
  /** The next part of `undo`. */
  undoPart(workflowId: string, job: string, options: UndoPartOptions): Promise<PartOf<Undone>>;
}

/** A canvas that new executions run. */
export interface PublishedCanvas {
  /** The id of the canvas. */
  readonly workflowId: string;
  /** From 1. */
  readonly version: number;
  /** What the check warns of; nothing that stops publishing. */
  readonly warnings: readonly Problem[];
}

/** Events that name a company: each but `engine.fault` and `lane.recovered`. */
export type CompanyEvent = Exclude<keyof EngineEvents, 'engine.fault' | 'lane.recovered'>;

/** Which executions to list. */
export interface ExecutionsFilter {
  /** Of one workflow, of any version; of all, when left out. */
  readonly workflowId?: string;
  /** In one status; in any, when left out. */
  readonly status?: ExecutionStatus;
  /** Of one user; of all, when left out. */
  readonly userId?: string;
  /** 1 to 1,000; 50, when left out. */
  readonly limit?: number;
  /** The `nextCursor` of the page before. */
  readonly cursor?: string;
}

/** The open executions of one version. */
export interface VersionPopulation {
  /** The version, or the draft that somebody tries. */
  readonly version: number | 'draft';
  /** How many executions are at work. */
  readonly running: number;
  /** How many wait, for a user, an answer or a time. */
  readonly waiting: number;
  /** How many are set aside, since their process died several times over them. */
  readonly quarantined: number;
  /** Where those that wait do so, and since when the oldest of them does. */
  readonly nodes: readonly { readonly nodeId: string; readonly waiting: number; readonly oldestMs: number }[];
}

/** What a host knows of a request that the request does not say. */
export interface WebhookOptions {
  /** The bot through which the user is reached; needed where the canvas sends messages. */
  readonly bot?: string;
  /** The channel of the user; that of the bot in the directory, else `web`, when left out. */
  readonly channel?: Channel;
  /** The webhook node; the one of the canvas, when left out. */
  readonly node?: string;
  /** The same key within eight days gives the same answer; by default the headers `idempotency-key` and `webhook-id`. */
  readonly idempotencyKey?: string;
  /** The valid user ids: `strict` (default) accepts phone numbers, and business-scoped ids on channels that have them (UID-05). */
  readonly userIdFormat?: 'strict' | 'open';
  /**
   * How long a canvas with `respond: "onFinish"` may take before its caller is answered as accepted, in milliseconds: what the plan of the
   * company permits (WEB-24), or 30,000 where the directory names none.
   */
  readonly finishWithinMs?: number;
}

/** The result of a request to a webhook. */
export interface WebhookResult extends Omit<WebhookAccepted, 'respond'> {
  /** The answer for the caller: accepted, or with `respond: "onFinish"` the canvas's response. */
  readonly response: WebhookResponse;
}

/** A message of a user, as a channel delivers it. */
export interface Delivery extends Pick<InboundMessage, 'user' | 'atMs' | 'repliesTo' | 'isOpening'> {
  /** The id of the bot that the user wrote to. */
  readonly bot: string;
  /** `type` says what it is: `text`, `button`, `image` … */
  readonly message: JsonObject & { readonly type: string };
  /** The channel's own id of this delivery; also that of its message, where the message has none. */
  readonly deliveryId: string;
}

/** For whom a workflow is started, and with what. */
export interface StartOptions {
  /** The declared inputs, by name; unknown and unfit ones are `INVALID_INPUT`, and nothing is started. */
  readonly inputs?: JsonObject;
  /** The user it talks to; a workflow of the kind `tool` needs none. */
  readonly user?: { readonly id: string };
  /** The bot through which the user is reached; needed where the canvas sends messages. */
  readonly bot?: string;
  /** The channel of the user; that of the bot in the directory, else `web`, when left out. */
  readonly channel?: Channel;
  /** The latest, when left out. */
  readonly version?: number;
  /** The same key within eight days gives the same execution. */
  readonly idempotencyKey?: string;
}

/** What a signal carries, beside its name. */
export interface SignalOptions {
  /** Must equal what the wait names; empty by default. */
  readonly correlation?: string;
  /** At most 64 KB of JSON. */
  readonly payload?: Json;
  /** How long it is held for the first wait that fits, where nothing waits for it now; not at all, when left out. In milliseconds. */
  readonly ttlMs?: number;
  /** The same key within eight days has no second consequence. */
  readonly idempotencyKey?: string;
}

/** @throws {HiloError} `INVALID_REQUEST` for an id that is no text */
export function createCompany(context: EngineContext, companyId: string): Company {
  readText('A company has an id', companyId);
  return {
    publish: (canvas, connections) => publish(context, companyId, canvas, connections),
    webhook: (workflowId, request, options = {}) => webhook(context, companyId, workflowId, request, options),
    message: (delivery) => message(context, companyId, delivery),
    async start(workflowId, options = {}) {
      refuseOtherNames('The options of a start', options, startOptions);
      return start(context, await createOrigin(context, companyId, 'production', options), readWorkflowId(workflowId), options);
    },
    signal: async (name, options = {}) => sendSignal(context, { companyId, ...readSignal(name, options) }),
    validate: (canvas, connections = {}) => checkInput(context, companyId, canvas, connections).then(({ problems }) => problems),
    async saveDraft(input, connections = {}) {
      const { canvas, problems } = await checkInput(context, companyId, input, connections);
      if (canvas === undefined) throw new HiloError('INVALID_CANVAS', { workflowId: 'without an id', problems });
      await context.canvases.saveDraft(companyId, canvas, canvasHash(canvas));
      return { workflowId: canvas.id, problems };
    },
    async test(workflowId, options = {}) {
      refuseOtherNames('The options of a test', options, startOptions);
      return start(context, await createOrigin(context, companyId, 'test', options), readWorkflowId(workflowId), options);
    },
    pause: (workflowId, options = {}, connections = {}) => pauseWorkflow(context, companyId, workflowId, options, connections),
    unpause: (workflowId) => unpauseWorkflow(context, companyId, workflowId),
    unpublish: (workflowId, operated = {}) => unpublishWorkflow(context, companyId, workflowId, operated),
    versions: (workflowId) => context.canvases.versions(companyId, workflowId),
    async diff(workflowId, from, to = 'draft') {
      const id = readWorkflowId(workflowId);
      const [before, after] = await Promise.all([readVersion(context, companyId, id, from), readVersion(context, companyId, id, to)]);
      return diffCanvases(before, after);
    },
    population: (workflowId) => countPopulation(context, companyId, workflowId),
    executions: async (filter = {}) => context.store.list(companyId, readFilter(filter)),
    on(name, listener) {
      if (typeof listener !== 'function') throw new HiloError('INVALID_OPTIONS', { reason: `The listener of ${name} must be a function` });
      return context.events.on(name, (...args) => {
        if ((args[0] as { readonly companyId?: string }).companyId === companyId) return listener(...args);
        return undefined;
      });
    },
    migrate: (executionId, migration, migrateOptions) => migrateExecution(context, companyId, executionId, migration, migrateOptions),
    replay: (workflowId, replayOptions) => replayWorkflow(context, companyId, workflowId, replayOptions),
    replayExecution: (executionId, replayOptions) => replayExecution(context, companyId, executionId, replayOptions),
    retry: (executionId, retryOptions) => retryExecution(context, companyId, executionId, retryOptions),
    fork: (executionId, forkOptions) => forkExecution(context, companyId, executionId, forkOptions),
    migrations: {
      plan: (migration, planOptions) => planMigration(context, companyId, migration, planOptions),
      apply: (migration, applyOptions) => applyMigration(context, companyId, migration, applyOptions),
      undo: (workflowId, job, undoOptions) => undoMigrations(context, companyId, workflowId, job, undoOptions),
      check: (migration, planId) => requirePlan(context, companyId, migration, planId),
      applyPart: (migration, part) => applyPart(context, companyId, migration, part),
      undoPart: (workflowId, job, part) => undoPart(context, companyId, workflowId, job, part),
    },
    bulk: {
      plan: (filter, planOptions) => planBulk(context, companyId, filter, planOptions),
      check: (filter, action) => requireAct(context, companyId, filter, action),
      apply: (filter, action, bulkOptions) => applyBulk(context, companyId, filter, action, bulkOptions),
      part: (filter, action, part) => bulkPart(context, companyId, filter, action, part),
    },
    execution: (executionId) => readExecution(context, companyId, executionId),
    history: (executionId) => readHistory(context, companyId, executionId),
    cancel: (executionId, reason = 'Cancelled on request', operated = {}) =>
      cancelExecution(context, companyId, executionId, reason, operated),
    release: (executionId, operated = {}) => releaseExecution(context, companyId, executionId, operated),
  };
}

const startOptions: readonly string[] = ['inputs', 'user', 'bot', 'channel', 'version', 'idempotencyKey'];

/** @throws {HiloError} `INVALID_REQUEST` for a name, options or a payload that no signal has */
function readSignal(name: string, options: SignalOptions) {
  readText('A signal has a name', name);
  refuseOtherNames('The options of a signal', options, ['correlation', 'payload', 'ttlMs', 'idempotencyKey']);
  checkOptions(options);
  const { correlation = '', payload = null, ttlMs, idempotencyKey } = options;
  if (typeof correlation !== 'string') throw new HiloError('INVALID_REQUEST', { reason: '"correlation" of a signal must be a text' });
  const kept = readJson('The payload of the signal', payload);
  return {
    name,
    correlation,
    payload: kept,
    ...(ttlMs !== undefined && { ttlMs }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}

/** @throws {HiloError} `INVALID_REQUEST` for a filter that no list of executions has */
function readFilter(given: ExecutionsFilter) {
  refuseOtherNames('The filters of executions', given, ['workflowId', 'status', 'userId', 'limit', 'cursor']);
  const { limit = 50, ...filter } = given;
  if (filter.status !== undefined && !executionStatuses.includes(filter.status))
    throw new HiloError('INVALID_REQUEST', { reason: `"status" of executions must be one of ${executionStatuses.join(', ')}` });
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
    throw new HiloError('INVALID_REQUEST', { reason: '"limit" of executions must be a whole number from 1 to 1,000' });
  return { ...filter, limit };
}

const readWorkflowId = (workflowId: unknown): string => readText('A workflow has an id', workflowId);

async function createOrigin(context: EngineContext, companyId: string, route: Origin['route'], options: StartOptions): Promise<Origin> {
  checkOptions(options);
  const { user, bot, channel } = options;
  return {
    companyId,
    route,
    ...(user !== undefined && { userId: user.id }),
    ...(bot !== undefined && { botId: bot }),
    ...((bot !== undefined || channel !== undefined) && { channel: await findChannel(context, companyId, bot, channel) }),
  };
}

const start = (
  context: EngineContext,
  origin: Origin,
  workflowId: string,
  { inputs, version, idempotencyKey }: StartOptions,
): Promise<{ readonly executionId: string }> =>
  startExecution(context, {
    origin,
    workflowId,
    ...(inputs !== undefined && { inputs: readFields('"inputs"', inputs) }),
    ...(version !== undefined && { version }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });

async function checkInput(
  context: EngineContext,
  companyId: string,
  input: string | object,
  connections: Connections,
): Promise<{ readonly canvas: Canvas | undefined; readonly problems: readonly Problem[] }> {
  const { canvas } = parseCanvas(input);
  const problems = await checkAmongOthers(context, companyId, canvas, connections, (options) => checkCanvasText(input, options));
  return { canvas, problems };
}

/** @throws {HiloError} `WORKFLOW_NOT_FOUND` */
async function readVersion({ canvases }: EngineContext, companyId: string, workflowId: string, version: number | 'draft'): Promise<Canvas> {
  const isDraft = version === 'draft';
  const found = isDraft ? await canvases.draft(companyId, workflowId) : await canvases.version(companyId, workflowId, version);
  if (found !== undefined) return found.canvas;
  throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId, ...(!isDraft && { version }) });
}

async function countPopulation(context: EngineContext, companyId: string, workflowId: string): Promise<readonly VersionPopulation[]> {
  const versions = new Map<number | 'draft', { running: number; waiting: number; quarantined: number; nodes: Map<string, number[]> }>();
  const nodeIds = new Map(
    (await context.canvases.versions(companyId, workflowId)).map(({ version, canvas }) => [
      version,
      new Set<string>(canvas.nodes.map(({ id }) => id)),
    ]),
  );
  for await (const page of openExecutions(context, companyId, workflowId))
    for (const { executionId, version, status, waitNodeId, sinceMs } of page) {
      if (status !== 'running' && status !== 'waiting' && status !== 'quarantined') continue;
      const counted = versions.get(version) ?? { running: 0, waiting: 0, quarantined: 0, nodes: new Map<string, number[]>() };
      versions.set(version, counted);
      counted[status] += 1;
      if (status !== 'waiting' || waitNodeId === null) continue;
      // Under a wait that a migration has renamed, the row has the name before.
      const isThere = version === 'draft' || nodeIds.get(version)?.has(waitNodeId) === true;
      const record = isThere ? undefined : await context.store.load(companyId, executionId);
      const nodeId = record?.state.wait?.nodeId ?? waitNodeId;
      const [waiting = 0, oldestMs = sinceMs] = counted.nodes.get(nodeId) ?? [];
      counted.nodes.set(nodeId, [waiting + 1, Math.min(oldestMs, sinceMs)]);
    }
  return [...versions]
    .sort(([a], [b]) => (a === 'draft' ? 1 : b === 'draft' ? -1 : a - b))
    .map(([version, { nodes, ...counts }]) => ({
      version,
      ...counts,
      nodes: [...nodes].map(([nodeId, [waiting = 0, oldestMs = 0]]) => ({ nodeId, waiting, oldestMs })),
    }));
}

async function publish(
  context: EngineContext,
  companyId: string,
  input: string | object,
  connections: Connections = {},
): Promise<PublishedCanvas> {
  const { canvas, problems } = await checkInput(context, companyId, input, connections);
  if (canvas === undefined || problems.some(({ severity }) => severity === 'error'))
    throw new HiloError('INVALID_CANVAS', { workflowId: canvas?.id ?? 'without an id', problems });
  const hash = canvasHash(canvas);
  await context.canvases.saveDraft(companyId, canvas, hash);
  const { version } = await context.canvases.publish(companyId, canvas, hash, context.clock.now());
  return { workflowId: canvas.id, version, warnings: problems };
}

/** The webhook node of the latest version, also of one that the nodes of this release cannot run: a request may resume an execution. */
async function findWebhookId(context: EngineContext, companyId: string, workflowId: string): Promise<string | undefined> {
  const latest = await context.canvases.latest(companyId, workflowId);
  if (latest === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  return (await context.library.loadPart(companyId, latest.hash)).webhook?.id;
}

async function webhook(
  context: EngineContext,
  companyId: string,
  workflowId: string,
  request: Request | WebhookParts,
  options: WebhookOptions,
): Promise<WebhookResult> {
  checkOptions(options);
  const { bot, channel, node, idempotencyKey, userIdFormat, finishWithinMs } = options;
  const head = readHead(request);
  const nodeId = node ?? (await findWebhookId(context, companyId, workflowId));
  if (nodeId === undefined) throw new HiloError('NODE_NOT_FOUND', { workflowId, nodeId: '' });
  const address = { companyId, workflowId, nodeId, route: 'production' } as const;
  const read = async () => {
    const key = idempotencyKey ?? readDeliveryKey(head.headers);
    return { request: await readHostRequest(request, head), ...(key !== undefined && { idempotencyKey: key }) };
  };
  const { respond, ...accepted } = await receiveWebhook(context, {
    ...address,
    ...(await read().catch((error: unknown) => refuseUnread(context, { ...address, method: head.method }, error))),
    channel: await findChannel(context, companyId, bot, channel),
    ...(bot !== undefined && { botId: bot }),
    ...(userIdFormat !== undefined && { userIdFormat }),
  });
  const taken = { success: true, ...accepted };
  const isAwaited = respond === 'onFinish' && accepted.ignored === undefined;
  const finish = isAwaited ? await awaitFinish(context, companyId, accepted, { limitMs: finishWithinMs }) : undefined;
  if (finish !== undefined && 'body' in finish) return { ...accepted, response: finish };
  return { ...accepted, response: jsonResponse(finish === undefined ? taken : { ...taken, status: finish.ended }) };
}

const jsonResponse = (body: JsonObject): WebhookResponse => ({ status: 200, headers: { 'content-type': 'application/json' }, body });

async function message(context: EngineContext, companyId: string, delivery: Delivery): Promise<{ readonly outcome: MessageOutcome }> {
  const { bot, deliveryId, user, message, atMs, repliesTo, isOpening } = readObject('A delivery', delivery);
  const eventId = readText('A delivery has a "deliveryId"', deliveryId);
  if (atMs !== undefined && typeof atMs !== 'number')
    throw new HiloError('INVALID_REQUEST', { reason: '"atMs" of the delivery must be a number of milliseconds' });
  return receiveMessage(context, {
    companyId,
    botId: readText('A delivery has a "bot"', bot),
    eventId,
    user: readUser(user),
    message: { id: eventId, ...readMessage(message) },
    ...(atMs !== undefined && { atMs }),
    ...(repliesTo !== undefined && { repliesTo: readTexts('"repliesTo" of the delivery', repliesTo) }),
    ...(isOpening === true && { isOpening }),
  });
}

/** The named channel, else the bot's, else `web`. */
async function findChannel(context: EngineContext, companyId: string, bot?: string, named?: Channel): Promise<Channel> {
  if (named !== undefined) return named;
  const known = bot === undefined ? undefined : await context.directory.bot(companyId, bot);
  return Channel.safeParse(known?.['channel']).data ?? 'web';
}
