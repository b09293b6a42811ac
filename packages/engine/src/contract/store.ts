import type { ExecutionEvent, InboxEvent } from './event.ts';
import type { Canvas } from './canvas.ts';
import type { Consent, Contact, ExecutionInput, ExecutionState, ExecutionStatus, HistoryEntry } from './execution.ts';
import type { Json, JsonObject } from './json.ts';

/** A stored execution: its state, and the keys by which it is found. */
export interface ExecutionRecord {
  readonly executionId: string;
  readonly companyId: string;
  readonly workflowId: string;
  /** The published version it is pinned to (P14); `draft` on the test route. */
  readonly version: number | 'draft';
  /** Grows by one with each advance; every write is conditional on it (P8). */
  readonly revision: number;
  /** Events of one lane are processed one after the other: the lane of a bot and user, or of an execution without a user (P9). */
  readonly lane: string;
  readonly parent?: { readonly executionId: string; readonly waitId: string };
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly state: ExecutionState;
}

/** An accepted thing in its lane, in the order of `seq`. */
export interface InboxItem {
  readonly seq: number;
  readonly companyId: string;
  readonly lane: string;
  readonly acceptedAtMs: number;
  readonly accepted: InboxEvent;
}

/** One advance, as it is recorded: enough to replay it. The first record holds what the execution began with. */
export interface HistoryRecord {
  readonly companyId: string;
  readonly executionId: string;
  readonly revision: number;
  readonly event: ExecutionEvent | ExecutionAccepted | ExecutionForked | ExecutionContinued;
  readonly entries: readonly HistoryEntry[];
}

/** The beginning of a history. */
export interface ExecutionAccepted {
  readonly type: 'execution.accepted';
  readonly atMs: number;
  readonly input: ExecutionInput;
}

/** The beginning of the history of an execution that continues another: it stands where that one stood before an event. */
export interface ExecutionForked {
  readonly type: 'execution.forked';
  readonly atMs: number;
  /** `index`: of the event, in the history of the other. */
  readonly from: { readonly executionId: string; readonly index: number; readonly version: number | 'draft' };
  readonly state: ExecutionState;
  readonly by?: string;
  readonly job?: string;
}

/** An execution that has ended is continued by another. Nothing else of it changes any more. */
export interface ExecutionContinued {
  readonly type: 'execution.continued';
  readonly atMs: number;
  readonly as: string;
  readonly by?: string;
  readonly job?: string;
}

/** A change of a contact. Fields left out stay as they are. */
export interface ContactChange {
  readonly companyId: string;
  readonly botId: string;
  readonly userId: string;
  readonly names?: string;
  readonly phone?: string;
  readonly bsuid?: string;
  readonly timeZone?: string;
  readonly locale?: string;
  /** Only ever moves forward. */
  readonly windowUntilMs?: number;
  /** `null` forgets the name. */
  readonly memory?: { readonly [name: string]: { readonly value: Json; readonly expiresAtMs: number | null } | null };
  /** The values of the fields of the person, the same for every bot; `null` removes a field. */
  readonly fields?: { readonly [key: string]: Json };
  /** The consent of the person, the same for every bot. */
  readonly consent?: Consent;
}

/** A signal for which nothing waited: kept for the first wait with its name and correlation value. */
export interface HeldSignal {
  readonly companyId: string;
  /** Unique in its company. */
  readonly id: string;
  readonly name: string;
  readonly correlation: string;
  readonly payload: Json;
  readonly heldAtMs: number;
  /** From this instant on it is no longer delivered. */
  readonly untilMs: number;
}

