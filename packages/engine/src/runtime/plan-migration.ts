// What a migration would do with every open execution of a workflow: read, judged and counted, and nothing changed.
import { suggestRenames } from '../canvas/compare.ts';
import { type CompiledCanvas, referencesOf } from '../canvas/compile.ts';
import { isHiloError } from '../contract/errors.ts';
import type { Verdict } from '../contract/migration.ts';
import type { ExecutionRecord } from '../contract/store.ts';
import { judgeAway } from '../lane/migrate.ts';
import { describeDifference, judgeMigration, type PreparedMigration } from '../machine/migrate.ts';
import { formatPath } from '../variables/path.ts';
import type { EngineContext } from './context.ts';
import { type PinnedMigration, pinMigration, requireFitting } from './migrate.ts';
import { mayJump, type OpenExecution, openExecutions } from './open-executions.ts';

/** Executions on which a migration has one verdict for one reason. */
export interface MigrationGroup {
  readonly kind: Verdict['kind'];
  /** Where they wait; empty for those that do not. */
  readonly nodeId: string;
  readonly reason?: string;
  /** A sentence; empty for `same`. */
  readonly message: string;
  /** The nodes from there to what differs or lacks. */
  readonly way: readonly string[];
  /** The variables that it needs. */
  readonly needs?: readonly string[];
  readonly count: number;
  /** Since when the oldest of them stands there, in milliseconds since the Unix epoch. */
  readonly oldestMs: number;
  /** The first five. */
  readonly executionIds: readonly string[];
}

/** How many executions there are of each verdict. */
export type VerdictCounts = { readonly [Kind in Verdict['kind']]?: number };

/** What a migration would do, as of when it was looked at. */
export interface MigrationPlan {
  /** Executions in the versions to leave. */
  readonly read: number;
  readonly counts: VerdictCounts;
  /** The largest first. */
  readonly groups: readonly MigrationGroup[];
  /** Renames that the contents suggest, for `nodes`: what is gone, and what is new and the same otherwise. */
  readonly nodes: { readonly [before: string]: string };
  /** Names the migration with the contents that it is between: who applies it says which plan they saw. */
  readonly planId: string;
}

/** Who looks on while it is planned. */
export interface PlanOptions {
  /** Called after each page of executions. */
  readonly onPage?: (progress: Pick<MigrationPlan, 'read' | 'counts'>) => void | Promise<void>;
  /** Called with each verdict. */
  readonly onVerdict?: (executionId: string, verdict: Verdict) => void;
}

/**
 * Judges every open execution in the versions to leave, as `migrate` would: those that have jumped into the workflow too. Changes nothing;
 * each is judged again when it is migrated. The number that comes after the latest version stands for the draft: a migration to what was
 * published of it has the same `planId`.
 *
 * @throws {HiloError} `INVALID_MIGRATION`, `VERSION_NOT_FOUND`; `INVALID_CANVAS` where the nodes of this release cannot run the target
 */
export async function planMigration(
  context: EngineContext,
  companyId: string,
  input: unknown,
  { onPage, onVerdict }: PlanOptions = {},
): Promise<MigrationPlan> {
  const pinned = await pinMigration(context, companyId, input, { isPlan: true });
  await requireFitting(context, companyId, pinned);
  const tally = new Tally(pinned.migration.to);
  for await (const judged of judgeAll(context, companyId, pinned)) {
    for (const { execution, nodeId, verdict } of judged) {
      tally.add(execution, nodeId, verdict);
      onVerdict?.(execution.executionId, verdict);
    }
    await onPage?.({ read: tally.read, counts: tally.counts() });
  }
  return {
    read: tally.read,
    counts: tally.counts(),
    groups: tally.groups(),
    nodes: await suggestNodes(context, companyId, pinned),
    planId: planIdOf(context, pinned),
  };
}

async function suggestNodes({ library }: EngineContext, companyId: string, { migration, fromHash, canvasHash }: PinnedMigration) {
  if (fromHash === null) return {};
  return suggestRenames(await library.load(companyId, fromHash), await library.load(companyId, canvasHash), migration.nodes);
}

/** The digest of a migration and both contents. */
export const planIdOf = ({ digest }: EngineContext, { migration, fromHash, canvasHash }: PinnedMigration): string =>
  digest(JSON.stringify([migration, fromHash, canvasHash])).slice(0, 32);

/** An execution with the verdict on it, and the node at which it stands. */
export interface JudgedExecution {
  readonly execution: OpenExecution;
  readonly nodeId: string;
  readonly verdict: Verdict;
}

/** Judges every open execution in the versions to leave, page by page. */
async function* judgeAll(context: EngineContext, companyId: string, pinned: PinnedMigration): AsyncGenerator<readonly JudgedExecution[]> {
  for (const workflowId of await listSources(context, companyId, pinned.migration.workflowId))
    for await (const page of openExecutions(context, companyId, workflowId)) yield judgePage(context, companyId, pinned, workflowId, page);
}

