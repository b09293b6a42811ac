import type { EngineContext } from './context.ts';
import { eachOf } from './apply-migration.ts';
import { type MigrateOptions, undoMigration } from './migrate.ts';
import { listSources } from './plan-migration.ts';
import { openExecutions } from './open-executions.ts';

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

/** Takes every open execution of a workflow back from where a job took it, unless anything has happened to it since. */
export async function undoMigrations(
  context: EngineContext,
  companyId: string,
  workflowId: string,
  undoes: string,
  { onPage, ...because }: UndoOptions = {},
): Promise<Undone> {
  let [read, undone, goneOn] = [0, 0, 0];
  for (const source of await listSources(context, companyId, workflowId))
    for await (const page of openExecutions(context, companyId, source)) {
      read += page.length;
      await eachOf(page, async ({ executionId }) => {
        const answer = await undoMigration(context, companyId, executionId, undoes, because);
        if (answer.revision !== undefined) undone += 1;
        else if (answer.kind === 'refused') goneOn += 1;
      });
      await onPage?.({ read, undone, goneOn });
    }
  return { read, undone, goneOn };
}
