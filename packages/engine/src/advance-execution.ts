import { HiloError } from './contract/errors.ts';
import type { ExecutionEvent } from './contract/event.ts';
import type { ExecutionState } from './contract/execution.ts';
import type { Commit, ContactChange, ExecutionRecord, HistoryRecord } from './contract/store.ts';
import type { Write } from './contract/variables.ts';
import { followUp, type NewChild } from './follow-up.ts';
import type { Kernel } from './kernel.ts';
import { nextSnapshot } from './machine/canvas-logic.ts';
import { finalStatuses } from './machine/lifecycle.ts';
import { snapshotOf } from './machine/snapshot.ts';
import { masked } from './masked.ts';
import { performEffect } from './perform-effect.ts';
import { changesSince, contactChanges, surroundings } from './surroundings.ts';
import { tellAdvance } from './tell-advance.ts';

/** What is committed beside the advance itself. */
export interface Beside {
  readonly dequeue?: readonly number[];
}

/** An event without what the advance adds: its instant, and what changed around the execution. */
export type EventCore = ExecutionEvent extends infer Event ? (Event extends ExecutionEvent ? Omit<Event, 'atMs' | 'news'> : never) : never;

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
  { dequeue = [] }: Beside = {},
): Promise<ExecutionRecord | undefined> {
  for (let attempt = 0; attempt < maxConflicts; attempt += 1) {
    const record = await kernel.store.load(companyId, executionId);
    const event = record === undefined ? undefined : choose(record);
    if (record === undefined || event === undefined) {
      if (dequeue.length > 0) await kernel.store.commit({ saves: [], history: [], contacts: [], enqueue: [], dequeue });
      return undefined;
    }
    const advance = await plan(kernel, record, event);
    const committed = await kernel.store.commit({ ...advance.commit, dequeue });
    if (committed.kind === 'conflict') continue;
    const [after] = advance.commit.saves;
    if (after === undefined) return undefined;
    tellAdvance(kernel, record, after, advance.commit.history);
    settleLane(kernel, after);
    const seqs = committed.kind === 'committed' ? committed.seqs : [];
    for (const [index, queued] of advance.commit.enqueue.entries()) {
      const seq = seqs[index];
      if (seq !== undefined) kernel.process({ ...queued, seq });
    }
    return after;
  }
  throw new HiloError('STORE_CONFLICT', { executionId });
}

/** Works out everything the event leads to; writes nothing. */
async function plan(kernel: Kernel, record: ExecutionRecord, event: EventCore): Promise<{ readonly commit: Omit<Commit, 'dequeue'> }> {
  const atMs = kernel.clock.now();
  const news = changesSince(record.state, await surroundings(kernel, record.state.origin, atMs));
  const history: HistoryRecord[] = [];
  const children: NewChild[] = [];
  const enqueue: Commit['enqueue'][number][] = [];
  const outward: Write[] = [];
  let state: ExecutionState = record.state;

  // Most events need one transition. A jump, or a child that cannot be called, brings the next one with it.
  for (let next: ExecutionEvent | undefined = { ...event, atMs, ...(news.length === 0 ? {} : { news }) }; next !== undefined; ) {
    const hash: string = next.type === 'canvas.entered' ? next.canvasHash : state.canvasHash;
    const canvas = kernel.library.get(record.companyId, hash) ?? (await kernel.library.load(record.companyId, hash));
    const snapshot = nextSnapshot(canvas, snapshotOf(state), next);
    if (snapshot.state === state) break;
    history.push(
      masked({ executionId: record.executionId, revision: record.revision + 1, event: next, entries: snapshot.trail }, canvas, state),
    );
    outward.push(...snapshot.outward);
    const before: ExecutionState = state;
    state = snapshot.state;
    const followed = await followUp(kernel, record, before, state, next, snapshot.asked);
    children.push(...followed.children);
    enqueue.push(...followed.enqueue);
    next = followed.event;
  }
  const contacts: readonly ContactChange[] = contactChanges(state, outward, atMs);
  const saves =
    state === record.state
      ? []
      : [{ ...record, revision: record.revision + 1, updatedAtMs: atMs, state }, ...children.map((child) => child.record)];
  return { commit: { saves, history: [...history, ...children.map((child) => child.history)], contacts, enqueue } };
}

/** Blocks the lane while the execution's effect has no answer, and sets the effect going. */
export function settleLane(kernel: Kernel, record: ExecutionRecord): void {
  const { companyId, lane, executionId, state } = record;
  if (state.pending === undefined || finalStatuses.has(state.status) || state.status === 'quarantined') {
    kernel.lanes.unblock(lane, executionId);
    return;
  }
  const { key } = state.pending;
  performEffect(kernel, record, state.pending, (settled) =>
    advanceExecution(kernel, companyId, executionId, () => ({ type: 'effect.settled', key, settled })),
  );
}
