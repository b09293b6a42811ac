// Acts on many executions at once: those that a filter names, counted before, and acted on part by part.
import { z } from 'zod';
import { channels } from '../contract/execution.ts';
import { Duration, instantMs } from '../contract/duration.ts';
import { HiloError, isHiloError } from '../contract/errors.ts';
import { executionStatuses } from '../contract/execution.ts';
import { Json, JsonObject } from '../contract/json.ts';
import { Migration, migratingKinds } from '../contract/migration.ts';
import { unseenInText } from '../contract/shown-text.ts';
import type { ExecutionRecord } from '../contract/store.ts';
import { compileSetters } from '../machine/migrate.ts';
import { randomHex } from '../machine/new-execution.ts';
import { eachOf, type PartOf, type PartOptions } from './apply-migration.ts';
import type { EngineContext } from './context.ts';
import { retryExecution } from './continue.ts';
import { migrateExecution, pinMigration, requireFitting } from './migrate.ts';
import { maxPassed } from './open-executions.ts';
import { cancelExecution, releaseExecution } from './operate.ts';
import { actUnlessDone, recallAct, verdictOf } from './recall-act.ts';
import { sendSignal, wasAnswered } from './signal.ts';

const name = z.string().min(1).max(128);
const instant = z.string().refine((text) => instantMs(text) !== undefined, 'is no instant: write 2031-03-01T09:00:00Z');

/** Which executions are meant: all of its fields must match. */
export const BulkFilter = z.strictObject({
  workflowId: name.optional(),
  version: z.union([z.int().min(1), z.literal('draft')]).optional(),
  status: z.enum(executionStatuses).optional(),
  /** Why it failed or was cancelled. */
  cause: name.optional(),
  /** Where it waits. */
  nodeId: name.optional(),
  /** Where it failed. */
  failedNodeId: name.optional(),
  /** Started at this instant or later. */
  from: instant.optional(),
  /** Started before this instant. */
  to: instant.optional(),
  channel: z.enum(channels).optional(),
  botId: name.optional(),
  userId: name.optional(),
  /** Unchanged for so long. */
  olderThan: z
    .string()
    .refine((text) => text === 'PT0S' || Duration.safeParse(text).success, 'is no duration: write ISO 8601, such as P30D')
    .optional(),
});
export type BulkFilter = z.input<typeof BulkFilter>;

const skips = ['talking', 'windowClosed'] as const;

/** What is done to each. */
export const BulkAction = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('cancel'),
    reason: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .refine((reason) => unseenInText(reason) === undefined, { error: ({ input }) => `The reason ${unseenInText(String(input))}` })
      .optional(),
  }),
  z.strictObject({ type: z.literal('release') }),
  z.strictObject({
    type: z.literal('retry'),
    version: z.union([z.int().min(1), z.enum(['same', 'latest'])]).optional(),
    effect: z.enum(['auto', 'repeat', 'keep']).optional(),
    keys: z.enum(['auto', 'new', 'same']).optional(),
    set: JsonObject.optional(),
    /** Executions whose users have begun another since, or to whom nothing may be said now. */
    skip: z.array(z.enum(skips)).default([...skips]),
  }),
  z.strictObject({ type: z.literal('migrate'), migration: Migration, accept: z.array(z.enum(migratingKinds)).min(1).default(['same']) }),
  z.strictObject({ type: z.literal('signal'), name, payload: Json.default(null) }),
]);
export type BulkAction = z.input<typeof BulkAction>;
type Action = z.output<typeof BulkAction>;

/** What an act would be done to. */
export interface BulkPlan {
  readonly total: number;
  readonly byStatus: { readonly [status: string]: number };
  readonly byVersion: { readonly [version: string]: number };
  readonly byCause: { readonly [cause: string]: number };
  /** The first five. */
  readonly sample: readonly string[];
  /** How many were continued before, to which nothing is done again; for a retry alone. */
  readonly continued?: number;
  /** How many of the others have a user who has begun another execution since. */
  readonly talking?: number;
  /** How many of the others have a user to whom nothing may be said now. */
  readonly windowClosed?: number;
}

