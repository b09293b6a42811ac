// Migrations of all waiting executions of a workflow: part by part, so that what is interrupted goes on where it stopped.
import { z } from 'zod';
import { HiloError } from '../contract/errors.ts';
import type { Json } from '../contract/json.ts';
import type { Migration, Verdict } from '../contract/migration.ts';
import type { Migrated } from '../lane/calls.ts';
import type { EngineContext } from './context.ts';
import { type MigrateOptions, migratePinned, type PinnedMigration, pinMigration, requireFitting, unlessRemoved } from './migrate.ts';
import { maxPassed, openPageSize, readOpenPage } from './open-executions.ts';
import { actUnlessDone, recallAct, verdictOf } from './recall-act.ts';
import {
  isToLeave,
  type JudgedExecution,
  judgePage,
  listSources,
  type MigrationPlan,
  planIdOf,
  type VerdictCounts,
} from './plan-migration.ts';

/** How the executions of a workflow are migrated, and who looks on. */
export interface ApplyOptions extends MigrateOptions {
  /** The plan that was looked at. */
  readonly planId?: string;
  /** Called after each page of executions. */
  readonly onPage?: (progress: Applied) => void | Promise<void>;
}

/** What became of the executions of a workflow. */
export interface Applied extends Pick<MigrationPlan, 'read'> {
  /** Those that changed. */
  readonly migrated: number;
  /** Verdicts, as they were when each was migrated or left. */
  readonly counts: VerdictCounts;
}

/** A part of work over many executions, for callers that keep how far it is. */
export interface PartOptions {
  /** What the part before has returned as `next`; null for the first. */
  readonly place: Json;
  /** So many executions are looked at. */
  readonly limit: number;
  /** Acts on each, in order; 128 at once, when left out. */
  readonly each?: <Item>(items: readonly Item[], act: (item: Item) => Promise<void>) => Promise<void>;
  /**
   * Whether this part may have been done before, in whole or in part, by a process that died before it had kept `next`: what that did is
   * counted as it was.
   */
  readonly isAgain?: boolean;
}

/** A part of a migration. */
export interface ApplyPartOptions extends MigrateOptions, PartOptions {
  /** Called with what each was migrated or left by. */
  readonly onVerdict?: (executionId: string, verdict: Verdict) => void;
}

/** What a part has done. */
export type PartOf<Result> = Result & {
  /** Where the next part begins; null when all is done. */
  readonly next: Json;
};

/**
 * So many lanes are at work at once, and share commits of the store: two of PostgreSQL's groups, so that it writes one while the next is
 * decided. The rest of the engine has the others.
 */
const atOnce = 128;
/** So many executions whose effects are under way are judged again at the end; further ones are left. */
const maxBusy = 1_000;

const MigrationCursor = z.object({
  sources: z.array(z.string()),
  /** Where the page begins. */
  after: z.string().exactOptional(),
  busy: z.array(z.string()).default([]),
  /** The page that is next: those of it that are in the versions to leave, and where the one behind it begins. */
  page: z.object({ chosen: z.array(z.string()), limit: z.int(), next: z.string().nullable() }).exactOptional(),
});
type MigrationCursor = z.output<typeof MigrationCursor>;

/**
 * Migrates the next executions of a workflow on which the verdict is accepted; the others stay. Each is judged again in its lane, so that
 * doing a part again changes nothing more, after a crash for example. Those with an effect under way are judged again by the last part. Each
 * part acts on those that the one before has chosen, and chooses the next: the first only chooses.
 *
 * @throws {HiloError} `INVALID_MIGRATION`, `VERSION_NOT_FOUND`
 */
export async function applyPart(
  context: EngineContext,
  companyId: string,
  input: unknown,
  { place, limit, each = eachOf, isAgain = false, onVerdict, ...options }: ApplyPartOptions,
): Promise<PartOf<Applied>> {
  const pinned = await pinMigration(context, companyId, input);
  const from = MigrationCursor.safeParse(place).data ?? {
    sources: [...(await listSources(context, companyId, pinned.migration.workflowId))],
    busy: [],
  };
  const tally = new PartTally(onVerdict);
  const { job } = options;
  /** One that this job has migrated already is counted by the verdict by which it was. */
  const migrate = async (executionId: string, lane?: string): Promise<Migrated | undefined> => {
    const act = () => unlessRemoved(migratePinned(context, companyId, executionId, pinned, options, lane));
    if (!isAgain) return act();
    const recall = async () => verdictOf(await recallAct(context, companyId, executionId, job));
    const answer = await actUnlessDone({ recall, act, isDone: (migrated) => migrated?.revision !== undefined });
    if (typeof answer !== 'string') return answer;
    tally.count(answer, true);
    return undefined;
  };
  if (from.sources.length === 0) {
    await each(from.busy, async (executionId) => tally.add(executionId, await migrate(executionId)));
    return tally.conclude(null);
  }
  if (from.page === undefined) return tally.conclude(await choosePage(context, companyId, pinned.migration, limit, from));
  const { standing, others } = await judgeChosen(context, companyId, pinned, from, from.page);
  const accept = new Set<string>(options.accept ?? ['same']);
  // What is not accepted now would not be in its lane either, unless it goes on meanwhile: then it is another's turn.
  const isTried = ({ kind }: Verdict): boolean => accept.has(kind) || kind === 'busy';
  for (const { execution, verdict } of standing) if (!isTried(verdict)) tally.add(execution.executionId, verdict);
  const busy = [...from.busy];
  await each(
    standing.filter(({ verdict }) => isTried(verdict)),
    async ({ execution: { executionId, lane } }) => {
      const answer = await migrate(executionId, lane);
      if (answer?.kind === 'busy' && busy.length < maxBusy) busy.push(executionId);
      else tally.add(executionId, answer);
    },
  );
  if (isAgain) await each(others, async (executionId) => void (await migrate(executionId)));
  return tally.conclude(await choosePage(context, companyId, pinned.migration, limit, behindPage({ ...from, busy }, from.page.next)));
}

