import type { ExecutionState } from './contract/execution.ts';
import { limits } from './contract/limits.ts';
import type { ExecutionRecord, HistoryRecord } from './contract/store.ts';
import type { ExecutionRef } from './engine-events.ts';
import type { Kernel } from './kernel.ts';

import { finalStatuses } from './machine/lifecycle.ts';

/** Tells listeners what an advance did, once it is committed. */
export function publishEvents(kernel: Kernel, before: ExecutionRecord, after: ExecutionRecord, history: readonly HistoryRecord[]): void {
  const ref = executionRef(after);
  let asked = before.state.pending?.type ?? '';
  for (const { event, entries } of history) {
    if (event.type === 'execution.started') kernel.events.emit('execution.started', ref);
    if (event.type === 'effect.settled') {
      const { settled, key } = event;
      if (settled.kind === 'result') kernel.events.emit('effect.settled', ref, { key, type: asked, outcome: 'result' });
      else kernel.events.emit('effect.settled', ref, { key, type: asked, outcome: settled.outcome, cause: settled.failure.cause });
    }
    for (const entry of entries) {
      if (entry.effect !== undefined) asked = entry.effect.type;
      if (entry.port !== undefined) kernel.events.emit('visit.left', ref, entry);
      else if (entry.effect !== undefined) kernel.events.emit('effect.requested', ref, entry);
    }
  }
  if (isNearLimit(after.state) && !isNearLimit(before.state)) {
    const { visitsInAll: visits, historyBytes } = after.state;
    kernel.events.emit('execution.nearLimit', ref, { visits, historyBytes });
  }
  const { status, wait, ending } = after.state;
  const isNew = wait?.id !== before.state.wait?.id || before.state.status !== 'waiting';
  if (status === 'waiting' && wait !== undefined && isNew) kernel.events.emit('execution.waiting', ref, wait);
  if (finalStatuses.has(status) && !finalStatuses.has(before.state.status))
    kernel.events.emit('execution.ended', ref, { status, outputs: {}, ...ending });
}

const isNearLimit = ({ visitsInAll, historyBytes }: ExecutionState): boolean =>
  visitsInAll > limits.visitsInAll * limits.warnsAt || historyBytes > limits.historyBytes * limits.warnsAt;

/** Which execution something is about. */
export const executionRef = ({ companyId, executionId, workflowId, version, updatedAtMs, state }: ExecutionRecord): ExecutionRef => ({
  companyId,
  executionId,
  workflowId,
  version,
  origin: state.origin,
  atMs: updatedAtMs,
});
