// Calls of lanes: to where a lane is kept, and in this process to its place in the lane's queue.
import { isHiloError } from '../contract/errors.ts';
import type { Json } from '../contract/json.ts';
import type { Awaitable, ExecutionRecord } from '../contract/store.ts';
import {
  createRefusal,
  isKnown,
  type LaneAnswer,
  type LaneCall,
  type LaneReply,
  type MessageOutcome,
  type ResumingRequest,
} from '../lane/calls.ts';
import { type NamedBlock, listBlocks } from '../lane/lane.ts';
import { findContinuation, findMember, waitsForRequest } from '../lane/resume.ts';
import type { StepAnswer } from '../lane/step.ts';
import type { EngineContext } from './context.ts';
import { processMessage } from './inbox.ts';
import { LaneElsewhere } from './keyed-queue.ts';
import { queryLane } from './lane-reads.ts';
import { refuseForeignLane } from './lane-runtime.ts';
import type { KnownContact } from './perform-effect.ts';
import { andThen, rescue } from './retry.ts';
import { type Taken, takeInOneCommit, takeInput } from './take-input.ts';

/** What the caller has just read. */
interface JustRead {
  /** Called once the contact of a message is kept. */
  readonly onMet?: () => void;
  readonly contact?: KnownContact | undefined;
  readonly known?: ExecutionRecord | undefined;
}

/**
 * Performs a call on a lane where the lane is owned: here, by a runtime, or by another process that shares the store. While an engine begins,
 * the call waits until what an earlier process left unfinished is known, and comes first.
 *
 * @throws {HiloError} `CELL_ELSEWHERE`; what `decideLane` refuses the call with
 */
export function askLane<Call extends LaneCall>(
  context: EngineContext,
  lane: string,
  call: Call,
  read: JustRead = {},
): Awaitable<LaneAnswer<Call>> {
  refuseForeignLane(context, lane);
  const ask = (): Awaitable<LaneAnswer<Call>> => {
    const { runtime, ownership } = context;
    if (runtime !== undefined) return runtime.accept(lane, call);
    const here = (): Awaitable<LaneAnswer<Call>> => answerOf<Call>(takeCall(context, lane, call, read));
    return ownership === undefined ? here() : ownership.call(lane, call, here, acceptElsewhere(context, lane, read));
  };
  const listed = context.recoveries.whenListed();
  return listed === undefined ? ask() : listed.then(ask);
}

/** The answer of a call's own kind: `decideLane` answers each input with it. */
const answerOf = <Call extends LaneCall>(answer: Awaitable<StepAnswer>): Awaitable<LaneAnswer<Call>> =>
  answer as Awaitable<LaneAnswer<Call>>;

/**
 * What is only accepted may be so by any process, when the owner of its lane cannot be reached: the owner gets it from the store.
 *
 * @returns `undefined` for a call that only the owner can answer
 */
const acceptElsewhere =
  (context: EngineContext, lane: string, read: JustRead) =>
  <Call extends LaneCall>(keyed: Call, mayBeDone: boolean): Promise<LaneAnswer<Call>> | undefined => {
    const call: LaneCall = keyed;
    if (call.type === 'start') return awaitAnswer<Call>(startInTurn(context, lane, call, read));
    if (call.type !== 'message') return undefined;
    const taken = takeMessage(context, lane, call, read);
    // The owner of the lane may have accepted it just now, with its answer lost.
    return awaitAnswer<Call>(taken.then((answer) => (mayBeDone && isDuplicate(answer) ? { outcome: 'queued' } : answer)));
  };

const awaitAnswer = async <Call extends LaneCall>(answer: Awaitable<StepAnswer>): Promise<LaneAnswer<Call>> => answerOf<Call>(await answer);

const isDuplicate = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'outcome' in answer && answer.outcome === 'duplicate';

/** Performs a call in its place in the queue of a lane that this process owns. */
function takeCall(context: EngineContext, lane: string, call: LaneCall, read: JustRead): Awaitable<StepAnswer> {
  switch (call.type) {
    case 'start':
      return andThen(
        context.lanes.tryRun(lane, () => takeInput(context, lane, call.origin.companyId, call, read)),
        (taken) => (taken === undefined ? startInTurn(context, lane, call, read) : taken.answer),
      );
    case 'message':
      return takeMessage(context, lane, call, read);
    case 'resume':
      return resumeInTurn(context, lane, call, read);
    case 'signal':
      return context.lanes.run(lane, async () => (await takeInput(context, lane, call.companyId, call)).answer);
    case 'cancel':
    case 'release':
    case 'migrate':
    case 'undoMigration':
    case 'retry':
    case 'fork':
      return context.lanes.runFirst(lane, async () => {
        if (call.type === 'release') await context.store.clearCrashCounts([lane]); // a release permits new tries
        return (await takeInput(context, lane, call.companyId, call)).answer;
      });
  }
}

type CallOf<Type extends LaneCall['type']> = Extract<LaneCall, { readonly type: Type }>;

