import { type Contact, keepsLane } from '../contract/execution.ts';
import { isInternal } from '../contract/event.ts';
import type { Commit, Committed, ContactChange, ExecutionRecord, ExecutionStore, InboxItem } from '../contract/store.ts';
import { hasPhone } from '../contract/phone-spellings.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import { applyContactChange } from '../memory/execution-store.ts';

/** A lane as a runtime keeps it between two inputs: its open executions and its inbox. JSON. */
export interface KeptLane {
  /** Executions that have not ended, children included. */
  readonly executions: readonly ExecutionRecord[];
  /** Accepted items without a consequence yet, in the order of acceptance. */
  readonly inbox: readonly InboxItem[];
  /** The number of the item that was accepted last. */
  readonly lastSeq: number;
}

export const emptyLane: KeptLane = { executions: [], inbox: [], lastSeq: 0 };

/** One lane's view of a store, which buffers writes until the decision is made. */
export interface LaneStore {
  readonly store: ExecutionStore;
  readonly commits: readonly Commit[];
  /** Items for other lanes. */
  readonly elsewhere: readonly Omit<InboxItem, 'seq'>[];
  hasInbox(): boolean;
  kept(): KeptLane;
}

/**
 * Reads open executions of the lane from the lane itself, and everything else from `shared`. Writes reach neither: the keeper of the
 * lane records them first.
 *
 * @param shared - ended executions, histories, contacts, delivery ids and the executions of other lanes
 */