/** Who looks on while it is planned. */
export interface BulkPlanOptions {
  readonly action?: BulkAction;
  /** Called after each page. */
  readonly onPage?: (progress: { readonly read: number; readonly total: number }) => void | Promise<void>;
}

/** How an act on many is done. */
export interface BulkPartOptions extends PartOptions {
  /** It acts on no more than so many. */
  readonly atMost: number;
  readonly by?: string;
  /** Names this act: the same part again has no second consequence. */
  readonly job: string;
  /** Called with what became of each, and why it was not done. */
  readonly onOutcome?: (executionId: string, outcome: string, failure?: { readonly code: string; readonly message: string }) => void;
}

/** How many were looked at, and what became of those that matched. */
export interface BulkDone {
  readonly read: number;
  readonly counts: { readonly [outcome: string]: number };
}

/** So many executions are read at once. */
const pageSize = 200;
const samples = 5;

/**
 * Checks what is to be done to which executions.
 *
 * @throws {HiloError} `FILTER_EMPTY` for a filter without a workflow, a user or a time, for a signal without a node, and for a retry in the
 *   version of a workflow that is not named
 */
function requireBulk(filter: BulkFilter, action?: BulkAction): void {
  const { workflowId, userId, from, to, olderThan, nodeId } = filter;
  if ([workflowId, userId, from, to, olderThan].every((value) => value === undefined))
    throw new HiloError('FILTER_EMPTY', { lacks: 'workflowId, userId, from, to or olderThan' });
  if (action?.type === 'signal' && nodeId === undefined)
    throw new HiloError('FILTER_EMPTY', { lacks: 'nodeId, where the signal is waited for' });
  if (action?.type === 'retry' && typeof action.version === 'number' && workflowId === undefined)
    throw new HiloError('FILTER_EMPTY', { lacks: `workflowId, whose version ${action.version} is meant, or name the version "latest"` });
}

/**
 * The same, and that what each would be refused for is not in the act itself: a version that there is not, or a value that cannot be written.
 *
 * @throws {HiloError} `FILTER_EMPTY`, `VERSION_NOT_FOUND`, `INVALID_MIGRATION`; `INVALID_CANVAS` where the nodes of this release cannot run the
 *   version
 */
export async function requireAct(context: EngineContext, companyId: string, filter: BulkFilter, given?: BulkAction): Promise<void> {
  requireBulk(filter, given);
  const action = given && readAction(given);
  if (action?.type === 'migrate') return requireFitting(context, companyId, await pinMigration(context, companyId, action.migration));
  if (action?.type !== 'retry') return undefined;
  const { workflowId } = filter;
  const { version, set = {} } = action;
  if (workflowId === undefined || typeof version !== 'number') return void compileSetters({ workflowId: workflowId ?? 'of each', set });
  const migration = { workflowId, from: 'any', to: version, set };
  return requireFitting(context, companyId, await pinMigration(context, companyId, migration));
}

function readAction(given: BulkAction): Action {
  const { data: action, error } = BulkAction.safeParse(given);
  if (action !== undefined) return action;
  throw new HiloError('INVALID_REQUEST', { reason: `The action: ${error.issues.map(({ message }) => message).join('; ')}` });
}

