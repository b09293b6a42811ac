// A lane as a value: the executions of one user at one bot that have not ended, or one execution without a user, and what was accepted
// for them. Its rules are here: what comes next, what blocks it, and what a commit makes of it.
import { type EffectCall, type HeldUser, keepsLane } from '../contract/execution.ts';
import { isInternal } from '../contract/event.ts';
import type { Json } from '../contract/json.ts';
import type { Commit, Committed, ExecutionRecord, InboxItem } from '../contract/store.ts';
import { createEffectCall } from '../machine/decide.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import { commonLimit } from '../machine/suspend.ts';

/** A lane between two inputs. JSON: what a runtime keeps that has no other store of lanes. */
export interface KeptLane {
  /** Executions that have not ended, children included. */
  readonly executions: readonly ExecutionRecord[];
  /** Accepted items without a consequence yet, in the order of acceptance. */
  readonly inbox: readonly InboxItem[];
  /** The number of the item that was accepted last. */
  readonly lastSeq: number;
}

/** The lane of a user of whom nothing is kept. */
export const emptyLane: KeptLane = { executions: [], inbox: [], lastSeq: 0 };

/** Why a lane gives no item its turn: an effect of one of its executions has no result. */
export interface Block {
  /** From this instant on it no longer blocks the lane (RET: the user is released while the node continues). */
  readonly untilMs: number;
  readonly call: EffectCall;
  readonly hold: HeldUser | undefined;
}

/** A block, and the execution that it is of. */
export interface NamedBlock {
  readonly name: string;
  readonly block: Block;
}

/** A block that holds its user, and answers the user's messages itself. */
export interface Holding {
  readonly call: EffectCall;
  readonly hold: HeldUser;
}

/**
 * A lane at one input. A runtime whose lanes are rows of a store gives what it has at hand: the execution that was just read, the item
 * whose turn it is. Everything else is a read.
 */
export interface Lane extends KeptLane {
  readonly name: string;
  /** Something else is at work in it, so that a start has its turn later. */
  readonly isBusy: boolean;
  /** Nearly always none or one. */
  readonly blocks: readonly NamedBlock[];
  /** The answers under the delivery ids that were seen, as far as they are at hand (P10). */
  readonly seen: ReadonlyMap<string, Json>;
}

/** No delivery ids. */
export const noneSeen: ReadonlyMap<string, Json> = new Map();

/** A whole lane, as it was kept. */
export const openLane = (name: string, kept: KeptLane): Lane => ({
  name,
  ...kept,
  isBusy: false,
  blocks: listBlocks(kept.executions),
  seen: noneSeen,
});

/** What is kept of a lane: executions that have ended leave it. */
export const keepLane = ({ executions, inbox, lastSeq }: KeptLane): KeptLane => ({
  executions: executions.filter(({ state }) => !finalStatuses.has(state.status)),
  inbox,
  lastSeq,
});

/** The blocks of a lane with these executions. */
export const listBlocks = (executions: readonly ExecutionRecord[]): readonly NamedBlock[] =>
  executions.flatMap((record) => {
    const block = findBlock(record);
    return block === undefined ? [] : [{ name: record.executionId, block }];
  });

/** How an execution blocks its lane: by an effect without a result, or by the pause before it is tried again, with its user held. */
export function findBlock(record: ExecutionRecord): Block | undefined {
  if (!keepsLane(record.state)) return undefined;
  const { pending, status } = record.state;
  if (status === 'running' && pending !== undefined)
    return { untilMs: pending.hold?.untilMs ?? Number.POSITIVE_INFINITY, call: createEffectCall(record, pending), hold: pending.hold };
  const holding = findHolding(record);
  return holding && { untilMs: holding.hold.untilMs, ...holding };
}

/** The hold of an execution on its user. */
export function findHolding({ executionId, parent, state: { origin, visit } }: ExecutionRecord): Holding | undefined {
  if (visit?.hold === undefined) return undefined;
  const { nodeId, attempt, hold } = visit;
  const effect = { key: '', type: '', request: null, nodeId, attempt, ...commonLimit };
  return { call: { ...effect, executionId, parentId: parent?.executionId, origin }, hold };
}

