import type { ExecutionEvent } from './contract/event.ts';
import type { ExecutionState } from './contract/execution.ts';
import type { Commit, ContactChange, ExecutionRecord, HistoryRecord } from './contract/store.ts';
import type { Write } from './contract/variables.ts';
import { followUp, type NewChild } from './follow-up.ts';
import type { Kernel } from './kernel.ts';
import { nextSnapshot } from './machine/canvas-logic.ts';
import { snapshotOf } from './machine/snapshot.ts';
import { masked } from './masked.ts';
import { changesSince, contactChanges, surroundings } from './surroundings.ts';

/** An event without what the advance adds: its instant, and what changed around the execution. */
export type EventCore = ExecutionEvent extends infer Event ? (Event extends ExecutionEvent ? Omit<Event, 'atMs' | 'news'> : never) : never;

/** An advance, ready to be committed. The first save is the execution itself; none when nothing changed. */
export type Advance = Omit<Commit, 'dequeue' | 'seen'>;

/** Works out everything the event leads to; writes nothing. */
export async function planAdvance(kernel: Kernel, record: ExecutionRecord, event: EventCore, { isNew = false } = {}): Promise<Advance> {
  const atMs = kernel.clock.now();
  // A new execution was made of its surroundings a moment ago.
  const news = isNew ? [] : changesSince(record.state, await surroundings(kernel, record.state.origin, atMs));
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
    const before: ExecutionState = state;
    state = snapshot.state;
    const following = followUp(kernel, record, before, state, next, snapshot.asked);
    const followed = following instanceof Promise ? await following : following;
    children.push(...followed.children);
    enqueue.push(...followed.enqueue);
    next = followed.event;
  }
  const contacts: readonly ContactChange[] = contactChanges(state, outward, atMs);
  const saves =
    state === record.state
      ? []
      : [{ ...record, revision: record.revision + 1, updatedAtMs: atMs, state }, ...children.map((child) => child.record)];
  if (children.length > 0) history.push(...children.map((child) => child.history));
  return { saves, history, contacts, enqueue };
}
