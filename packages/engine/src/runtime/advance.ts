import { HiloError } from '../contract/errors.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { EffectCall, ExecutionState, Settled } from '../contract/execution.ts';
import { isInternal } from '../contract/inbox.ts';
import type { Commit, Committed, ExecutionRecord, HistoryRecord, InboxItem } from '../contract/store.ts';
import type { Write } from '../contract/variables.ts';
import { runActor } from '../machine/canvas-logic.ts';
import { finalStatuses, lifecycle } from '../machine/lifecycle.ts';
import { maskHistory } from '../machine/mask.ts';
import { weigh } from '../variables/measure.ts';
import { type NewChild, followUp } from './child-executions.ts';
import type { EngineContext } from './context.ts';
import { executionRef, publishEvents } from './events.ts';
import { scopeChanges, contactChanges, readExternalScopes } from './external-scopes.ts';
import { callOf, holdThroughPause, performDetached, performEffect } from './perform-effect.ts';
import { retryWhileOwned, withLane } from './retry.ts';

/** What is committed beside the advance itself. */
export interface Beside extends Partial<Pick<Commit, 'enqueue' | 'seen'>> {
  /** What this is the consequence of. */
  readonly queued?: InboxItem;
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
  context: EngineContext,
  companyId: string,
  executionId: string,
  choose: (record: ExecutionRecord) => EventCore | undefined,
  { queued, known, enqueue = [], seen }: Beside = {},
): Promise<ExecutionRecord | undefined> {
  for (let attempt = 0; attempt < maxConflicts; attempt += 1) {
    const record = attempt === 0 && known !== undefined ? known : await context.store.load(companyId, executionId);
    const event = record === undefined ? undefined : choose(record);
    if (record === undefined || event === undefined) {
      if (queued !== undefined) await dropQueued(context, queued);
      return undefined;
    }
    const { moved, ...planned } = await planAdvance(context, record, event);
    const advance = { ...planned, enqueue: [...planned.enqueue, ...enqueue] };
    const dequeue = queued === undefined ? [] : [queued.seq];
    const committed = await commitAsOwner(context, record.lane, { ...advance, dequeue, ...(seen === undefined ? {} : { seen }) });
    if (committed.kind === 'committed') return applyCommitted(context, moved, advance.enqueue);
    if (committed.kind === 'duplicate') return undefined;
  }
  throw new HiloError('STORE_CONFLICT', { executionId });
}

/** Removes something from its queue that leads to nothing. */
export async function dropQueued(context: EngineContext, { lane, seq }: Pick<InboxItem, 'lane' | 'seq'>): Promise<void> {
  await commitAsOwner(context, lane, { saves: [], history: [], contacts: [], enqueue: [], dequeue: [seq] });
}

/** What comes after the commit: its due time is armed, it is told, its effect set going, and what it queued gets its turn. */
export function applyCommitted(context: EngineContext, moved: readonly Moved[], enqueue: Commit['enqueue']): ExecutionRecord | undefined {
  for (const { before, after, history, detached } of moved) {
    const { status, wait } = after.state;
    if (status === 'waiting' && typeof wait?.dueAtMs === 'number') context.timers.arm(wait.dueAtMs);
    for (const call of detached) performDetached(context, call);
    publishEvents(context.events, before, after, history);
    settleLane(context, after);
  }
  const [first] = moved;
  if (first !== undefined) context.crashTracker.clear(first.after.lane);
  for (const queued of enqueue) context.processNext(queued.lane, { isInternal: isInternal(queued) });
  return first?.after;
}

/**
 * Sets the execution's effect going and keeps the lane until it is answered; else lets the lane go. A lane that was lost
 * meanwhile is taken up by whoever has it next, as the store has it.
 */
export function settleLane(context: EngineContext, record: ExecutionRecord): void {
  const { lane, executionId, state } = record;
  const { pending, wait, visit } = state;
  if (!context.lanes.isOurs(lane)) {
    recoverLaneNext(context, lane);
    return;
  }
  if (state.status === 'running' && pending !== undefined) {
    const underWay = context.lanes.blocks(lane).get(executionId)?.call;
    const isUnderWay = underWay?.key === pending.key && underWay.attempt === pending.attempt;
    if (!isUnderWay) performEffect(context, record, pending, (settled) => recordAnswer(context, record, pending.key, settled));
  } else if (state.status === 'waiting' && wait?.kind === 'retry' && visit?.hold !== undefined) {
    holdThroughPause(context, record);
  } else {
    context.lanes.blocks(lane).get(executionId)?.abort?.();
    context.lanes.unblock(lane, executionId);
  }
}