/** Everything one event leads to, written together or not at all (P3). */
export interface Commit {
  /** Each over the revision before it; revision 1 must not exist yet. */
  readonly saves: readonly ExecutionRecord[];
  readonly history: readonly HistoryRecord[];
  readonly contacts: readonly ContactChange[];
  readonly enqueue: readonly Omit<InboxItem, 'seq'>[];
  /** What was accepted with this commit as its consequence, and never queued. A store keeps nothing of it. */
  readonly taken?: readonly Omit<InboxItem, 'seq'>[];
  /** The queued things this commit is the consequence of. */
  readonly dequeue: readonly Pick<InboxItem, 'lane' | 'seq'>[];
  /** Signals to hold, each under an id of its own. */
  readonly hold?: readonly HeldSignal[];
  /** Delivery ids that must not have been seen, with the answer a repetition gets (P10). */
  readonly seen?: { readonly keys: readonly string[]; readonly untilMs: number; readonly answer: Json };
  /**
   * Names that only one commit may take, where processes share the store: those of a person who is not known yet. A commit that claims one
   * which is taken is refused as `conflict`. They are of no use after `untilMs`.
   */
  readonly claims?: { readonly keys: readonly string[]; readonly untilMs: number };
}

/** How a commit went. `conflict`: another writer was faster; `duplicate`: a delivery id was seen before. Then nothing was written. */
export type Committed =
  | { readonly kind: 'committed'; readonly seqs: readonly number[] }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'duplicate'; readonly answer: Json };

/** A due wait. */
export interface DueWait {
  readonly companyId: string;
  readonly executionId: string;
  readonly lane: string;
  readonly waitId: string;
  readonly dueAtMs: number;
}

/** Which executions a list has; every field that is left out lets all through. */
export interface ExecutionFilter {
  readonly workflowId?: string;
  readonly status?: ExecutionStatus;
  readonly userId?: string;
  readonly limit: number;
  /** The `nextCursor` of the page before. */
  readonly cursor?: string;
}

/** Where an execution that has not ended stands, as its row says without its state. */
export interface StandingExecution {
  readonly executionId: string;
  readonly lane: string;
  readonly version: number | 'draft';
  readonly status: ExecutionStatus;
  /** The node that opened its wait, by the name that it had then; `null` where it does not wait. */
  readonly waitNodeId: string | null;
  /** When it last moved on, in milliseconds since the Unix epoch: since then it stands there. */
  readonly sinceMs: number;
}

/** A lane in which something was begun or accepted and is not done. */
export interface UnfinishedLane {
  readonly lane: string;
  /** Executions that keep the lane (`keepsLane`), in the order of acceptance. */
  readonly unsettled: readonly ExecutionRecord[];
  /** How many accepted things have had no consequence yet. */
  readonly queued: number;
}

/** Some of the lanes of a store. */
export interface LaneSet {
  has(lane: string): boolean;
}

/** Notifications to a process about the lanes of a shared store. */
export interface LeaseListener {
  /** Lanes are this process's from now on. Their earlier owner may have died: their `unfinished` work is recovered. */
  onGained(lanes: LaneSet): void;
  /** Others are to have these lanes. Nothing new is begun in them; `release` is called once nothing is under way, or it has waited long enough. */
  onWanted(lanes: LaneSet, release: () => void): void;
  /** Another process accepted something for a lane of this one. */
  onQueued(lane: string): void;
  /** @returns the answer to a call that was left for a lane of this process; nothing where the next to have the lane answers it */
  onCall(lane: string, call: Json): Promise<Json | undefined>;
  /** This process was declared dead: it owns no lane any longer, and its writes to its former lanes are refused. */
  onLost(): void;
}

/**
 * Divides the lanes of one store among several processes: each has one owner at a time (P8), which knows its lanes without a query. An
 * owner keeps lanes until it releases them or is dead; a commit of a process that was declared dead is refused, however late it
 * arrives.
 */
export interface Leases {
  /** Takes part from now on. @returns ends it: lets go of every lane */
  join(listener: LeaseListener): Promise<() => Promise<void>>;
  /** Whether this process owns a lane, as far as it knows. */
  isOurs(lane: string): boolean;
  /** The address of the lane's owner, if it is another process. */
  addressOf(lane: string): string | undefined;
  /** Says where the others reach this process. */
  advertise(address: string): Promise<void>;
  /**
   * Posts a call to the present or next owner of its lane.
   *
   * @returns the answer
   * @throws {HiloError} `STORE_UNAVAILABLE` when no answer came in time: the call may still be processed
   */
  post(lane: string, call: Json): Promise<Json>;
}