/** Judges those of a page of executions of a workflow that are in the versions to leave. */
export async function judgePage(
  context: EngineContext,
  companyId: string,
  pinned: PinnedMigration,
  workflowId: string,
  page: readonly OpenExecution[],
): Promise<readonly JudgedExecution[]> {
  const { migration, canvasHash } = pinned;
  const after = await context.library.load(companyId, canvasHash);
  const prepare = keepPrepared(context, migration, after);
  const toLeave = page.filter((execution) => isToLeave(migration, workflowId, execution));
  const isOwn = workflowId === migration.workflowId;
  const proving = await prepareByRow(context, companyId, { pinned, prepare, toLeave: isOwn ? toLeave : [] });
  const isProved = (execution: OpenExecution): boolean => {
    const byRow = proving.get(execution.version);
    return byRow !== undefined && isSameByRow(execution, byRow);
  };
  const toOpen = toLeave.filter((execution) => !isProved(execution));
  const opened = new Map<OpenExecution, JudgedExecution | undefined>();
  for (let at = 0; at < toOpen.length; at += openedPerTurn) {
    await context.turns.take(companyId);
    const part = toOpen.slice(at, at + openedPerTurn); // asked for at once: a store that is elsewhere reads them together
    const records = await Promise.all(part.map(async ({ record, executionId }) => record ?? context.store.load(companyId, executionId)));
    for (const [index, execution] of part.entries())
      opened.set(execution, await judgeOpened(context, companyId, { execution, record: records[index], pinned, prepare }));
  }
  return toLeave.flatMap((execution): readonly JudgedExecution[] => {
    if (isProved(execution)) return [{ execution, nodeId: execution.waitNodeId ?? '', verdict: { kind: 'same' } }];
    const one = opened.get(execution);
    return one === undefined || one.verdict.kind === 'none' ? [] : [one];
  });
}

type Prepare = (before: CompiledCanvas) => PreparedMigration;

/** Compares each content that is left with the target once for a page. */
function keepPrepared({ migrations }: EngineContext, migration: PinnedMigration['migration'], after: CompiledCanvas): Prepare {
  const kept = new Map<CompiledCanvas, PreparedMigration>();
  return (before: CompiledCanvas): PreparedMigration => {
    const prepared = kept.get(before) ?? migrations.prepare(migration, before, after);
    kept.set(before, prepared);
    return prepared;
  };
}

/**
 * The versions of a page whose executions their rows may prove the same: those that cannot be left by a jump, of which a row says nothing. One
 * that the nodes of this release cannot run is judged by states, which say so of each.
 */
async function prepareByRow(
  context: EngineContext,
  companyId: string,
  {
    pinned: { migration, fromHash },
    prepare,
    toLeave,
  }: Pick<Opened, 'pinned' | 'prepare'> & { readonly toLeave: readonly OpenExecution[] },
): Promise<ReadonlyMap<OpenExecution['version'], PreparedMigration>> {
  const found = new Map<OpenExecution['version'], PreparedMigration>();
  for (const version of new Set(toLeave.map((execution) => execution.version))) {
    if (version === 'draft') continue;
    const hash = fromHash ?? (await context.canvases.version(companyId, migration.workflowId, version))?.hash;
    const before = hash === undefined ? undefined : await loadUsable(context, companyId, hash);
    if (typeof before === 'object' && !mayJump(before)) found.set(version, prepare(before));
  }
  return found;
}

/** Whether the row of an execution is of a version to leave. One that began in another workflow may have jumped into this one. */
export const isToLeave = (
  { workflowId: migrated, from, to }: Pick<PinnedMigration['migration'], 'workflowId' | 'from' | 'to'>,
  workflowId: string,
  { version }: Pick<OpenExecution, 'version'>,
): boolean => workflowId !== migrated || (from === 'any' ? version !== to : version === from);

/** After as many states the event loop serves others (P20). */
const openedPerTurn = 50;

/**
 * Whether the row alone proves that an execution has the same future: what it does not say (whether `catch` has run) counts against it. The
 * wait of one whose node was renamed twice, and whose first name another node has by now, would be taken for that node's; whoever migrates it
 * looks at its state.
 */
function isSameByRow({ status, waitNodeId }: OpenExecution, { before, comparison, migration }: PreparedMigration): boolean {
  if (status !== 'waiting' || waitNodeId === null || !before.nodes.has(waitNodeId)) return false;
  if (Object.hasOwn(migration.at ?? {}, waitNodeId)) return false;
  return comparison.isSame || comparison.differenceFrom(waitNodeId, false) === undefined;
}

/** An execution that is judged by its state. */
interface Opened {
  readonly execution: OpenExecution;
  readonly record: ExecutionRecord | undefined;
  readonly pinned: PinnedMigration;
  readonly prepare: Prepare;
}