/** Commits the answer of an effect, and what follows from it. An execution that cannot take it is quarantined (P17). */
async function recordAnswer(context: EngineContext, record: ExecutionRecord, key: string, settled: Settled): Promise<void> {
  const { companyId, executionId, lane } = record;
  const doing = `recording the answer of effect ${key}`;
  const choose = ({ state }: ExecutionRecord): EventCore | undefined =>
    state.pending?.key === key ? { type: 'effect.settled', key, settled } : undefined;
  try {
    await retryWhileOwned(context, lane, doing, async () => {
      const after = await advanceExecution(context, companyId, executionId, choose, { known: record });
      if (after === undefined) await letGo(context, record, key);
    });
  } catch (error) {
    context.events.emit('engine.fault', { error, while: doing });
    await retryWhileOwned(context, lane, doing, async () => {
      const stuck = await context.store.load(companyId, executionId);
      if (stuck?.state.pending?.key === key) await quarantine(context, stuck, error instanceof Error ? error.message : String(error));
    });
  }
}

/** An answer that changed nothing was recorded before, or is not waited for any more: the lane is kept by what is there now. */
async function letGo(context: EngineContext, { companyId, executionId, lane }: ExecutionRecord, key: string): Promise<void> {
  const now = await context.store.load(companyId, executionId);
  if (context.lanes.blocks(lane).get(executionId)?.call.key === key) context.lanes.unblock(lane, executionId);
  if (now !== undefined) settleLane(context, now);
}

/** An event without what the advance adds: its instant, and what changed around the execution. */
export type EventCore = ExecutionEvent extends infer Event ? (Event extends ExecutionEvent ? Omit<Event, 'atMs' | 'news'> : never) : never;

/** An advance, ready to be committed. */
export interface Advance extends Omit<Commit, 'dequeue' | 'seen'> {
  /** The executions that it moves on: the one it is about first, then the children that end with it; none when nothing changed. */
  readonly moved: readonly Moved[];
}

/** One execution before and after an advance. */
export interface Moved {
  readonly before: ExecutionRecord;
  readonly after: ExecutionRecord;
  readonly history: readonly HistoryRecord[];
  /** Effects whose answers were known beforehand: they are performed once all of it is committed. */
  readonly detached: readonly EffectCall[];
}

/** Works out everything the event leads to; writes nothing. */
export async function planAdvance(
  context: EngineContext,
  record: ExecutionRecord,
  event: EventCore,
  { isNew = false } = {},
): Promise<Advance> {
  const atMs = context.clock.now();
  // A new execution was made of its readExternalScopes a moment ago.
  const contextUpdates = isNew ? [] : scopeChanges(record.state, await readExternalScopes(context, record.state.origin, atMs));
  const history: HistoryRecord[] = [];
  const children: NewChild[] = [];
  const enqueue: Commit['enqueue'][number][] = [];
  const persistentWrites: Write[] = [];
  const detached: EffectCall[] = [];
  let state: ExecutionState = record.state;

  // Most events need one transition. A jump, a child that cannot be called, or an effect whose answer is known beforehand,
  // brings the next one with it.
  for (
    let next: ExecutionEvent | undefined = { ...event, atMs, ...(contextUpdates.length === 0 ? {} : { contextUpdates }) };
    next !== undefined;
  ) {
    const hash: string = next.type === 'canvas.entered' ? next.canvasHash : state.canvasHash;
    const canvas = context.library.get(record.companyId, hash) ?? (await context.library.load(record.companyId, hash));
    const snapshot = runActor(canvas, state, next, context.inspect);
    if (snapshot.state === state) break;
    history.push(
      maskHistory(
        {
          companyId: record.companyId,
          executionId: record.executionId,
          revision: record.revision + 1,
          event: next,
          entries: snapshot.history,
        },
        canvas,
        state,
      ),
    );
    persistentWrites.push(...snapshot.persistentWrites);
    state = snapshot.state;
    const following = followUp(context, record, state, next, snapshot.asked, enqueue);
    const followed = following instanceof Promise ? await following : following;
    children.push(...followed.children);
    enqueue.push(...followed.enqueue);
    next = followed.event;
    const { pending } = state;
    const answer = next === undefined && pending !== undefined ? context.drivers.get(pending.type)?.answer : undefined;
    if (pending !== undefined && answer !== undefined) {
      detached.push(callOf(record, pending));
      next = { type: 'effect.settled', key: pending.key, atMs, settled: { kind: 'result', value: answer } };
    }
  }
  if (state === record.state) return { saves: [], history, contacts: [], enqueue, moved: [] };
  const after: ExecutionRecord = { ...record, revision: record.revision + 1, updatedAtMs: atMs, state };
  const advance: Advance = {
    saves: [after, ...children.map((child) => child.record)],
    history: [...history, ...children.map((child) => child.history)],
    contacts: contactChanges(state, persistentWrites, atMs),
    enqueue,
    moved: [{ before: record, after, history, detached }],
  };
  const isLeft = record.state.wait?.childId !== undefined && state.wait?.id !== record.state.wait.id && event.type !== 'child.ended';
  return isLeft ? withChildCancelled(context, record, advance) : advance;
}