/** An answer that is there, or on its way. */
export type Awaitable<Answer> = Answer | Promise<Answer>;

/**
 * Stores executions, accepted items, and contacts. Every query is scoped by the company (P28). Queries of each advance may be answered
 * synchronously, without a promise, by a store that waits for nothing.
 */
export interface ExecutionStore {
  commit(commit: Commit): Awaitable<Committed>;
  load(companyId: string, executionId: string): Awaitable<ExecutionRecord | undefined>;
  /** Newest first. */
  list(
    companyId: string,
    filter: ExecutionFilter,
  ): Promise<{ readonly results: readonly ExecutionRecord[]; readonly nextCursor: string | null }>;
  /**
   * The executions of a workflow that have not ended, in the order of acceptance, without their states. A store without this function is asked
   * for a `list` in their place.
   *
   * @param after - the `nextCursor` of the page before
   */
  standing?(
    companyId: string,
    workflowId: string,
    limit: number,
    after?: string,
  ): Promise<{ readonly results: readonly StandingExecution[]; readonly nextCursor: string | null }>;
  history(companyId: string, executionId: string): Promise<readonly HistoryRecord[]>;
  /** The contact that any of these ids names, for this bot. */
  contact(companyId: string, botId: string, ids: readonly string[]): Awaitable<Contact | undefined>;
  /** What is said of a person for every bot: of one who is new to a bot. Without it, the first message of a user takes two commits. */
  person?(companyId: string, userId: string): Awaitable<Pick<Contact, 'fields' | 'marketing'>>;
  /** The user's execution that a message answers: of several, the one whose wait was opened last. */
  awaitingReply(companyId: string, botId: string, userId: string): Promise<ExecutionRecord | undefined>;
  /** All of these, 50 at most: the one whose wait was opened last comes first. */
  awaitingReplies(companyId: string, botId: string, userId: string): Promise<readonly ExecutionRecord[]>;
  /** Executions that wait for a named signal with this correlation value. */
  awaitingSignal(companyId: string, name: string, value: string): Promise<readonly ExecutionRecord[]>;
  /**
   * Waits due at or before an instant, earliest first. A store that processes share leaves out those in lanes that are not this
   * process's.
   *
   * @param fromMs - those due before this instant are passed over; none, when left out
   * @param companyId - the waits of this company alone; of all, when left out
   */
  due(atMs: number, limit: number, fromMs?: number, companyId?: string): Promise<readonly DueWait[]>;
  /** The next companies after `after` that have a wait with a due time, by name, and whether one is due at an instant. */
  companiesWithTimers(
    atMs: number,
    after: string,
    limit: number,
  ): Promise<readonly { readonly companyId: string; readonly isDue: boolean }[]>;
  /** The earliest due time of these that is not before `fromMs`; `undefined` when none has one. */
  nextDueMs(fromMs?: number): Promise<number | undefined>;
  /** The next item of a lane: internal ones first, then the order of acceptance. */
  nextQueued(lane: string, filter?: { readonly isInternal: true }): Promise<InboxItem | undefined>;
  /** Lanes after `after` in which something is unfinished, by name; of a store that processes share, this process's. */
  unfinished(after: string, limit: number): Promise<readonly UnfinishedLane[]>;
  unfinishedIn(lane: string): Promise<UnfinishedLane>;
  /** The answer to a delivery id that was seen before (P10). */
  seenAnswer(keys: readonly string[]): Promise<{ readonly answer: Json } | undefined>;
  /** How often each lane was recovered after a crash, since its count was cleared; lanes without any are left out (P17). */
  crashCounts(lanes: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Counts one more for each lane. */
  countCrashes(lanes: readonly string[]): Promise<void>;
  clearCrashCounts(lanes: readonly string[]): Promise<void>;
  /**
   * The signals that are held with a name and a correlation value, oldest first, expired ones included. A store without this function, and
   * the three below, holds none.
   */
  heldSignals?(companyId: string, name: string, correlation: string): Promise<readonly HeldSignal[]>;
  /** How many a company has that have not expired. */
  countHeldSignals?(companyId: string, atMs: number): Promise<number>;
  /** The names and correlation values of held signals that an execution waits for. */
  awaitedSignals?(): Promise<readonly Pick<HeldSignal, 'companyId' | 'name' | 'correlation'>[]>;
  dropHeldSignal?(companyId: string, id: string): Promise<void>;
  /** Only a store that several processes may share at once has it. */
  readonly leases?: Leases;
}

/** What keeps the published versions of a workflow from being started. What is open goes on (P14). */
export interface Gate {
  /** `paused`: starts are answered as the gate says. `unpublished`: as if there were no published version. */
  readonly state: 'paused' | 'unpublished';
  /** Paused: the message for a user who would begin the workflow. Without it their message is unmatched. */
  readonly says?: JsonObject;
  /** Paused: whether other workflows may still call this one. */
  readonly children: 'run' | 'refuse';
  readonly atMs: number;
  /** Who closed it, as the caller names them. */
  readonly by?: string;
  /** Paused: from this instant on it is open again. */
  readonly untilMs?: number;
}

/** A published canvas. Immutable. */
export interface PublishedVersion {
  readonly workflowId: string;
  readonly version: number;
  readonly hash: string;
  readonly canvas: Canvas;
  readonly publishedAtMs: number;
  /** What keeps the workflow from being started; only of what `latest` and `published` give. */
  readonly gate?: Gate;
}

/** Keeps canvases: one draft a workflow, and its numbered versions. */
export interface CanvasStore {
  saveDraft(companyId: string, canvas: Canvas, hash: string): Promise<void>;
  draft(companyId: string, workflowId: string): Promise<{ readonly canvas: Canvas; readonly hash: string } | undefined>;
  /** The drafts of a company, by workflow id: bots of tests answer with them. Those of a store without it answer with nothing. */
  drafts?(companyId: string): Promise<readonly { readonly canvas: Canvas; readonly hash: string }[]>;
  /** Adds the next version; the same content as the latest is the latest. A workflow that was unpublished is open again. */
  publish(companyId: string, canvas: Canvas, hash: string, atMs: number): Promise<PublishedVersion>;
  version(companyId: string, workflowId: string, version: number): Promise<PublishedVersion | undefined>;
  versions(companyId: string, workflowId: string): Promise<readonly PublishedVersion[]>;
  /** The latest version of one workflow. */
  latest(companyId: string, workflowId: string): Awaitable<PublishedVersion | undefined>;
  /** The latest version of every workflow, by workflow id: of several that a message would begin, every process takes the same. */
  published(companyId: string): Promise<readonly PublishedVersion[]>;
  /** The companies that have published anything; a store without it is not asked which of their versions can still be run. */
  companyIds?(): Promise<readonly string[]>;
  /**
   * Closes a workflow to starts, or opens it: `undefined`. When it resolves, no process commits a start of a version that was decided
   * before; a start that is refused so is a conflict.
   *
   * @param unless - a gate of this state stays as it is, also where it was closed a moment ago
   * @returns false where it stayed so: nothing was written
   */
  setGate(companyId: string, workflowId: string, gate: Gate | undefined, unless?: Gate['state']): Promise<boolean>;
  /** Stores a content that no draft and no version names. */
  keep(companyId: string, canvas: Canvas, hash: string): Promise<void>;
  /** The content that a hash names: draft, published or kept. */
  byHash(companyId: string, hash: string): Promise<Canvas | undefined>;
}
