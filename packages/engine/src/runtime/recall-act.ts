// What a job did with an execution before its process died: so that a part that is done again counts what was done, and not what is left.
import type { MigratingKind } from '../contract/migration.ts';
import type { HistoryRecord } from '../contract/store.ts';
import type { EngineContext } from './context.ts';

/** The event by which the job changed the execution; undefined where it has not. */
export async function recallAct(
  { store }: Pick<EngineContext, 'store'>,
  companyId: string,
  executionId: string,
  job: string | undefined,
): Promise<HistoryRecord['event'] | undefined> {
  if (job === undefined) return undefined;
  const history = await store.history(companyId, executionId);
  return history.find(({ event }) => 'job' in event && event.job === job && event.type !== 'execution.forked')?.event;
}

/** How one execution is acted on that the job may have acted on before. */
interface Again<Answer, Done> {
  /** What the job did to it; undefined where it has not. */
  readonly recall: () => Promise<Done | undefined>;
  readonly act: () => Promise<Answer>;
  /** Whether the act has done what was asked. */
  readonly isDone: (answer: Answer) => boolean;
}

/**
 * Acts on an execution unless the job has done so before. It is asked before the act, and after one that has changed nothing: a lane that
 * another process or Restate keeps may be about to take the call of the process that died, and takes it before this one.
 */
export async function actUnlessDone<Answer, Done>({ recall, act, isDone }: Again<Answer, Done>): Promise<Answer | Done> {
  const known = await recall();
  if (known !== undefined) return known;
  const answer = await act();
  return isDone(answer) ? answer : ((await recall()) ?? answer);
}

/** The verdict by which an execution was migrated. */
export function verdictOf(event: HistoryRecord['event'] | undefined): MigratingKind | undefined {
  if (event?.type === 'execution.cancelled') return 'cancels';
  if (event?.type !== 'execution.migrated') return undefined;
  if (event.enter !== undefined) return 'enters';
  return event.isProved === true ? 'same' : 'changed';
}