/** Counts the executions that a filter names; changes nothing. @throws {HiloError} as {@link requireAct} */
export async function planBulk(
  context: EngineContext,
  companyId: string,
  filter: BulkFilter,
  { action, onPage }: BulkPlanOptions = {},
): Promise<BulkPlan> {
  await requireAct(context, companyId, filter, action);
  const counts = { byStatus: new Map<string, number>(), byVersion: new Map<string, number>(), byCause: new Map<string, number>() };
  const count = (of: Map<string, number>, key: string): void => void of.set(key, (of.get(key) ?? 0) + 1);
  const sample: string[] = [];
  const retried = { continued: 0, talking: 0, windowClosed: 0 };
  let [read, total] = [0, 0];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await readPage(context, companyId, filter, pageSize, cursor);
    for (const record of page.matching) {
      const { version, state } = record;
      total += 1;
      if (sample.length < samples) sample.push(record.executionId);
      count(counts.byStatus, state.status);
      count(counts.byVersion, String(version));
      if (state.ending?.failure !== undefined) count(counts.byCause, state.ending.failure.cause);
      if (action?.type !== 'retry') continue;
      if (isContinued(record)) {
        retried.continued += 1; // its user has begun another since: the one that continues it
        continue;
      }
      if (await isTalking(context, record)) retried.talking += 1;
      if (await isWindowClosed(context, record)) retried.windowClosed += 1;
    }
    read += page.read;
    cursor = page.next;
    await onPage?.({ read, total });
  }
  return {
    total,
    byStatus: Object.fromEntries(counts.byStatus),
    byVersion: Object.fromEntries(counts.byVersion),
    byCause: Object.fromEntries(counts.byCause),
    sample,
    ...(action?.type === 'retry' && retried),
  };
}

const BulkCursor = z.object({ cursor: z.string().nullable(), chosen: z.array(z.string()), taken: z.int() });
type BulkCursor = z.output<typeof BulkCursor>;

/**
 * Does the next part of an act on many: each part acts on those that the one before has chosen, and chooses the next; the first only chooses.
 * So a part that is done again after a crash chooses no others in their place, and never more are acted on than `atMost`.
 *
 * @throws {HiloError} as {@link requireAct}, before anything is begun
 */
export async function bulkPart(
  context: EngineContext,
  companyId: string,
  filter: BulkFilter,
  given: BulkAction,
  { place, limit, each = eachOf, isAgain = false, atMost, onOutcome, ...because }: BulkPartOptions,
): Promise<PartOf<BulkDone>> {
  const action = readAction(given);
  const known = BulkCursor.safeParse(place).data;
  if (known === undefined) await requireAct(context, companyId, filter, action);
  const from = known ?? { cursor: '', chosen: [], taken: 0 };
  const counts = new Map<string, number>();
  await each(from.chosen, async (executionId) => {
    const act = () => actOrFail(context, companyId, executionId, action, { ...because, nodeId: filter.nodeId });
    const recall = () => recallOutcome(context, companyId, executionId, action, because.job);
    const [outcome, failure] = isAgain ? await actUnlessDone({ recall, act, isDone: ([word]) => doneWords.has(word) }) : await act();
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    onOutcome?.(executionId, outcome, failure);
  });
  const next = await chooseNext(context, companyId, filter, from, { limit, atMost });
  return { read: from.chosen.length, counts: Object.fromEntries(counts), next };
}

/** Chooses the next executions that match; null where there are no more, or enough were chosen. */
async function chooseNext(
  context: EngineContext,
  companyId: string,
  filter: BulkFilter,
  { cursor, taken }: BulkCursor,
  { limit, atMost }: Pick<BulkPartOptions, 'limit' | 'atMost'>,
): Promise<BulkCursor | null> {
  let at = cursor;
  for (let passed = 0; at !== null && taken < atMost && passed <= maxPassed; passed += 1) {
    const page = await readPage(context, companyId, filter, limit, at === '' ? undefined : at);
    at = page.next;
    const chosen = page.matching.slice(0, atMost - taken).map(({ executionId }) => executionId);
    if (chosen.length > 0) return { cursor: at, chosen, taken: taken + chosen.length };
  }
  return at === null || taken >= atMost ? null : { cursor: at, chosen: [], taken };
}

/** How an act on many is done, and who looks on. */
export interface BulkOptions extends Omit<BulkPartOptions, keyof PartOptions | 'job'> {
  /** Names this act, so that the same act again has no second consequence; drawn, when left out. */
  readonly job?: string;
  /** Called after each part. */
  readonly onPage?: (progress: BulkDone) => void | Promise<void>;
}