export function createLaneStore(lane: string, kept: KeptLane, shared: ExecutionStore): LaneStore {
  const executions = new Map(kept.executions.map((record) => [record.executionId, record]));
  const inbox = new Map(kept.inbox.map((item) => [item.seq, item]));
  const contacts = new Map<string, { readonly companyId: string; readonly contact: Contact }>();
  const seen = new Map<string, Commit['seen'] & {}>();
  const commits: Commit[] = [];
  const elsewhere: Omit<InboxItem, 'seq'>[] = [];
  let { lastSeq } = kept;

  const seenAnswer: ExecutionStore['seenAnswer'] = async (keys) => {
    const here = keys.map((key) => seen.get(key)).find((found) => found !== undefined);
    return here === undefined ? shared.seenAnswer(keys) : { answer: here.answer };
  };

  const contact: ExecutionStore['contact'] = async (companyId, botId, ids) => {
    const isNamed = ({ userId, phone, bsuid }: Contact): boolean => ids.some((id) => id === userId || id === phone || id === bsuid);
    const ofBot = [...contacts.values()].filter((known) => known.companyId === companyId && known.contact.botId === botId);
    const here = ofBot.find((known) => isNamed(known.contact));
    if (here !== undefined) return here.contact;
    const spelledOtherwise = ofBot.find((known) => ids.some((id) => hasPhone(known.contact, id)));
    const found = (await shared.contact(companyId, botId, ids)) ?? spelledOtherwise?.contact;
    if (found !== undefined) contacts.set(contactKey({ companyId, botId, userId: found.userId }), { companyId, contact: found });
    return found;
  };

  const change = async (one: ContactChange): Promise<void> => {
    const known = await contact(one.companyId, one.botId, [one.userId]);
    const before = known?.userId === one.userId ? known : undefined;
    contacts.set(contactKey(one), { companyId: one.companyId, contact: applyContactChange(before, one) });
  };

  const enqueue = (item: Omit<InboxItem, 'seq'>): number => {
    if (item.lane !== lane) {
      elsewhere.push(item);
      return 0;
    }
    lastSeq += 1;
    inbox.set(lastSeq, { ...item, seq: lastSeq });
    return lastSeq;
  };

  const commit = async (changes: Commit): Promise<Committed> => {
    const repeated = changes.seen === undefined ? undefined : await seenAnswer(changes.seen.keys);
    if (repeated !== undefined) return { kind: 'duplicate', answer: repeated.answer };
    if (changes.saves.some(({ executionId, revision }) => (executions.get(executionId)?.revision ?? 0) !== revision - 1))
      return { kind: 'conflict' };
    if (changes.dequeue.some(({ seq }) => !inbox.has(seq))) return { kind: 'conflict' };
    for (const one of changes.contacts) await change(one);
    for (const record of changes.saves) {
      executions.delete(record.executionId); // the last saved one comes last
      executions.set(record.executionId, record);
    }
    for (const { seq } of changes.dequeue) inbox.delete(seq);
    for (const key of changes.seen?.keys ?? []) if (changes.seen !== undefined) seen.set(key, changes.seen);
    commits.push(changes);
    return { kind: 'committed', seqs: changes.enqueue.map(enqueue) };
  };

  const listOwn = (companyId: string): ExecutionRecord[] => [...executions.values()].filter((record) => record.companyId === companyId);

  /** The executions that a user's message can answer, the one whose wait was opened last first. */
  const listReplying = (companyId: string, botId: string, userId: string): readonly ExecutionRecord[] =>
    listOwn(companyId)
      .filter(({ state: { status, wait, origin } }) => {
        return status === 'waiting' && wait?.takesReply === true && origin.botId === botId && origin.userId === userId;
      })
      .reverse() // the one that was saved last first
      .sort((a, b) => (b.state.wait?.openedAtMs ?? 0) - (a.state.wait?.openedAtMs ?? 0));

  return {
    commits,
    elsewhere,
    hasInbox: () => inbox.size > 0,
    kept: () => ({
      executions: [...executions.values()].filter(({ state }) => !finalStatuses.has(state.status)),
      inbox: [...inbox.values()],
      lastSeq,
    }),
    store: {
      commit,
      contact,
      seenAnswer,
      async load(companyId, executionId) {
        const here = executions.get(executionId);
        return here === undefined ? shared.load(companyId, executionId) : here.companyId === companyId ? here : undefined;
      },
      list: (companyId, filter) => shared.list(companyId, filter),
      history: (companyId, executionId) => shared.history(companyId, executionId),
      awaitingReply: async (companyId, botId, userId) => listReplying(companyId, botId, userId)[0],
      awaitingReplies: async (companyId, botId, userId) => listReplying(companyId, botId, userId).slice(0, 50),
      async awaitingSignal(companyId, name, value) {
        const others = (await shared.awaitingSignal(companyId, name, value)).filter(({ executionId }) => !executions.has(executionId));
        const here = listOwn(companyId).filter(
          ({ state: { status, wait } }) => status === 'waiting' && wait?.correlation?.name === name && wait.correlation.value === value,
        );
        return [...others, ...here];
      },
      async nextQueued(of, filter) {
        const items = of === lane ? [...inbox.values()] : [];
        return items.find(isInternal) ?? (filter === undefined ? items[0] : undefined);
      },
      unfinished: async () => [],
      async unfinishedIn(of) {
        const unsettled = of === lane ? [...executions.values()].filter(({ state }) => keepsLane(state)) : [];
        return { lane: of, unsettled, queued: of === lane ? inbox.size : 0 };
      },
      // Signals are held outside of lanes.
      ...(shared.heldSignals !== undefined && { heldSignals: shared.heldSignals }),
      ...(shared.countHeldSignals !== undefined && { countHeldSignals: shared.countHeldSignals }),
      // The keeper of the lane fires its timers, and counts its crashes.
      due: async () => [],
      nextDueMs: async () => undefined,
      crashCounts: async () => new Map(),
      countCrashes: async () => undefined,
      clearCrashCounts: (lanes) => shared.clearCrashCounts(lanes),
    },
  };
}

const contactKey = ({ companyId, botId, userId }: Pick<ContactChange, 'companyId' | 'botId' | 'userId'>): string =>
  JSON.stringify([companyId, botId, userId]);
