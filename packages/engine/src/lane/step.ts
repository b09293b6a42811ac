// What an input of a lane leads to, and the helpers of its decision: reads that are missing, and the one commit.
import type { Digest } from '../contract/clock.ts';
import type { CompiledCanvas } from '../canvas/compile.ts';
import type { HiloError } from '../contract/errors.ts';
import type { EffectCall } from '../contract/execution.ts';
import type { Json } from '../contract/json.ts';
import type { Migration } from '../contract/migration.ts';
import { canonicalSpelling } from '../contract/phone-spellings.ts';
import type { Commit, ExecutionRecord, HistoryRecord, InboxItem } from '../contract/store.ts';
import { type Decided, decide, type Decision, type Given, type LaneEvent, type Moved } from '../machine/decide.ts';
import type { PreparedMigration } from '../machine/migrate.ts';
import type { Answers, Missing, Need } from '../machine/reads.ts';
import type { CanvasOf, Replay } from '../machine/replay.ts';
import { none } from '../machine/transition-context.ts';
import type { LaneAnswer, LaneCall } from './calls.ts';
import type { Lane } from './lane.ts';
import type { MessageTell, RoutedMessage } from './message-events.ts';

/** Everything that the decision on an input depends on besides the lane and the input. */
export interface LaneReads extends Given {
  readonly digest: Digest;
  /** Compares two contents for a migration, once for all of its executions. @throws {HiloError} `INVALID_MIGRATION` */
  prepare(migration: Migration, before: CompiledCanvas, after: CompiledCanvas): PreparedMigration;
  /** Replays a history as far as before a record, or to where values are masked; nothing where others are to be served first. */
  replay(history: readonly HistoryRecord[], until: number, canvasOf: CanvasOf): Replay | undefined;
  /**
   * How a person whom nobody knows is met: `alone`, in the one process there is; `claims`, by claiming the names, since another process may
   * meet them by others; `looks`, by looking up once more whom these name, after such a claim was refused.
   */
  readonly meeting: 'alone' | 'claims' | 'looks';
  /** 16 random bytes as hex: the same each time that this decision is made again. */
  seed(): string;
  /** The id of an execution that this decision begins, in the slot of its lane: the same each time, too. */
  executionId(lane: string): string;
}

/** The answer for whoever sent an input; `null` where nobody did. */
export type StepAnswer = LaneAnswer<LaneCall> | Json;

/**
 * What an input leads to. Once `commit` is committed, the rest may happen: effects and timers of `moved`, events, unawaited effects. Where
 * it is not, since another writer was faster, nothing has happened, and the input is decided again.
 */
export interface LaneStep {
  readonly kind: 'step';
  /** Nothing changes, where there is none. */
  readonly commit: Commit | undefined;
  /** The executions that move on, the one that the input is for first. */
  readonly moved: readonly Moved[];
  /** Whether the input had its consequence: one that no longer applies has none. */
  readonly isApplied: boolean;
  readonly answer: StepAnswer;
  /** The answer where a delivery id of the commit was seen before, other than the one that is kept under it. */
  readonly repeated?: StepAnswer;
  /** The item that had its turn. */
  readonly item?: InboxItem;
  /** What became of a message in its turn. */
  readonly routed?: RoutedMessage;
  /** The item keeps its place until this execution moves on, which blocks the lane until then (RET-06). */
  readonly keptFor?: string;
  readonly tells?: readonly MessageTell[];
  /** Effects that nothing waits for. */
  readonly unawaited?: readonly EffectCall[];
  /** The execution refused the item, and nobody is there to be told. */
  readonly refusal?: { readonly error: HiloError; readonly executionId: string };
}

/** How long names stay claimed: longer than any event is under way between its look-up and its commit. */
const claimedForMs = 60_000;

/** The claims on the names of a person whom nobody knows, where another process may meet them too (UID-06). */
export const claimNames = (
  { companyId, botId }: { readonly companyId: string; readonly botId: string },
  ids: readonly string[],
  { meeting, nowMs }: Pick<LaneReads, 'meeting' | 'nowMs'>,
): Pick<Commit, 'claims'> => {
  if (meeting !== 'claims') return {};
  const keys = [...new Set(ids.map((id) => `${companyId}:${botId}:met:${canonicalSpelling(id)}`))];
  return { claims: { keys, untilMs: nowMs + claimedForMs } };
};

