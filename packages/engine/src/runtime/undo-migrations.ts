// Migrations taken back: part by part, as they are done.
import { z } from 'zod';
import type { Json } from '../contract/json.ts';
import type { EngineContext } from './context.ts';
import { eachOf, type PartOf, type PartOptions } from './apply-migration.ts';
import { type MigrateOptions, undoMigration } from './migrate.ts';
import { listSources } from './plan-migration.ts';
import { openPageSize, readOpenPage } from './open-executions.ts';

/** What became of the executions that a migration had changed. */
export interface Undone {
  /** Open executions that were looked at. */
  readonly read: number;
  readonly undone: number;
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

const Place = z.object({ sources: z.array(z.string()), after: z.string().optional() });

/** Takes the next open executions of a workflow back from where a job took them, unless anything has happened to them since. */
export async function undoPart(
  context: EngineContext,
  companyId: string,
  workflowId: string,
  undoes: string,
  { place, limit, each = eachOf, ...because }: UndoPartOptions,
): Promise<PartOf<Undone>> {
  const from = Place.safeParse(place).data ?? { sources: [...(await listSources(context, companyId, workflowId))] };
  const [source, ...others] = from.sources;
  if (source === undefined) return { read: 0, undone: 0, goneOn: 0, next: null };
  let [undone, goneOn] = [0, 0];
  const page = await readOpenPage(context, companyId, source, limit, from.after);
  await each(page.results, async ({ executionId }) => {
    const answer = await undoMigration(context, companyId, executionId, undoes, because);
    if (answer.revision !== undefined) undone += 1;
    else if (answer.kind === 'refused') goneOn += 1;
  });
  const next = page.next === null ? { sources: others } : { sources: from.sources, after: page.next };
  return { read: page.results.length, undone, goneOn, next: next.sources.length === 0 ? null : next };
}

/** Takes every open execution of a workflow back from where a job took it, unless anything has happened to it since. */
export async function undoMigrations(
  context: EngineContext,
  companyId: string,
  workflowId: string,
  undoes: string,
  { onPage, ...because }: UndoOptions = {},
): Promise<Undone> {
  let [read, undone, goneOn] = [0, 0, 0];
  for (let place: Json = null, isFirst = true; isFirst || place !== null; isFirst = false) {
    const part = await undoPart(context, companyId, workflowId, undoes, { ...because, place, limit: openPageSize });
    place = part.next;
    [read, undone, goneOn] = [read + part.read, undone + part.undone, goneOn + part.goneOn];
    await onPage?.({ read, undone, goneOn });
  }
  return { read, undone, goneOn };
}
