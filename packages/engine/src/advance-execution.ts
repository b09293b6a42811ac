import { commitInTurn, takeUpNext } from './commit-in.ts';
import { isInternal } from './contract/accepted.ts';
import { HiloError } from './contract/errors.ts';
import type { Settled } from './contract/execution.ts';
import type { Commit, ExecutionRecord, Queued } from './contract/store.ts';
import type { Kernel } from './kernel.ts';

import { holdThroughPause, performAfterwards, performEffect } from './perform-effect.ts';
import { type EventCore, type Moved, planAdvance } from './plan-advance.ts';
import { quarantine } from './quarantine.ts';
import { madeProgress } from './made-progress.ts';
import { publishEvents } from './publish-events.ts';
import { inTurn } from './in-turn.ts';

/** What is committed beside the advance itself. */
export interface Beside extends Partial<Pick<Commit, 'enqueue' | 'seen'>> {
  /** What this is the consequence of. */
  readonly queued?: Queued;
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
  { queued, known, enqueue = [], seen }: Beside = {},
): Promise<ExecutionRecord | undefined> {
  for (let attempt = 0; attempt < maxConflicts; attempt += 1) {
    const record = attempt === 0 && known !== undefined ? known : await kernel.store.load(companyId, executionId);
    const event = record === undefined ? undefined : choose(record);
    if (record === undefined || event === undefined) {
      if (queued !== undefined) await dropQueued(kernel, queued);
      return undefined;
    }
    const { moved, ...planned } = await planAdvance(kernel, record, event);
    const advance = { ...planned, enqueue: [...planned.enqueue, ...enqueue] };
    const dequeue = queued === undefined ? [] : [queued.seq];
    const committed = await commitInTurn(kernel, record.lane, { ...advance, dequeue, ...(seen === undefined ? {} : { seen }) });
    if (committed.kind === 'committed') return follow(kernel, moved, advance.enqueue);
    if (committed.kind === 'duplicate') return undefined;
  }
  throw new HiloError('STORE_CONFLICT', { executionId });
}

/** Removes something from its queue that leads to nothing. */
export async function dropQueued(kernel: Kernel, { lane, seq }: Pick<Queued, 'lane' | 'seq'>): Promise<void> {
  await commitInTurn(kernel, lane, { saves: [], history: [], contacts: [], enqueue: [], dequeue: [seq] });
}

/** What comes after the commit: its due time is armed, it is told, its effect set going, and what it queued gets its turn. */
export function follow(kernel: Kernel, moved: readonly Moved[], enqueue: Commit['enqueue']): ExecutionRecord | undefined {
  for (const { before, after, history, afterwards } of moved) {
    const { status, wait } = after.state;
    if (status === 'waiting' && typeof wait?.dueAtMs === 'number') kernel.timers.arm(wait.dueAtMs);
    for (const call of afterwards) performAfterwards(kernel, call);
    publishEvents(kernel, before, after, history);
    settleLane(kernel, after);
  }
  const [first] = moved;
  if (first !== undefined) madeProgress(kernel, first.after.lane);
  for (const queued of enqueue) kernel.processNext(queued.lane, { isInternal: isInternal(queued) });
  return first?.after;
}

/**
 * Sets the execution's effect going and keeps the lane until it is answered; else lets the lane go. A lane that was lost
 * meanwhile is taken up by whoever has it next, as the store has it.
 */
export function settleLane(kernel: Kernel, record: ExecutionRecord): void {
  const { lane, executionId, state } = record;
  const { pending, wait, visit } = state;
  if (!kernel.lanes.isOurs(lane)) {
    takeUpNext(kernel, lane);
    return;
  }
  if (state.status === 'running' && pending !== undefined) {
    const underWay = kernel.lanes.blocks(lane).get(executionId)?.call;
    const isUnderWay = underWay?.key === pending.key && underWay.attempt === pending.attempt;
    if (!isUnderWay) performEffect(kernel, record, pending, (settled) => recordAnswer(kernel, record, pending.key, settled));
  } else if (state.status === 'waiting' && wait?.kind === 'retry' && visit?.hold !== undefined) {
    holdThroughPause(kernel, record);
  } else {
    kernel.lanes.blocks(lane).get(executionId)?.abort?.();
    kernel.lanes.unblock(lane, executionId);
  }
}

/** Commits the answer of an effect, and what follows from it. An execution that cannot take it is quarantined (P17). */
async function recordAnswer(kernel: Kernel, record: ExecutionRecord, key: string, settled: Settled): Promise<void> {
  const { companyId, executionId, lane } = record;
  const doing = `recording the answer of effect ${key}`;
  const choose = ({ state }: ExecutionRecord): EventCore | undefined =>
    state.pending?.key === key ? { type: 'effect.settled', key, settled } : undefined;
  try {
    await inTurn(kernel, lane, doing, async () => {
      const after = await advanceExecution(kernel, companyId, executionId, choose, { known: record });
      if (after === undefined) await letGo(kernel, record, key);
    });
  } catch (error) {
    kernel.events.emit('engine.fault', { error, while: doing });
    await inTurn(kernel, lane, doing, async () => {
      const stuck = await kernel.store.load(companyId, executionId);
      if (stuck?.state.pending?.key === key) await quarantine(kernel, stuck, error instanceof Error ? error.message : String(error));
    });
  }
}

/** An answer that changed nothing was recorded before, or is not waited for any more: the lane is kept by what is there now. */
async function letGo(kernel: Kernel, { companyId, executionId, lane }: ExecutionRecord, key: string): Promise<void> {
  const now = await kernel.store.load(companyId, executionId);
  if (kernel.lanes.blocks(lane).get(executionId)?.call.key === key) kernel.lanes.unblock(lane, executionId);
  if (now !== undefined) settleLane(kernel, now);
}
