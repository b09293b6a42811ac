// What a job did with an execution before its process died: so that a part that is done again counts what was done, and not what is left.
import type { MigratingKind } from '../contract/migration.ts';
import type { HistoryRecord } from '../contract/store.ts';
import type { EngineContext } from './context.ts';

/** The event by which the job changed the execution; undefined where it has not. */
export async function recallAct(
  { store }: Pick<EngineContext, 'store'>,
  companyId: string,
  executionId: string,
  job: string,
): Promise<HistoryRecord['event'] | undefined> {
  const history = await store.history(companyId, executionId);
  return history.find(({ event }) => 'job' in event && event.job === job && event.type !== 'execution.forked')?.event;
}

/** The verdict by which an execution was migrated. */
export function verdictOf(event: HistoryRecord['event']): MigratingKind | undefined {
  if (event.type === 'execution.cancelled') return 'cancels';
  if (event.type !== 'execution.migrated') return undefined;
  if (event.enter !== undefined) return 'enters';
  return event.isProved === true ? 'same' : 'changed';
}
