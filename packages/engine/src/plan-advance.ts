import type { EffectCall } from './effect-call.ts';
import type { ExecutionEvent } from './contract/event.ts';
import type { ExecutionState } from './contract/execution.ts';
import type { Commit, ExecutionRecord, HistoryRecord } from './contract/store.ts';
import type { Write } from './contract/variables.ts';
import { followUp, type NewChild } from './follow-up.ts';
import type { Kernel } from './kernel.ts';
import { runActor } from './machine/canvas-logic.ts';
import { finalStatuses } from './machine/lifecycle.ts';
import { masked } from './masked.ts';
import { callOf } from './perform-effect.ts';
import { changesSince, contactChanges, surroundings } from './surroundings.ts';

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
  readonly afterwards: readonly EffectCall[];
}

/** Works out everything the event leads to; writes nothing. */
export async function planAdvance(kernel: Kernel, record: ExecutionRecord, event: EventCore, { isNew = false } = {}): Promise<Advance> {
  const atMs = kernel.clock.now();
  // A new execution was made of its surroundings a moment ago.
  const news = isNew ? [] : changesSince(record.state, await surroundings(kernel, record.state.origin, atMs));
  const history: HistoryRecord[] = [];
  const children: NewChild[] = [];
  const enqueue: Commit['enqueue'][number][] = [];
  const outward: Write[] = [];
  const afterwards: EffectCall[] = [];
  let state: ExecutionState = record.state;

  // Most events need one transition. A jump, a child that cannot be called, or an effect whose answer is known beforehand,
  // brings the next one with it.
  for (let next: ExecutionEvent | undefined = { ...event, atMs, ...(news.length === 0 ? {} : { news }) }; next !== undefined; ) {
    const hash: string = next.type === 'canvas.entered' ? next.canvasHash : state.canvasHash;
    const canvas = kernel.library.get(record.companyId, hash) ?? (await kernel.library.load(record.companyId, hash));
    const snapshot = runActor(canvas, state, next, kernel.inspect);
    if (snapshot.state === state) break;
    history.push(
      masked(
        {
          companyId: record.companyId,
          executionId: record.executionId,
          revision: record.revision + 1,
          event: next,
          entries: snapshot.trail,
        },
        canvas,
        state,
      ),
    );
    outward.push(...snapshot.outward);
    state = snapshot.state;
    const following = followUp(kernel, record, state, next, snapshot.asked, enqueue);
    const followed = following instanceof Promise ? await following : following;
    children.push(...followed.children);
    enqueue.push(...followed.enqueue);
    next = followed.event;
    const { pending } = state;
    const answer = next === undefined && pending !== undefined ? kernel.drivers.get(pending.type)?.answer : undefined;
    if (pending !== undefined && answer !== undefined) {
      afterwards.push(callOf(record, pending));
      next = { type: 'effect.settled', key: pending.key, atMs, settled: { kind: 'result', value: answer } };
    }
  }
  if (state === record.state) return { saves: [], history, contacts: [], enqueue, moved: [] };
  const after: ExecutionRecord = { ...record, revision: record.revision + 1, updatedAtMs: atMs, state };
  const advance: Advance = {
    saves: [after, ...children.map((child) => child.record)],
    history: [...history, ...children.map((child) => child.history)],
    contacts: contactChanges(state, outward, atMs),
    enqueue,
    moved: [{ before: record, after, history, afterwards }],
  };
  const isLeft = record.state.wait?.childId !== undefined && state.wait?.id !== record.state.wait.id && event.type !== 'child.ended';
  return isLeft ? withChildCancelled(kernel, record, advance) : advance;
}

/** A child that is no longer waited for ends with the advance that left it, and its own with it: nothing of it runs on (P18). */
async function withChildCancelled(kernel: Kernel, { companyId, state }: ExecutionRecord, advance: Advance): Promise<Advance> {
  const child = await kernel.store.load(companyId, state.wait?.childId ?? '');
  if (child === undefined || finalStatuses.has(child.state.status)) return advance;
  const cancelled = await planAdvance(kernel, child, { type: 'execution.cancelled', reason: 'The execution that called it went on' });
  return {
    saves: [...advance.saves, ...cancelled.saves],
    history: [...advance.history, ...cancelled.history],
    contacts: [...advance.contacts, ...cancelled.contacts],
    // Whoever called it does not have to be told.
    enqueue: [...advance.enqueue, ...cancelled.enqueue.filter(({ accepted }) => accepted.kind !== 'child.ended')],
    moved: [...advance.moved, ...cancelled.moved],
  };
}