/** The verdict on an execution by its state, as of now; none where it is there no more. */
async function judgeOpened(
  context: EngineContext,
  companyId: string,
  { execution, record, pinned: { migration, fromHash }, prepare }: Opened,
): Promise<JudgedExecution | undefined> {
  if (record === undefined) return undefined;
  const nodeId = record.state.visit?.nodeId ?? '';
  const before = context.library.get(companyId, record.state.canvasHash) ?? (await loadUsable(context, companyId, record.state.canvasHash));
  if (typeof before === 'string')
    return { execution, nodeId, verdict: { kind: 'refused', reason: 'CANVAS_UNUSABLE', message: before, way: [] } };
  const away = judgeAway(record, before, migration, fromHash);
  return { execution, nodeId, verdict: away ?? judgeMigration(record, prepare(before), context.clock.now()) };
}

/** A content, or why the nodes of this release cannot run it. */
async function loadUsable({ library }: EngineContext, companyId: string, hash: string): Promise<CompiledCanvas | string> {
  try {
    return await library.load(companyId, hash);
  } catch (error) {
    if (isHiloError(error, 'INVALID_CANVAS') || isHiloError(error, 'WORKFLOW_NOT_FOUND')) return error.message;
    throw error;
  }
}

/** The workflow itself, and those whose executions may have jumped into it: their rows keep the workflow that they began in. */
export async function listSources(context: EngineContext, companyId: string, workflowId: string): Promise<readonly string[]> {
  const sources = [workflowId];
  const others = new Set((await context.canvases.published(companyId)).map((one) => one.workflowId));
  others.delete(workflowId);
  // A jump may lead to a workflow that jumps on.
  for (const target of sources)
    for (const id of others) {
      if (!(await leadsTo(context, companyId, id, target))) continue;
      others.delete(id);
      sources.push(id);
    }
  return sources;
}

/** Whether a version of a workflow jumps to another. Only those are compiled whose nodes name it. */
async function leadsTo({ canvases, library }: EngineContext, companyId: string, workflowId: string, target: string): Promise<boolean> {
  for (const { hash, canvas } of await canvases.versions(companyId, workflowId)) {
    if (!canvas.nodes.some(({ data }) => Object.values(data).includes(target))) continue;
    const compiled = await library.loadPart(companyId, hash);
    if (mayJump(compiled) && referencesOf(compiled).some(({ kind, id }) => kind === 'workflow' && id === target)) return true;
  }
  return false;
}

/** Verdicts, counted and grouped. */
class Tally {
  read = 0;
  readonly #counts = new Map<Verdict['kind'], number>();
  readonly #groups = new Map<string, { group: MigrationGroup; readonly executionIds: string[] }>();
  readonly #to: number;

  /** @param to - the version that sentences name */
  constructor(to: number) {
    this.#to = to;
  }

  add({ executionId, sinceMs }: OpenExecution, nodeId: string, verdict: Verdict): void {
    this.read += 1;
    this.#counts.set(verdict.kind, (this.#counts.get(verdict.kind) ?? 0) + 1);
    const described = describeVerdict(verdict, this.#to);
    const key = `${verdict.kind}\0${nodeId}\0${described.message}`;
    const known = this.#groups.get(key);
    if (known === undefined) {
      const group = { kind: verdict.kind, nodeId, ...described, count: 1, oldestMs: sinceMs, executionIds: [] };
      this.#groups.set(key, { group, executionIds: [executionId] });
      return;
    }
    const { group, executionIds } = known;
    known.group = { ...group, count: group.count + 1, oldestMs: Math.min(group.oldestMs, sinceMs) };
    if (executionIds.length < samples) executionIds.push(executionId);
  }

  counts = (): VerdictCounts => Object.fromEntries(this.#counts);

  groups = (): readonly MigrationGroup[] =>
    [...this.#groups.values()].map(({ group, executionIds }) => ({ ...group, executionIds })).sort((a, b) => b.count - a.count);
}

/** As many executions of a group are named. */
const samples = 5;

function describeVerdict(verdict: Verdict, to: number): Pick<MigrationGroup, 'message' | 'way' | 'reason' | 'needs'> {
  switch (verdict.kind) {
    case 'changed':
      return { message: describeDifference(verdict.difference, to), way: verdict.difference.way };
    case 'needs':
      return { message: verdict.message, way: verdict.way, needs: verdict.values.map(formatPath) };
    case 'refused':
      return { reason: verdict.reason, message: verdict.message, way: verdict.way };
    case 'enters':
      return { message: `It goes on at "${verdict.nodeId}"`, way: [] };
    case 'cancels':
      return { message: `It is cancelled: ${verdict.reason}`, way: [] };
    case 'keeps':
      return { message: 'It stays in its version, as "at" says', way: [] };
    case 'busy':
      return { message: 'An effect is under way, or it has not begun: it is judged again', way: [] };
    default:
      return { message: '', way: [] };
  }
}