/**
 * Acts on all executions that a filter names, at most so many. Doing it again finds what was done unchanged.
 *
 * @throws {HiloError} `FILTER_EMPTY`
 */
export async function applyBulk(
  context: EngineContext,
  companyId: string,
  filter: BulkFilter,
  action: BulkAction,
  { job = randomHex(context.random, 16), onPage, ...options }: BulkOptions,
): Promise<BulkDone> {
  if (!Number.isSafeInteger(options.atMost) || options.atMost < 1)
    throw new HiloError('INVALID_REQUEST', { reason: '"atMost" is the total of the plan: a whole number, at least 1' });
  let done: BulkDone = { read: 0, counts: {} };
  for (let place: Json = null, isFirst = true; isFirst || place !== null; isFirst = false) {
    const { next, ...part } = await bulkPart(context, companyId, filter, action, { ...options, job, place, limit: pageSize });
    place = next;
    done = { read: done.read + part.read, counts: addCounts(done.counts, part.counts) };
    await onPage?.(done);
  }
  return done;
}

function addCounts(before: BulkDone['counts'], part: BulkDone['counts']): BulkDone['counts'] {
  const added = Object.entries(part).map(([outcome, count]) => [outcome, (before[outcome] ?? 0) + count] as const);
  return { ...before, ...Object.fromEntries(added) };
}

/** The newest executions first: what an act makes, such as a retry, is before the first page. */
async function readPage(context: EngineContext, companyId: string, filter: BulkFilter, limit: number, cursor: string | undefined) {
  await context.turns.take(companyId);
  const { workflowId, status, userId } = filter;
  const page = await context.store.list(companyId, {
    ...(workflowId !== undefined && { workflowId }),
    ...(status !== undefined && { status }),
    ...(userId !== undefined && { userId }),
    limit,
    ...(cursor !== undefined && { cursor }),
  });
  const nowMs = context.clock.now();
  return { read: page.results.length, matching: page.results.filter((record) => matches(record, filter, nowMs)), next: page.nextCursor };
}

function matches({ version, state, createdAtMs, updatedAtMs }: ExecutionRecord, filter: BulkFilter, nowMs: number): boolean {
  const { channel, botId } = state.origin;
  const failure = state.ending?.failure;
  const isOr = <Value>(wanted: Value | undefined, value: Value | undefined): boolean => wanted === undefined || wanted === value;
  return (
    isOr(filter.version, version) &&
    isOr(filter.nodeId, state.wait?.nodeId) &&
    isOr(filter.cause, failure?.cause) &&
    isOr(filter.failedNodeId, failure?.nodeId) &&
    isOr(filter.channel, channel) &&
    isOr(filter.botId, botId) &&
    (filter.from === undefined || createdAtMs >= (instantMs(filter.from) ?? 0)) &&
    (filter.to === undefined || createdAtMs < (instantMs(filter.to) ?? 0)) &&
    (filter.olderThan === undefined || updatedAtMs <= nowMs - (Duration.safeParse(filter.olderThan).data ?? 0))
  );
}

interface Because {
  readonly by?: string;
  readonly job: string;
  readonly nodeId: string | undefined;
}

/** What this job has done to an execution already. */
async function recallOutcome(
  context: EngineContext,
  companyId: string,
  executionId: string,
  action: Action,
  job: string,
): Promise<Outcome | undefined> {
  if (action.type === 'signal') {
    const signal = { companyId, name: action.name, idempotencyKey: signalKey(job, executionId) };
    return (await wasAnswered(context, signal, executionId)) ? ['signalled'] : undefined;
  }
  const event = await recallAct(context, companyId, executionId, job);
  const word = action.type === 'migrate' ? verdictOf(event) : event && words[action.type];
  return word === undefined ? undefined : [word];
}

