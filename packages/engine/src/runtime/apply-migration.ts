import { HiloError } from '../contract/errors.ts';
import type { Migrated } from '../lane/calls.ts';
import type { EngineContext } from './context.ts';
import { type MigrateOptions, migratePinned, pinMigration } from './migrate.ts';
import { type JudgedExecution, judgeAll, type MigrationPlan, planIdOf, type VerdictCounts } from './plan-migration.ts';

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

/** So many lanes are at work at once: the rest of the engine has the others. */
const atOnce = 16;

/**
 * Migrates every open execution of a workflow on which the verdict is accepted; the others stay. Each is judged again in its lane, so that
 * doing all of it again changes nothing more, after a crash for example.
 *
 * @throws {HiloError} `PLAN_CHANGED` where `planId` is of another migration or other contents; `INVALID_MIGRATION`, `VERSION_NOT_FOUND`
 */
export async function applyMigration(
  context: EngineContext,
  companyId: string,
  input: unknown,
  { planId, onPage, ...options }: ApplyOptions = {},
): Promise<Applied> {
  const pinned = await pinMigration(context, companyId, input);
  const { workflowId } = pinned.migration;
  if (planId !== undefined && planId !== planIdOf(context, pinned)) throw new HiloError('PLAN_CHANGED', { workflowId });
  const counts = new Map<Migrated['kind'], number>();
  const busy: JudgedExecution[] = [];
  let [read, migrated] = [0, 0];
  const accept = new Set<string>(options.accept ?? ['same']);
  const take = async (judged: JudgedExecution, isLast: boolean): Promise<void> => {
    const { execution, verdict } = judged;
    // What is not accepted now would not be in its lane either, unless it goes on meanwhile: then it is another's turn.
    const isTried = accept.has(verdict.kind) || verdict.kind === 'busy';
    const answer: Migrated = isTried ? await migratePinned(context, companyId, execution.executionId, pinned, options) : verdict;
    if (answer.kind === 'busy' && !isLast) return void busy.push(judged);
    counts.set(answer.kind, (counts.get(answer.kind) ?? 0) + 1);
    if (answer.revision !== undefined) migrated += 1;
  };
  const progress = (): Applied => ({ read, migrated, counts: Object.fromEntries(counts) });
  for await (const page of judgeAll(context, companyId, pinned)) {
    read += page.length;
    await eachOf(page, (judged) => take(judged, false));
    await onPage?.(progress());
  }
  await eachOf(busy.splice(0), (judged) => take(judged, true));
  return progress();
}

/** Does something for each, a few at a time. */
export async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}
