// The start of an execution: at once where its lane is free, else with its turn.
import type { CompiledCanvas } from '../canvas/compile.ts';
import { HiloError } from '../contract/errors.ts';
import type { Origin, Trigger } from '../contract/execution.ts';
import type { Commit, ContactChange, ExecutionRecord, InboxItem } from '../contract/store.ts';
import { joinDecisions, type LaneEvent } from '../machine/decide.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import type { MatchingStart } from '../machine/reads.ts';
import { none } from '../machine/transition-context.ts';
import type { StartCall } from './calls.ts';
import { isBlocked, type Lane } from './lane.ts';
import { claimNames, decideOn, type LaneReads, type LaneStep, read, readCanvas, readRecord, stepOf, unchanged, Unread } from './step.ts';

type Begins = Extract<LaneEvent, { readonly type: 'start' }>['begins'];

/** A start, as its lane takes it. */
interface Start {
  readonly executionId: string;
  readonly origin: Origin;
  readonly canvas: CompiledCanvas;
  readonly version: number | 'draft';
  readonly entry: string;
  readonly trigger: Trigger;
  readonly begins: Begins;
}

/** A start from outside, whose canvas was pinned at acceptance (P14). */
export function startCalled(lane: Lane, call: StartCall, reads: LaneReads): LaneStep {
  const { executionId, origin, canvasHash, version, entry, trigger, keys, contacts } = call;
  const [met] = contacts;
  if (met !== undefined && reads.meeting === 'looks') refuseOther(met, reads);
  const isFree = !lane.isBusy && lane.inbox.length === 0 && !isBlocked(lane.blocks, reads.nowMs);
  const canvas = readCanvas(reads, canvasHash, false);
  const begins = isFree ? 'now' : 'inTurn';
  const step = begin(lane, { executionId, origin, canvas, version, entry, trigger, begins }, reads, { keys, contacts });
  if (met === undefined || step.commit === undefined) return step;
  return { ...step, commit: { ...step.commit, ...claimNames(met, listNames(met), reads) } };
}

const listNames = ({ userId, phone, bsuid }: ContactChange): readonly string[] =>
  [userId, phone, bsuid].filter((name) => name !== undefined);

/** @throws {HiloError} `STORE_CONFLICT` where the user is known by another id since: the start is theirs, in their lane */
function refuseOther(met: ContactChange, reads: LaneReads): void {
  const known = read(reads, { kind: 'contact', botId: met.botId, ids: listNames(met) });
  if (known !== null && known.userId !== met.userId) throw new HiloError('STORE_CONFLICT', { executionId: met.userId });
}

/**
 * The start that a message matches, in the message's turn.
 *
 * @param interrupts - the execution that waited for the reply: it ends, with all of its family, in the commit that begins this one
 */
export function startByMessage(
  lane: Lane,
  { origin, canvas, version, entry }: MatchingStart,
  trigger: Trigger,
  begins: Begins,
  reads: LaneReads,
  beside: { readonly item: InboxItem; readonly interrupts?: ExecutionRecord | undefined },
): LaneStep {
  const executionId = reads.executionId(lane.name);
  return begin(lane, { executionId, origin, canvas, version, entry, trigger, begins }, reads, beside);
}

interface Beside {
  readonly keys?: readonly string[];
  readonly contacts?: Commit['contacts'];
  readonly item?: InboxItem;
  readonly interrupts?: ExecutionRecord | undefined;
}

function begin(
  lane: Lane,
  { executionId, origin, canvas, version, entry, trigger, begins }: Start,
  reads: LaneReads,
  { keys = none, contacts = none, item, interrupts }: Beside,
): LaneStep {
  const ended = interrupts === undefined ? undefined : decideInterruption(lane, interrupts, canvas.canvas.id, reads);
  const variables = reads.scopes(origin);
  if (variables === undefined) throw Unread.of({ kind: 'scopes', origin });
  const [rootId, seed, atMs] = [executionId, reads.seed(), reads.nowMs];
  const execution = { executionId, rootId, seed, origin, depth: 0, lane: lane.name, version, canvas, variables, atMs };
  const decision = decideOn(undefined, { type: 'start', execution, entry, trigger, begins }, reads);
  if (decision.kind === 'unchanged') return unchanged({ executionId });
  const all = ended === undefined ? decision : { ...joinDecisions(ended, decision), answer: decision.answer };
  return stepOf(contacts.length === 0 ? all : { ...all, contacts: [...contacts, ...all.contacts] }, reads, { item, keys });
}

/**
 * Ends the family of an execution whose user starts another workflow. Cancelling the child alone would let its caller continue.
 *
 * @throws {HiloError} `STORE_CONFLICT` when it has ended meanwhile: the message is routed again
 */
function decideInterruption(lane: Lane, waiting: ExecutionRecord, by: string, reads: LaneReads) {
  const { executionId, state } = waiting;
  const root = state.rootId === executionId ? waiting : readRecord(lane, reads, state.rootId);
  const execution = root === undefined || finalStatuses.has(root.state.status) ? waiting : root;
  const event = { type: 'execution.cancelled', cause: 'INTERRUPTED', reason: `The user began workflow "${by}", which interrupts` } as const;
  const decision = decideOn(execution, event, reads);
  if (decision.kind === 'unchanged') throw new HiloError('STORE_CONFLICT', { executionId });
  return decision;
}