/** Where a migration goes on behind a page. */
const behindPage = ({ sources, busy }: MigrationCursor, next: string | null): MigrationCursor =>
  next === null ? { sources: sources.slice(1), busy } : { sources, after: next, busy };

/** Chooses the executions of the next page that are in the versions to leave: a part that is done again chooses no others in their place. */
async function choosePage(
  context: EngineContext,
  companyId: string,
  migration: Migration,
  limit: number,
  from: MigrationCursor,
): Promise<MigrationCursor | null> {
  let place = from;
  for (let passed = 0; ; passed += 1) {
    const [workflowId] = place.sources;
    if (workflowId === undefined) return place.busy.length > 0 ? place : null;
    const { results, next } = await readOpenPage(context, companyId, workflowId, limit, place.after);
    const chosen = results.filter((one) => isToLeave(migration, workflowId, one)).map(({ executionId }) => executionId);
    if (chosen.length > 0 || passed === maxPassed) return { ...place, page: { chosen, limit, next } };
    place = behindPage(place, next);
  }
}

/**
 * Judges those of the chosen page that are still in the versions to leave.
 *
 * @returns their verdicts; and the others, which have gone on since, or were migrated
 */
async function judgeChosen(
  context: EngineContext,
  companyId: string,
  pinned: PinnedMigration,
  { sources: [workflowId = ''], after }: MigrationCursor,
  page: NonNullable<MigrationCursor['page']>,
): Promise<{ readonly standing: readonly JudgedExecution[]; readonly others: readonly string[] }> {
  const chosen = new Set(page.chosen);
  const { results } = await readOpenPage(context, companyId, workflowId, page.limit, after);
  const rows = results.filter(({ executionId }) => chosen.has(executionId));
  const standing = await judgePage(context, companyId, pinned, workflowId, rows);
  for (const { execution } of standing) chosen.delete(execution.executionId);
  return { standing, others: [...chosen] };
}

/** What became of those that a part looked at. */
class PartTally {
  readonly #counts = new Map<Verdict['kind'], number>();
  readonly #onVerdict: ApplyPartOptions['onVerdict'];
  #read = 0;
  #migrated = 0;

  constructor(onVerdict: ApplyPartOptions['onVerdict']) {
    this.#onVerdict = onVerdict;
  }

  add(executionId: string, verdict: Migrated | undefined): void {
    if (verdict === undefined) return;
    this.count(verdict.kind, verdict.revision !== undefined);
    this.#onVerdict?.(executionId, verdict);
  }

  count(kind: Verdict['kind'], isMigrated: boolean): void {
    this.#read += 1;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    if (isMigrated) this.#migrated += 1;
  }

  conclude = (next: MigrationCursor | null): PartOf<Applied> => ({
    read: this.#read,
    migrated: this.#migrated,
    counts: Object.fromEntries(this.#counts),
    next,
  });
}

/**
 * Migrates every open execution of a workflow on which the verdict is accepted; the others stay. Doing all of it again changes nothing more.
 *
 * @throws {HiloError} `PLAN_CHANGED` where `planId` is of another migration or other contents; `INVALID_MIGRATION`, `VERSION_NOT_FOUND`
 */
export async function applyMigration(
  context: EngineContext,
  companyId: string,
  input: unknown,
  { planId, onPage, ...options }: ApplyOptions = {},
): Promise<Applied> {
  await requirePlan(context, companyId, input, planId);
  let all: Applied = { read: 0, migrated: 0, counts: {} };
  for (let place: Json = null, isFirst = true; isFirst || place !== null; isFirst = false) {
    const { next, ...part } = await applyPart(context, companyId, input, { ...options, place, limit: openPageSize });
    place = next;
    all = addApplied(all, part);
    await onPage?.(all);
  }
  return all;
}

const addApplied = (before: Applied, part: Applied): Applied => ({
  read: before.read + part.read,
  migrated: before.migrated + part.migrated,
  counts: addVerdicts(before.counts, part.counts),
});

const addVerdicts = (before: VerdictCounts, part: VerdictCounts): VerdictCounts => {
  const counts: { [Kind in Verdict['kind']]?: number } = { ...before };
  for (const [kind, count] of Object.entries(part)) {
    const known = kind as Verdict['kind']; // the names of counts are verdicts
    counts[known] = (counts[known] ?? 0) + count;
  }
  return counts;
};

/**
 * Checks that a migration can be done, and that it is the one whose plan was looked at.
 *
 * @throws {HiloError} `PLAN_CHANGED`, `INVALID_MIGRATION`, `VERSION_NOT_FOUND`
 */
export async function requirePlan(context: EngineContext, companyId: string, input: unknown, planId: string | undefined): Promise<void> {
  const pinned = await pinMigration(context, companyId, input);
  if (planId !== undefined && planId !== planIdOf(context, pinned))
    throw new HiloError('PLAN_CHANGED', { workflowId: pinned.migration.workflowId });
  await requireFitting(context, companyId, pinned);
}

/** Does something for each, a few at a time. */
export async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}
