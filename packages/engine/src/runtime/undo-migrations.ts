// Migrations taken back: part by part, as they are done.
import { z } from 'zod';
import type { Json } from '../contract/json.ts';
import type { Migrated } from '../lane/calls.ts';
import type { EngineContext } from './context.ts';
import { eachOf, type PartOf, type PartOptions } from './apply-migration.ts';
import { type MigrateOptions, undoMigration, unlessRemoved } from './migrate.ts';
import { listSources } from './plan-migration.ts';
import { openPageSize, readOpenPage } from './open-executions.ts';
import { actUnlessDone, recallAct } from './recall-act.ts';

/** What became of the executions that a migration had changed. */
export interface Undone {
  /** Open executions that were looked at. */
  readonly read: number;
  readonly undone: number;
  /** Those that were taken back before. */
  readonly alreadyUndone: number;
  /** Those to which something has happened since, or which entered a node by it. */
  readonly goneOn: number;
}

/** Who undoes a migration, and who looks on. */
export interface UndoOptions extends Pick<MigrateOptions, 'by' | 'job'> {
  /** Called after each page of executions. */
  readonly onPage?: (progress: Undone) => void | Promise<void>;
}

/** A part of it. */
export interface UndoPartOptions extends Pick<MigrateOptions, 'by' | 'job'>, PartOptions {}

/** Where it stands: the page that is next, and where the one behind it begins. */
const UndoCursor = z.object({
  sources: z.array(z.string()),
  after: z.string().exactOptional(),
  page: z.object({ chosen: z.array(z.string()), next: z.string().nullable() }).exactOptional(),
});
type UndoCursor = z.output<typeof UndoCursor>;

/**
 * Takes the next open executions of a workflow back from where a job took them, unless anything has happened to them since. Each part acts on
 * those that the one before has chosen, and chooses the next: the first only chooses.
 */
export async function undoPart(
  context: EngineContext,
  companyId: string,
  workflowId: string,
  undoes: string,
  { place, limit, each = eachOf, isAgain = false, ...because }: UndoPartOptions,
): Promise<PartOf<Undone>> {
  const from = UndoCursor.safeParse(place).data ?? { sources: [...(await listSources(context, companyId, workflowId))] };
  let counts = noneUndone;
  const { page, sources } = from;
  if (page === undefined) return { read: 0, ...counts, next: await choosePage(context, companyId, limit, from) };
  const { job } = because;
  await each(page.chosen, async (executionId) => {
    const act = async () => outcomeOf(await unlessRemoved(undoMigration(context, companyId, executionId, undoes, because)));
    const recall = async () => (await recallAct(context, companyId, executionId, job)) && ('undone' as const);
    const outcome = isAgain ? await actUnlessDone({ recall, act, isDone: (one) => one === 'undone' }) : await act();
    if (outcome !== undefined) counts = { ...counts, [outcome]: counts[outcome] + 1 };
  });
  const behind: UndoCursor = page.next === null ? { sources: sources.slice(1) } : { sources, after: page.next };
  return { read: page.chosen.length, ...counts, next: await choosePage(context, companyId, limit, behind) };
}

const noneUndone: Omit<Undone, 'read'> = { undone: 0, alreadyUndone: 0, goneOn: 0 };

/** How one is counted; undefined for one that the job did not migrate, or that is removed. */
function outcomeOf(answer: Migrated | undefined): keyof typeof noneUndone | undefined {
  if (answer?.revision !== undefined) return 'undone';
  if (answer?.kind !== 'refused') return undefined;
  return answer.reason === 'TAKEN_BACK' ? 'alreadyUndone' : 'goneOn';
}

/** Chooses the next page: a part that is done again chooses no others in its place. */
async function choosePage(context: EngineContext, companyId: string, limit: number, from: UndoCursor): Promise<UndoCursor | null> {
  const [source, ...others] = from.sources;
  if (source === undefined) return null;
  const { results, next } = await readOpenPage(context, companyId, source, limit, from.after);
  if (results.length === 0 && next === null) return choosePage(context, companyId, limit, { sources: others });
  return { ...from, page: { chosen: results.map(({ executionId }) => executionId), next } };
}

/** Takes every open execution of a workflow back from where a job took it, unless anything has happened to it since. */
export async function undoMigrations(
  context: EngineContext,
  companyId: string,
  workflowId: string,
  undoes: string,
  { onPage, ...because }: UndoOptions = {},
): Promise<Undone> {
  let all: Undone = { read: 0, ...noneUndone };
  for (let place: Json = null, isFirst = true; isFirst || place !== null; isFirst = false) {
    const { next, ...part } = await undoPart(context, companyId, workflowId, undoes, { ...because, place, limit: openPageSize });
    place = next;
    all = {
      read: all.read + part.read,
      undone: all.undone + part.undone,
      alreadyUndone: all.alreadyUndone + part.alreadyUndone,
      goneOn: all.goneOn + part.goneOn,
    };
    await onPage?.(all);
  }
  return all;
}
