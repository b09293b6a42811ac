// Migrations of all waiting executions of a workflow: part by part, so that what is interrupted goes on where it stopped.
import { z } from 'zod';
import { HiloError } from '../contract/errors.ts';
import type { Json } from '../contract/json.ts';
import type { Verdict } from '../contract/migration.ts';
import type { Migrated } from '../lane/calls.ts';
import type { EngineContext } from './context.ts';
import { type MigrateOptions, migratePinned, pinMigration, requireFitting } from './migrate.ts';
import { openPageSize, readOpenPage } from './open-executions.ts';
import { judgePage, listSources, type MigrationPlan, planIdOf, type VerdictCounts } from './plan-migration.ts';

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
  /** Acts on each, in order; 64 at once, when left out. */
  readonly each?: <Item>(items: readonly Item[], act: (item: Item) => Promise<void>) => Promise<void>;
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

/** So many lanes are at work at once, and share a commit of the store; the rest of the engine has the others. */
const atOnce = 64;
/** So many executions whose effects are under way are judged again at the end; further ones are left. */
const maxBusy = 1_000;

const Place = z.object({ sources: z.array(z.string()), after: z.string().optional(), busy: z.array(z.string()).default([]) });

/**
 * Migrates the next executions of a workflow on which the verdict is accepted; the others stay. Each is judged again in its lane, so that
 * doing a part again changes nothing more, after a crash for example. Those with an effect under way are judged again by the last part.
 *
 * @throws {HiloError} `INVALID_MIGRATION`, `VERSION_NOT_FOUND`
 */
export async function applyPart(
  context: EngineContext,
  companyId: string,
  input: unknown,
  { place, limit, each = eachOf, onVerdict, ...options }: ApplyPartOptions,
): Promise<PartOf<Applied>> {
  const pinned = await pinMigration(context, companyId, input);
  const from = Place.safeParse(place).data ?? {
    sources: [...(await listSources(context, companyId, pinned.migration.workflowId))],
    busy: [],
  };
  const accept = new Set<string>(options.accept ?? ['same']);
  const counts = new Map<Migrated['kind'], number>();
  let migrated = 0;
  const count = (executionId: string, verdict: Migrated): void => {
    counts.set(verdict.kind, (counts.get(verdict.kind) ?? 0) + 1);
    if (verdict.revision !== undefined) migrated += 1;
    onVerdict?.(executionId, verdict);
  };
  const done = (read: number, next: Json): PartOf<Applied> => ({ read, migrated, counts: Object.fromEntries(counts), next });
  const migrate = (executionId: string): Promise<Migrated> => migratePinned(context, companyId, executionId, pinned, options);
  const [workflowId, ...others] = from.sources;
  if (workflowId === undefined) {
    await each(from.busy, async (executionId) => count(executionId, await migrate(executionId)));
    return done(0, null);
  }
  const page = await readOpenPage(context, companyId, workflowId, limit, from.after);
  const judged = await judgePage(context, companyId, pinned, workflowId, page.results);
  const busy = [...from.busy];
  // What is not accepted now would not be in its lane either, unless it goes on meanwhile: then it is another's turn.
  const isTried = ({ kind }: Verdict): boolean => accept.has(kind) || kind === 'busy';
  for (const { execution, verdict } of judged) if (!isTried(verdict)) count(execution.executionId, verdict);
  await each(
    judged.filter(({ verdict }) => isTried(verdict)),
    async ({ execution: { executionId } }) => {
      const answer = await migrate(executionId);
      if (answer.kind === 'busy' && busy.length < maxBusy) busy.push(executionId);
      else count(executionId, answer);
    },
  );
  const next = page.next === null ? { sources: others, busy } : { sources: from.sources, after: page.next, busy };
  return done(judged.length, next.sources.length === 0 && busy.length === 0 ? null : next);
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