/** Eight days: providers repeat deliveries for seven (P10). */
export const seenForMs = 8 * 86_400_000;

/** A read that a decision lacks. Thrown, it ends the decision, which is made again when it was read: `decideLane` and `queryLane` catch it. */
export class Unread extends Error {
  declare readonly missing: Missing;

  /** Made without the constructor of errors, which records a stack: that would cost as much as the decision. */
  static of(need: Need): Unread {
    const missing: Missing = { kind: 'missing', need };
    return Object.assign(Object.create(Unread.prototype) as Unread, { missing });
  }
}

/** The answer to a need. @throws {Unread} when it was not read yet */
export function read<Kind extends keyof Answers>(reads: LaneReads, need: Need & { readonly kind: Kind }): Answers[Kind] {
  const found = reads.find<Kind>(need);
  if (found === undefined) throw Unread.of(need);
  return found;
}

/** A compiled canvas. @param isForEnd - as far as it can be compiled */
export function readCanvas(reads: LaneReads, hash: string, isForEnd: boolean): CompiledCanvas {
  const found = reads.canvas(hash, isForEnd);
  if (found === undefined) throw Unread.of({ kind: 'canvas', hash, isForEnd });
  return found;
}

/** An execution of the lane, or of its family. */
export const readRecord = ({ executions }: Pick<Lane, 'executions'>, reads: LaneReads, executionId: string): ExecutionRecord | undefined =>
  executions.find((record) => record.executionId === executionId) ?? read(reads, { kind: 'execution', executionId }) ?? undefined;

/** Decides on an event of an execution. @throws {Unread} */
export function decideOn(execution: ExecutionRecord | undefined, event: LaneEvent, reads: LaneReads): Exclude<Decision, Missing> {
  const decision = decide({ execution }, event, reads);
  if (decision.kind === 'missing') throw Unread.of(decision.need);
  return decision;
}

/** Parts of a commit besides what was decided. */
interface Beside {
  readonly enqueue?: Commit['enqueue'];
  /** The item of which it is the consequence. */
  readonly item?: InboxItem | undefined;
  /** Delivery ids under which the answer is kept. */
  readonly keys?: readonly string[];
}

/** The one commit of a decision. */
export function stepOf(
  { saves, history, contacts, enqueue: led, hold, moved, answer }: Omit<Decided, 'kind'>,
  { nowMs }: Pick<LaneReads, 'nowMs'>,
  { enqueue = none, item, keys = none }: Beside,
): LaneStep {
  const queued = enqueue.length === 0 ? led : [...led, ...enqueue];
  const changes = {
    saves,
    history,
    contacts,
    enqueue: queued,
    dequeue: item === undefined ? none : [item],
    ...(hold !== undefined && { hold }),
  };
  const commit: Commit = keys.length === 0 ? changes : { ...changes, seen: { keys, untilMs: nowMs + seenForMs, answer } };
  return { kind: 'step', commit, moved, isApplied: true, answer };
}

/** An input without a consequence: its item is removed, if it has one. */
export const unchanged = (answer: StepAnswer, item?: InboxItem): LaneStep => ({
  kind: 'step',
  commit: item === undefined ? undefined : { ...nothing, dequeue: [item] },
  moved: none,
  isApplied: false,
  answer,
});

/** Decides on an event, and what it leads to as one commit. */
export function stepOn(record: ExecutionRecord | undefined, event: LaneEvent, reads: LaneReads, beside: Beside = {}): LaneStep {
  const decision = decideOn(record, event, reads);
  return decision.kind === 'unchanged' ? unchanged(decision.answer, beside.item) : stepOf(decision, reads, beside);
}

/** A commit that changes nothing. */
export const nothing: Commit = { saves: none, history: none, contacts: none, enqueue: none, dequeue: none };

/** The answer that is kept under delivery ids that were seen before. */
export const readSeen = (reads: LaneReads, keys: readonly string[]): { readonly answer: Json } | undefined =>
  keys.length === 0 ? undefined : (read(reads, { kind: 'seen', keys }) ?? undefined);
