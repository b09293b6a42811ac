// The plainest execution store, to which others are compared.
import {
  type Commit,
  type Committed,
  type Contact,
  type ContactChange,
  type DueWait,
  type ExecutionFilter,
  type ExecutionRecord,
  isInternal,
  type Json,
  keepsLane,
  type InboxItem,
  type UnfinishedLane,
} from '@hilo/engine/contract';

/** The semantics of an `ExecutionStore` in the plainest form: all commits are kept, and every query scans all of them. */
export interface NaiveStore {
  /** The expected result of this commit. A successful one is applied; its queued items get the numbers of the real store. */
  commit(commit: Commit, seqs: readonly number[]): Committed;
  load(companyId: string, executionId: string): ExecutionRecord | undefined;
  list(companyId: string, filter: Pick<ExecutionFilter, 'workflowId' | 'status' | 'userId'>): readonly ExecutionRecord[];
  history(companyId: string, executionId: string): Commit['history'];
  contact(companyId: string, botId: string, id: string): Contact | undefined;
  awaitingReply(companyId: string, botId: string, userId: string): ExecutionRecord | undefined;
  awaitingSignal(companyId: string, name: string, value: string): readonly ExecutionRecord[];
  due(atMs: number): readonly DueWait[];
  queued(): readonly InboxItem[];
  nextQueued(lane: string, filter?: { readonly isInternal: true }): InboxItem | undefined;
  unfinishedIn(lane: string): UnfinishedLane;
  unfinished(): readonly UnfinishedLane[];
  seenAnswer(keys: readonly string[]): { readonly answer: Json } | undefined;
}

export function createNaiveStore(): NaiveStore {
  const commits: Commit[] = [];
  const seen = new Map<string, Json>();
  let queue: readonly InboxItem[] = [];

  const saves = () => commits.flatMap((commit) => commit.saves);
  const isOf = (companyId: string, executionId: string) => (record: ExecutionRecord) =>
    record.companyId === companyId && record.executionId === executionId;
  /** The current executions, in the order of their creation. */
  const current = () =>
    saves()
      .filter(({ revision }) => revision === 1)
      .flatMap(({ companyId, executionId }) => load(companyId, executionId) ?? []);
  const load = (companyId: string, executionId: string) => saves().findLast(isOf(companyId, executionId));
  const unsettledIn = (lane: string) => current().filter((record) => record.lane === lane && keepsLane(record.state));
  const unfinishedIn = (lane: string) => ({
    lane,
    unsettled: unsettledIn(lane),
    queued: queue.filter((queued) => queued.lane === lane).length,
  });
  const waiting = () => current().filter(({ state }) => state.status === 'waiting' && state.wait !== undefined);

  return {
    commit(commit, seqs) {
      const repeated = commit.seen?.keys.find((key) => seen.has(key));
      if (repeated !== undefined) return { kind: 'duplicate', answer: seen.get(repeated) ?? null };
      const isStale = commit.saves.some(
        ({ companyId, executionId, revision }) => (load(companyId, executionId)?.revision ?? 0) + 1 !== revision,
      );
      const isGone = commit.dequeue.some((gone) => queue.every(({ seq }) => seq !== gone.seq));
      const isClaimed = commit.claims?.keys.some((key) => seen.has(key)) ?? false;
      if (isStale || isGone || isClaimed) return { kind: 'conflict' };
      commits.push(commit);
      for (const key of commit.seen?.keys ?? []) seen.set(key, commit.seen?.answer ?? null);
      for (const key of commit.claims?.keys ?? []) seen.set(key, null);
      queue = [
        ...queue.filter(({ seq }) => !commit.dequeue.some((done) => done.seq === seq)),
        ...commit.enqueue.map((queued, index) => ({ ...queued, seq: seqs[index] ?? -1 })),
      ];
      return { kind: 'committed', seqs };
    },
    load,
    list: (companyId, { workflowId, status, userId }) =>
      current()
        .filter((record) => record.companyId === companyId)
        .filter((record) => workflowId === undefined || record.workflowId === workflowId)
        .filter((record) => status === undefined || record.state.status === status)
        .filter((record) => userId === undefined || record.state.origin.userId === userId)
        .toReversed(),
    history: (companyId, executionId) =>
      commits.flatMap((commit) => commit.history.filter((record) => record.companyId === companyId && record.executionId === executionId)),
    contact(companyId, botId, id) {
      const changes = commits
        .flatMap(({ contacts }) => contacts)
        .filter((change) => change.companyId === companyId && change.botId === botId);
      const userIds = new Set(changes.map(({ userId }) => userId));
      const mergeContact = (userId: string) => ({ botId, userId, ...mergeChanges(changes.filter((change) => change.userId === userId)) });
      if (userIds.has(id)) return mergeContact(id);
      return [...userIds].map(mergeContact).find(({ phone, bsuid }) => phone === id || bsuid === id);
    },
    awaitingReply(companyId, botId, userId) {
      const open = waiting().filter(
        ({ companyId: owner, state: { origin, wait } }) =>
          owner === companyId && origin.botId === botId && origin.userId === userId && wait?.takesReply === true,
      );
      const lastOpened = Math.max(...open.map(({ state }) => state.wait?.openedAtMs ?? 0));
      return saves().findLast((record) => open.includes(record) && record.state.wait?.openedAtMs === lastOpened);
    },
    awaitingSignal: (companyId, name, value) =>
      waiting().filter(
        ({ companyId: owner, state: { wait } }) =>
          owner === companyId && wait?.correlation?.name === name && wait.correlation.value === value,
      ),
    due: (atMs) =>
      waiting()
        .flatMap(({ companyId, executionId, lane, state: { wait } }) =>
          wait === undefined || wait.dueAtMs === null || wait.dueAtMs > atMs
            ? []
            : [{ companyId, executionId, lane, waitId: wait.id, dueAtMs: wait.dueAtMs }],
        )
        .toSorted((a, b) => a.dueAtMs - b.dueAtMs),
    queued: () => queue,
    nextQueued(lane, filter) {
      const inLane = queue.filter((queued) => queued.lane === lane);
      return inLane.find(isInternal) ?? (filter === undefined ? inLane[0] : undefined);
    },
    unfinishedIn,
    unfinished: () =>
      [...new Set([...current(), ...queue].map(({ lane }) => lane))]
        .sort()
        .map(unfinishedIn)
        .filter(({ unsettled, queued }) => unsettled.length + queued > 0),
    seenAnswer(keys) {
      const key = keys.find((name) => seen.has(name));
      return key === undefined ? undefined : { answer: seen.get(key) ?? null };
    },
  };
}

/** What is known of one user after these changes. */
function mergeChanges(changes: readonly ContactChange[]): Omit<Contact, 'botId' | 'userId'> {
  const last = <Field extends 'names' | 'phone' | 'bsuid' | 'timeZone' | 'locale'>(field: Field) =>
    changes.findLast((change) => change[field] !== undefined)?.[field] ?? null;
  const windows = changes.flatMap(({ windowUntilMs }) => (windowUntilMs === undefined ? [] : [windowUntilMs]));
  const memory: Record<string, Contact['memory'][string]> = {};
  for (const [name, entry] of changes.flatMap((change) => Object.entries(change.memory ?? {}))) {
    if (entry === null) delete memory[name];
    else memory[name] = entry;
  }
  return {
    names: last('names'),
    phone: last('phone'),
    bsuid: last('bsuid'),
    timeZone: last('timeZone'),
    locale: last('locale'),
    windowUntilMs: windows.length === 0 ? null : Math.max(...windows),
    memory,
  };
}
