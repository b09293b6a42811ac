import { HiloError } from './contract/errors.ts';
import type { ExecutionEvent } from './contract/event.ts';
import type { ExecutionState } from './contract/execution.ts';
import type { ExecutionRecord, Queued } from './contract/store.ts';
import type { Kernel } from './kernel.ts';

import { lifecycle } from './machine/lifecycle.ts';
import { commitInTurn } from './commit-in.ts';
import { executionRef } from './publish-events.ts';
import { weigh } from './variables/measure.ts';

/**
 * Takes an execution out of work until an operator releases it (P17). Its canvas is not asked: it may be what cannot be
 * run.
 *
 * @param poison - what was accepted for it and cannot be processed; it leaves the queue and is kept in the history
 * @throws {HiloError} `STORE_CONFLICT`, `STORE_UNAVAILABLE`
 */
export async function quarantine(kernel: Kernel, record: ExecutionRecord, reason: string, poison?: Queued): Promise<void> {
  const { companyId, executionId, lane, state } = record;
  const isLegal = lifecycle[state.status].includes('execution.quarantined');
  const atMs = kernel.clock.now();
  const revision = record.revision + 1;
  const event: ExecutionEvent = {
    type: 'execution.quarantined',
    reason,
    atMs,
    ...(poison === undefined ? {} : { accepted: poison.accepted }),
  };
  const after: ExecutionRecord = { ...record, revision, updatedAtMs: atMs, state: quarantinedBy(state, event) };
  const committed = await commitInTurn(kernel, lane, {
    saves: isLegal ? [after] : [],
    history: isLegal ? [{ companyId, executionId, revision, event, entries: [] }] : [],
    contacts: [],
    enqueue: [],
    dequeue: poison === undefined ? [] : [poison.seq],
  });
  if (committed.kind !== 'committed') throw new HiloError('STORE_CONFLICT', { executionId });
  kernel.lanes.unblock(lane, executionId);
  if (isLegal) kernel.events.emit('execution.quarantined', executionRef(after), { reason });
}

/** The state after a quarantine, which no canvas is asked for. */
export const quarantinedBy = (state: ExecutionState, event: ExecutionEvent): ExecutionState => ({
  ...state,
  status: 'quarantined',
  historyBytes: state.historyBytes + weigh(event),
});
