import { HiloError } from './contract/errors.ts';
import type { ExecutionRecord } from './contract/store.ts';
import type { Kernel } from './kernel.ts';
import { holdThroughPause, performEffect } from './perform-effect.ts';
import { type Advance, type EventCore, planAdvance } from './plan-advance.ts';
import { tellAdvance } from './tell-advance.ts';

/** What is committed beside the advance itself. */
export interface Beside {
  readonly dequeue?: readonly number[];
  /** The execution as it was committed last, where that is at hand: read again only when another writer was faster. */
  readonly known?: ExecutionRecord;
}

/** How often an advance is tried against other writers before the caller is told. */
const maxConflicts = 5;

/**
 * Carries an execution from an event to its next stand, in one conditional transaction (P3, P8): position, variables,
 * wait, effect intent, history, the child it calls or the parent it tells. Then its effect is set going.
 *
 * @param choose - the event for the execution as it now is; `undefined` when it no longer applies, and nothing but
 *   `beside` is committed
 * @returns the execution after the advance, or `undefined` when there was nothing to do
 * @throws {HiloError} `STORE_CONFLICT` when other writers were faster, again and again
 */
export async function advanceExecution(
  kernel: Kernel,
  companyId: string,
  executionId: string,
  choose: (record: ExecutionRecord) => EventCore | undefined,
  { dequeue = [], known }: Beside = {},
): Promise<ExecutionRecord | undefined> {
  for (let attempt = 0; attempt < maxConflicts; attempt += 1) {
    const record = attempt === 0 && known !== undefined ? known : await kernel.store.load(companyId, executionId);
    const event = record === undefined ? undefined : choose(record);
    if (record === undefined || event === undefined) {
      if (dequeue.length > 0) await kernel.store.commit({ saves: [], history: [], contacts: [], enqueue: [], dequeue });
      return undefined;
    }
    const advance = await planAdvance(kernel, record, event);
    const committed = await kernel.store.commit({ ...advance, dequeue });
    if (committed.kind === 'committed') return follow(kernel, record, advance, committed.seqs);
  }
  throw new HiloError('STORE_CONFLICT', { executionId });
}

/** What comes after the commit: it is told, its effect set going, and what it queued gets its turn. */
export function follow(
  kernel: Kernel,
  before: ExecutionRecord,
  { saves: [after], history, enqueue }: Advance,
  seqs: readonly number[],
): ExecutionRecord | undefined {
  if (after === undefined) return undefined;
  tellAdvance(kernel, before, after, history);
  settleLane(kernel, after);
  for (const [index, queued] of enqueue.entries()) {
    const seq = seqs[index];
    if (seq !== undefined) kernel.process({ ...queued, seq });
  }
  return after;
}

/** Sets the execution's effect going and keeps the lane until it is answered; else lets the lane go. */
export function settleLane(kernel: Kernel, record: ExecutionRecord): void {
  const { companyId, lane, executionId, state } = record;
  const { pending, wait, visit } = state;
  if (state.status === 'running' && pending !== undefined) {
    const { key } = pending;
    performEffect(kernel, record, pending, (settled) =>
      advanceExecution(kernel, companyId, executionId, () => ({ type: 'effect.settled', key, settled }), { known: record }),
    );
  } else if (state.status === 'waiting' && wait?.kind === 'retry' && visit?.hold !== undefined) {
    holdThroughPause(kernel, record, visit);
  } else kernel.lanes.unblock(lane, executionId);
}