/** A child that is no longer waited for ends with the advance that left it, and its own with it: nothing of it runs on (P18). */
async function withChildCancelled(context: EngineContext, { companyId, state }: ExecutionRecord, advance: Advance): Promise<Advance> {
  const child = await context.store.load(companyId, state.wait?.childId ?? '');
  if (child === undefined || finalStatuses.has(child.state.status)) return advance;
  const cancelled = await planAdvance(context, child, { type: 'execution.cancelled', reason: 'The execution that called it went on' });
  return {
    saves: [...advance.saves, ...cancelled.saves],
    history: [...advance.history, ...cancelled.history],
    contacts: [...advance.contacts, ...cancelled.contacts],
    // Whoever called it does not have to be told.
    enqueue: [...advance.enqueue, ...cancelled.enqueue.filter(({ accepted }) => accepted.kind !== 'child.ended')],
    moved: [...advance.moved, ...cancelled.moved],
  };
}

/** Recovers a lane as the store has it, before all else in it. */
const recoverLaneNext = (context: EngineContext, lane: string): void =>
  withLane(context, lane, `recovering lane ${lane}`, () => context.recoverLane(lane));

/**
 * Commits what is accepted for a lane, whoever has the lane. When the store cannot say what became of the commit, the lane
 * is taken up as the store has it once it answers again: what was committed though nobody heard of it goes on.
 *
 * @throws {HiloError} `STORE_UNAVAILABLE`
 */
export async function commit(context: EngineContext, lane: string, changes: Commit): Promise<Committed> {
  try {
    return await context.store.commit(changes);
  } catch (error) {
    recoverLaneNext(context, lane);
    throw error;
  }
}

/**
 * Commits in the lane's turn: refused once the lane is another process's, however late this one wakes (P8).
 *
 * @throws {HiloError} `STORE_UNAVAILABLE`
 */
export async function commitAsOwner(context: EngineContext, lane: string, changes: Commit): Promise<Committed> {
  if (!context.lanes.isOurs(lane)) throw new HiloError('STORE_UNAVAILABLE', { reason: 'Another process took over: nothing was written' });
  return commit(context, lane, changes);
}

/**
 * Takes an execution out of work until an operator releases it (P17). Its canvas is not asked: it may be what cannot be
 * run.
 *
 * @param poison - what was accepted for it and cannot be processed; it leaves the queue and is kept in the history
 * @throws {HiloError} `STORE_CONFLICT`, `STORE_UNAVAILABLE`
 */
export async function quarantine(context: EngineContext, record: ExecutionRecord, reason: string, poison?: InboxItem): Promise<void> {
  const { companyId, executionId, lane, state } = record;
  const isLegal = lifecycle[state.status].includes('execution.quarantined');
  const atMs = context.clock.now();
  const revision = record.revision + 1;
  const event: ExecutionEvent = {
    type: 'execution.quarantined',
    reason,
    atMs,
    ...(poison === undefined ? {} : { accepted: poison.accepted }),
  };
  const after: ExecutionRecord = { ...record, revision, updatedAtMs: atMs, state: quarantinedBy(state, event) };
  const committed = await commitAsOwner(context, lane, {
    saves: isLegal ? [after] : [],
    history: isLegal ? [{ companyId, executionId, revision, event, entries: [] }] : [],
    contacts: [],
    enqueue: [],
    dequeue: poison === undefined ? [] : [poison.seq],
  });
  if (committed.kind !== 'committed') throw new HiloError('STORE_CONFLICT', { executionId });
  context.lanes.unblock(lane, executionId);
  if (isLegal) context.events.emit('execution.quarantined', executionRef(after), { reason });
}

/** The state after a quarantine, which no canvas is asked for. */
export const quarantinedBy = (state: ExecutionState, event: ExecutionEvent): ExecutionState => ({
  ...state,
  status: 'quarantined',
  historyBytes: state.historyBytes + weigh(event),
});