/** Accepts a start that begins when its turn comes. */
const startInTurn = (context: EngineContext, lane: string, call: CallOf<'start'>, { contact }: JustRead): Awaitable<StepAnswer> =>
  andThen(takeInput(context, lane, call.origin.companyId, call, { contact, isBusy: true }), ({ answer }) => answer);

/** Accepts a message, and gives it its turn. @returns its outcome */
async function takeMessage(context: EngineContext, lane: string, call: CallOf<'message'>, read: JustRead): Promise<StepAnswer> {
  const { contact, onMet } = read;
  const acceptance = context.joinedDeliveries.enter(lane);
  let taken: Taken;
  try {
    const outcome = await acceptance.join(async () => context.lanes.tryRun(lane, () => takeJoined(context, lane, call, contact)));
    if (outcome !== undefined && outcome !== 'alone') {
      onMet?.();
      return { outcome };
    }
    const blocks = context.lanes.isOurs(lane) ? context.lanes.blocks(lane) : await readBlocks(context, lane);
    taken = await takeInput(context, lane, call.message.companyId, call, { contact, blocks });
  } finally {
    acceptance.leave();
  }
  onMet?.();
  const [seq] = taken.seqs;
  if (seq === undefined) return taken.answer;
  // Where the user has come to be known by another id since, the message is in the lane of that.
  return { outcome: await processMessage(context, taken.step.commit?.enqueue[0]?.lane ?? lane, seq) };
}

/** Accepts a message and gives it its turn in one commit. @returns its outcome; `alone` where it has to be accepted alone */
const takeJoined = (
  context: EngineContext,
  lane: string,
  call: CallOf<'message'>,
  contact: KnownContact | undefined,
): Promise<MessageOutcome | 'alone'> => {
  const { trace } = context;
  const take = () => takeInOneCommit(context, lane, call, contact);
  return trace === undefined
    ? take()
    : trace({ name: 'advance', companyId: call.message.companyId, executionId: '', type: 'message' }, take);
};

/** The blocks of a lane that another process owns, from the store. A message is accepted in any case. */
async function readBlocks({ store, events }: EngineContext, lane: string): Promise<readonly NamedBlock[]> {
  try {
    return listBlocks((await store.unfinishedIn(lane)).unsettled);
  } catch (error) {
    events.emit('engine.fault', { error, while: `looking whether a node holds the user of lane ${lane}` });
    return [];
  }
}

/**
 * A request that answers an open wait has its turn; what comes while the execution is at work has none to wait for: the system that a node
 * calls may call back before it answers.
 */
function resumeInTurn(context: EngineContext, lane: string, call: CallOf<'resume'>, { known }: JustRead): Promise<StepAnswer> {
  const { companyId } = call.call;
  const take = (found?: ExecutionRecord): Awaitable<Taken> => takeInput(context, lane, companyId, call, { known: found });
  const inTurn =
    known !== undefined && call.call.visit === undefined && waitsForRequest(known) ? context.lanes.run : context.lanes.runFirst;
  return inTurn(lane, async () => {
    // Mostly it is unchanged since it was found; otherwise it is decided again as it is now.
    const atOnce = known === undefined ? undefined : await rescue<Taken | undefined>(() => take(known), ignoreNotWaiting);
    return (atOnce?.isApplied === true ? atOnce : await take()).answer;
  });
}

/** What a request names. */
interface Named {
  readonly call: Pick<ResumingRequest, 'companyId' | 'workflowId' | 'visit'>;
  readonly executionId: string;
}

/** The member of a family that a request is for, as it is now. */
export const loadMember = (
  context: EngineContext,
  { call: { companyId, workflowId, visit }, executionId }: Named,
): Promise<ExecutionRecord | undefined> =>
  queryLane(context, companyId, (reads) =>
    visit === undefined
      ? findMember({ executions: [] }, executionId, workflowId, reads)
      : findContinuation({ executions: [] }, executionId, reads),
  );

/** An execution that does not wait may have continued since it was found. */
function ignoreNotWaiting(error: unknown): undefined {
  if (!isHiloError(error, 'EXECUTION_NOT_WAITING')) throw error;
}

/**
 * Performs a call that another process forwarded. It is never forwarded again.
 *
 * @returns the answer for its caller; `undefined` when this process does not own the lane
 * @throws {HiloError} `STORE_UNAVAILABLE`, `STORE_CONFLICT`: the same call may succeed later
 */
export async function takeForwardedCall(context: EngineContext, lane: string, call: LaneCall): Promise<LaneReply | undefined> {
  const { ownership } = context;
  await ownership?.whenReady();
  if (ownership === undefined || !context.lanes.takes(lane)) return undefined;
  try {
    const known = call.type === 'resume' ? await loadMember(context, call) : undefined;
    return { kind: 'answer', value: (await takeCall(context, lane, call, { known })) as Json };
  } catch (error) {
    if (error instanceof LaneElsewhere) return undefined;
    if (!isKnown(error) || error.status === 503) throw error; // it may not repeat
    return createRefusal(error);
  }
}