/** Whether a lane gives no item its turn at this instant. */
export const isBlocked = (blocks: readonly NamedBlock[], nowMs: number): boolean => {
  for (const { block } of blocks) if (nowMs < block.untilMs) return true;
  return false;
};

/** The block that holds the lane's user at this instant, if there is one. */
export function holdingOf(blocks: readonly NamedBlock[], nowMs: number): Holding | undefined {
  for (const { block } of blocks) if (block.hold !== undefined && nowMs < block.untilMs) return { call: block.call, hold: block.hold };
  return undefined;
}

/** The next item: what comes from the family of executions itself is first, then the order of acceptance (P9). */
export const nextItem = ({ inbox }: Pick<KeptLane, 'inbox'>): InboxItem | undefined => inbox.find(isInternal) ?? inbox[0];

/** The executions of a whole lane that a user's message can answer, the one whose wait was opened last first. */
export const listQuestions = ({ executions }: KeptLane, botId: string, userId: string): readonly ExecutionRecord[] =>
  executions
    .filter(({ state: { status, wait, origin } }) => {
      return status === 'waiting' && wait?.takesReply === true && origin.botId === botId && origin.userId === userId;
    })
    .reverse() // the one that was saved last first
    .sort((a, b) => (b.state.wait?.openedAtMs ?? 0) - (a.state.wait?.openedAtMs ?? 0));

/** The executions of a whole lane that wait for a signal. */
export const listWaits = ({ executions }: KeptLane, name: string, correlation: string): readonly ExecutionRecord[] =>
  executions.filter(
    ({ state: { status, wait } }) => status === 'waiting' && wait?.correlation?.name === name && wait.correlation.value === correlation,
  );

/** How a commit of a whole lane went, the lane after it, and the items that are for other lanes. */
export interface AppliedCommit {
  readonly committed: Committed;
  readonly lane: Lane;
  readonly elsewhere: readonly Omit<InboxItem, 'seq'>[];
}

/** Commits to a whole lane what a store would commit: all of it or nothing. Delivery ids count as seen as far as `seen` has them. */
export function commitToLane(lane: Lane, { saves, enqueue, dequeue, seen }: Commit): AppliedCommit {
  const refuse = (committed: Committed): AppliedCommit => ({ committed, lane, elsewhere: [] });
  for (const key of seen?.keys ?? []) {
    const answer = lane.seen.get(key);
    if (answer !== undefined) return refuse({ kind: 'duplicate', answer });
  }
  const revisions = new Map(lane.executions.map(({ executionId, revision }) => [executionId, revision]));
  // One that is not in the lane has not begun, or it has ended, and the record was read from the store.
  const isConflict = ({ executionId, revision, state }: ExecutionRecord): boolean => {
    const known = revisions.get(executionId);
    return known === undefined ? revision !== 1 && !finalStatuses.has(state.status) : known !== revision - 1;
  };
  if (saves.some(isConflict)) return refuse({ kind: 'conflict' });
  const queued = new Set(lane.inbox.map(({ seq }) => seq));
  if (dequeue.some(({ seq }) => !queued.has(seq))) return refuse({ kind: 'conflict' });
  const saved = new Set(saves.map(({ executionId }) => executionId));
  const done = new Set(dequeue.map(({ seq }) => seq));
  const executions = [...lane.executions.filter(({ executionId }) => !saved.has(executionId)), ...saves]; // the last saved one comes last
  let { lastSeq } = lane;
  const accepted: InboxItem[] = [];
  const seqs = enqueue.map((item) => {
    if (item.lane !== lane.name) return 0;
    lastSeq += 1;
    accepted.push({ ...item, seq: lastSeq });
    return lastSeq;
  });
  return {
    committed: { kind: 'committed', seqs },
    lane: {
      name: lane.name,
      executions,
      inbox: [...lane.inbox.filter(({ seq }) => !done.has(seq)), ...accepted],
      lastSeq,
      isBusy: false,
      blocks: listBlocks(executions),
      seen: seen === undefined ? lane.seen : new Map([...lane.seen, ...seen.keys.map((key) => [key, seen.answer] as const)]),
    },
    elsewhere: enqueue.filter((item) => item.lane !== lane.name),
  };
}