const words = { cancel: 'cancelled', release: 'released', retry: 'retried' } as const;
/** The outcomes by which something was done. A verdict may be one by which it would be: its history tells. */
const doneWords: ReadonlySet<string> = new Set([...Object.values(words), 'signalled']);
const signalKey = (job: string, executionId: string): string => `${job}/${executionId}`;

type Outcome = readonly [outcome: string, failure?: { readonly code: string; readonly message: string }];

/** Acts on one; a refusal is an outcome, so that it holds up no other. */
async function actOrFail(
  context: EngineContext,
  companyId: string,
  executionId: string,
  action: Action,
  because: Because,
): Promise<Outcome> {
  try {
    return [await act(context, companyId, executionId, action, because)];
  } catch (error) {
    if (!(error instanceof HiloError) || error.status >= 500) throw error;
    if (isHiloError(error, 'CONTINUED_ALREADY')) return ['unchanged'];
    return ['refused', { code: String(error.code), message: error.message }];
  }
}

async function act(context: EngineContext, companyId: string, executionId: string, action: Action, because: Because): Promise<string> {
  const { by, job, nodeId } = because;
  const operated = { job, ...(by !== undefined && { by }) };
  const before = await context.store.load(companyId, executionId);
  if (before === undefined) return 'gone';
  switch (action.type) {
    case 'cancel': {
      const after = await cancelExecution(context, companyId, executionId, action.reason ?? 'Cancelled on request', operated);
      return after.revision === before.revision ? 'unchanged' : 'cancelled';
    }
    case 'release': {
      const after = await releaseExecution(context, companyId, executionId, operated);
      return before.state.status !== 'quarantined' || after.revision === before.revision ? 'unchanged' : 'released';
    }
    case 'retry': {
      if (isContinued(before)) return 'unchanged';
      if (action.skip.includes('talking') && (await isTalking(context, before))) return 'talking';
      if (action.skip.includes('windowClosed') && (await isWindowClosed(context, before))) return 'windowClosed';
      const { version, effect, keys, set } = action;
      await retryExecution(context, companyId, executionId, {
        ...operated,
        ...(version !== undefined && { version }),
        ...(effect !== undefined && { effect }),
        ...(keys !== undefined && { keys }),
        ...(set !== undefined && { set }),
      });
      return 'retried';
    }
    case 'migrate':
      return (await migrateExecution(context, companyId, executionId, action.migration, { accept: action.accept, ...operated })).kind;
    case 'signal': {
      const { wait } = before.state;
      if (wait?.kind !== 'event' || wait.nodeId !== nodeId) return 'unchanged';
      const { executionIds } = await sendSignal(context, {
        companyId,
        name: action.name,
        correlation: wait.correlation?.value ?? '',
        payload: action.payload,
        executionId,
        idempotencyKey: signalKey(job, executionId),
      });
      return executionIds.length > 0 ? 'signalled' : 'unchanged';
    }
  }
}

const isContinued = ({ state }: ExecutionRecord): boolean => state.ending?.continuedAs !== undefined;

/** Whether the user has begun another execution since. */
async function isTalking({ store }: EngineContext, { companyId, executionId, createdAtMs, state }: ExecutionRecord): Promise<boolean> {
  const { userId } = state.origin;
  if (userId === undefined) return false;
  const newest = (await store.list(companyId, { userId, limit: 1 })).results[0];
  return newest !== undefined && newest.executionId !== executionId && newest.createdAtMs >= createdAtMs;
}

/** Whether nothing may be said to the user now. */
async function isWindowClosed({ store, clock }: EngineContext, { companyId, state }: ExecutionRecord): Promise<boolean> {
  const { userId, botId } = state.origin;
  if (userId === undefined || botId === undefined) return false;
  const windowUntilMs = (await store.contact(companyId, botId, [userId]))?.windowUntilMs;
  return windowUntilMs !== undefined && windowUntilMs !== null && windowUntilMs <= clock.now();
}
