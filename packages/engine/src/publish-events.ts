import type { ExecutionState } from './contract/execution.ts';
import { limits } from './contract/limits.ts';
import type { ExecutionRecord, HistoryRecord } from './contract/store.ts';
import type { About } from './engine-events.ts';
import type { Kernel } from './kernel.ts';
import { tell } from './tell.ts';
import { finalStatuses } from './machine/lifecycle.ts';

/** Tells what an advance did, once it is committed. */
export function tellAdvance(kernel: Kernel, before: ExecutionRecord, after: ExecutionRecord, history: readonly HistoryRecord[]): void {
  const about = aboutOf(after);
  let asked = before.state.pending?.type ?? '';
  for (const { event, entries } of history) {
    if (event.type === 'execution.started') tell(kernel, 'execution.started', about);
    if (event.type === 'effect.settled') {
      const { settled, key } = event;
      if (settled.kind === 'result') tell(kernel, 'effect.settled', about, { key, type: asked, outcome: 'result' });
      else tell(kernel, 'effect.settled', about, { key, type: asked, outcome: settled.outcome, cause: settled.failure.cause });
    }
    for (const entry of entries) {
      if (entry.effect !== undefined) asked = entry.effect.type;
      if (entry.port !== undefined) tell(kernel, 'visit.left', about, entry);
      else if (entry.effect !== undefined) tell(kernel, 'effect.requested', about, entry);
    }
  }
  if (isNearLimit(after.state) && !isNearLimit(before.state)) {
    const { visitsInAll: visits, historyBytes } = after.state;
    tell(kernel, 'execution.nearLimit', about, { visits, historyBytes });
  }
  const { status, wait, ending } = after.state;
  const isNew = wait?.id !== before.state.wait?.id || before.state.status !== 'waiting';
  if (status === 'waiting' && wait !== undefined && isNew) tell(kernel, 'execution.waiting', about, wait);
  if (finalStatuses.has(status) && !finalStatuses.has(before.state.status))
    tell(kernel, 'execution.ended', about, { status, outputs: {}, ...ending });
}

const isNearLimit = ({ visitsInAll, historyBytes }: ExecutionState): boolean =>
  visitsInAll > limits.visitsInAll * limits.warnsAt || historyBytes > limits.historyBytes * limits.warnsAt;

/** Which execution something is about. */
export const aboutOf = ({ companyId, executionId, workflowId, version, updatedAtMs, state }: ExecutionRecord): About => ({
  companyId,
  executionId,
  workflowId,
  version,
  origin: state.origin,
  atMs: updatedAtMs,
});
