import type { CanvasStore, Clock, Commit, ExecutionStore, InboxItem } from '@hilo/engine/contract';
import { idempotencyKey } from '@hilo/engine/debug';
import type { CrashPointName } from '../points.ts';
import { type Fuse, report } from './fuse.ts';
import type { Writer } from '../../../packages/stores/src/sqlite/writer.ts';

/** Messages that a store has given to lanes, by their place, for a commit that takes one away. */
class Given {
  readonly #messages = new Map<string, string>();

  note(item: InboxItem | undefined): InboxItem | undefined {
    const id = item?.accepted.kind === 'message' ? item.accepted.message['id'] : undefined;
    if (item !== undefined && typeof id === 'string') this.#messages.set(`${item.lane} ${item.seq}`, id);
    return item;
  }

  /** Those that a commit removes without a consequence. */
  removedBy({ saves, dequeue }: Commit): readonly { readonly lane: string; readonly id: string }[] {
    if (saves.length > 0) return [];
    return dequeue.flatMap(({ lane, seq }) => {
      const id = this.#messages.get(`${lane} ${seq}`);
      return id === undefined ? [] : [{ lane, id }];
    });
  }
}

/** An execution store with the crash points of its port. @param typeOf - the type of the effect with this key */
export const fusedStore = (
  store: ExecutionStore,
  fuse: Fuse,
  typeOf: (key: string) => string | undefined,
  given = new Given(),
): ExecutionStore => ({
  ...store,
  nextQueued: async (...asked) => given.note(await store.nextQueued(...asked)),
  async commit(commit) {
    const removed = given.removedBy(commit);
    const deaths = removed.length === 0 ? new Map<string, number>() : await store.crashCounts(removed.map(({ lane }) => lane));
    // Said before it is done: a process that dies right behind the commit tells nobody any more.
    for (const { lane, id } of removed) if (deaths.has(lane)) report({ kind: 'dropped', eventId: id });
    const committed = await fuse.around(pointsOf(commit, typeOf), async () => store.commit(commit));
    const saves = commit.saves.filter(({ state }) => state.status === 'waiting');
    if (committed.kind === 'committed' && saves.length > 0) await fuse.around(['late.commit'], () => commitLate(store, saves));
    return committed;
  },
  unfinished: (after, limit) => fuse.around(['recovery'], () => store.unfinished(after, limit)),
  async due(...asked) {
    const due = await store.due(...asked);
    return due.length === 0 ? due : fuse.around(['timers.claimed'], () => Promise.resolve(due));
  },
});

/** Commits once more what was committed already, as a writer would that was held up. */
async function commitLate(store: ExecutionStore, saves: Commit['saves']): Promise<void> {
  const { kind } = await store.commit({ saves, history: [], contacts: [], enqueue: [], dequeue: [] });
  if (kind !== 'conflict') throw new Error(`A commit over a revision that is there was answered "${kind}"`);
}

/** A canvas store with its crash points. */
export const fusedCanvases = (canvases: CanvasStore, fuse: Fuse): CanvasStore => ({
  ...canvases,
  saveDraft: (...draft) => fuse.around(['draft'], () => canvases.saveDraft(...draft)),
  publish: (...version) => fuse.around(['publish'], () => canvases.publish(...version)),
});

/** Which points a commit is: one holds the answer of an effect, the intent of the next and the child that it calls. */
function pointsOf({ saves, history, enqueue, dequeue }: Commit, typeOf: (key: string) => string | undefined): readonly CrashPointName[] {
  const events = history.map(({ event }) => event);
  const [{ companyId } = { companyId: '' }] = history;
  const happened = (type: (typeof events)[number]['type']): boolean => events.some((event) => event.type === type);
  const settled = events.flatMap((event) => (event.type === 'effect.settled' ? [typeOf(idempotencyKey(companyId, event.key))] : []));
  const isPoint: { readonly [Name in CrashPointName]?: boolean } = {
    'start.commit': saves.some(({ parent }) => parent === undefined) && happened('execution.accepted'),
    'message.commit': enqueue.some(({ accepted }) => accepted.kind === 'message'),
    'turn.commit': dequeue.length > 0,
    'reply.commit': happened('reply.received'),
    'resume.commit': happened('webhook.received'),
    'intent.commit': saves.some(({ state }) => state.pending !== undefined),
    'call.commit': settled.includes('http.request'),
    'send.commit': settled.includes('message.send'),
    'wait.commit': saves.some(({ state: { wait } }) => wait !== undefined && wait.dueAtMs !== null),
    'timer.commit': happened('timer.fired'),
    'child.commit': saves.some(({ parent, revision }) => parent !== undefined && revision === 1),
    'child-end.commit': enqueue.some(({ accepted }) => accepted.kind === 'child.ended'),
    'parent.commit': happened('child.ended'),
    'cancel.commit': happened('execution.cancelled'),
  };
  return (Object.keys(isPoint) as CrashPointName[]).filter((name) => isPoint[name]);
}

/** The system clock, whose timers have a crash point when they fire. */
export const fusedClock = (fuse: Fuse): Clock => ({
  now: () => Date.now(),
  setTimeout: (callback, delayMs) => setTimeout(() => fuse.aroundSync(['timer.ring'], callback), delayMs),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
});

/** A writer with crash points for every group: when it is handed over, and when it is durable and unreported. */
export const fusedWriter = (writer: Writer, fuse: Fuse): Writer => ({
  ...writer,
  async write(group) {
    const answer = fuse.aroundSync(['group.handed-over'], () => writer.write(group));
    const outcomes = await answer;
    fuse.reach('group.committed', 'before');
    setImmediate(() => fuse.reach('group.committed', 'after'));
    return outcomes;
  },
});
