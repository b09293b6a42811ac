import { finalStatuses } from '@hilo/engine/store-kit';
import type { ExecutionRecord } from '@hilo/engine/contract';
import type { Oracle } from '../evidence.ts';

/** Nothing is lost, nothing is there twice, and nothing is without those it belongs to (P18, P35). */
export const conservation: Oracle = ({ commits, executions, isQuiet }) => {
  const problems: string[] = [];
  const queued = new Set<number>();
  for (const { commit, seqs } of commits) {
    for (const seq of seqs) queued.add(seq);
    for (const { seq } of commit.dequeue)
      if (!queued.delete(seq)) problems.push(`queued thing ${seq} had two consequences, or was never queued`);
  }
  if (isQuiet) for (const seq of queued) problems.push(`queued thing ${seq} never had a consequence`);
  const records = new Map(executions.map((record) => [record.executionId, record]));
  const created = new Set(commits.flatMap(({ commit }) => commit.saves.map(({ executionId }) => executionId)));
  for (const executionId of created) if (!records.has(executionId)) problems.push(`execution ${executionId} was committed and is gone`);
  return isQuiet ? [...problems, ...executions.flatMap((record) => orphaned(record, records))] : problems;
};

/** A wait without its child, a child without the parent that waits for it. */
export function orphaned(
  { executionId, state, parent }: ExecutionRecord,
  records: ReadonlyMap<string, ExecutionRecord>,
): readonly string[] {
  const problems: string[] = [];
  const { wait, status } = state;
  if (finalStatuses.has(status) && (wait !== undefined || state.pending !== undefined))
    problems.push(`execution ${executionId} is ${status} and stands at something`);
  const child = wait?.childId === undefined ? undefined : records.get(wait.childId);
  if (wait?.childId !== undefined && (child === undefined || finalStatuses.has(child.state.status)))
    problems.push(`execution ${executionId} waits for a child that has ended`);
  const waiting = parent === undefined ? undefined : records.get(parent.executionId);
  if (parent !== undefined && !finalStatuses.has(status) && waiting?.state.wait?.id !== parent.waitId)
    problems.push(`child ${executionId} goes on though nobody waits for it`);
  return problems;
}
