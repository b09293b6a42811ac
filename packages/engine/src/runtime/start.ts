import { HiloError } from '../contract/errors.ts';
import type { Contact, Origin, Trigger } from '../contract/execution.ts';
import type { JsonObject } from '../contract/json.ts';
import type { Awaitable, Commit, ExecutionRecord } from '../contract/store.ts';
import { spelledPhone } from '../contract/user-variables.ts';
import type { Callable, Pinned } from '../machine/reads.ts';
import { type Decided, joinDecisions } from '../machine/decide.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import { findWrongInput } from '../variables/declared.ts';
import { laneOf, type NewExecution, createExecutionId, randomHex, userLaneOf } from '../machine/new-execution.ts';
import { slotOf } from '../machine/deterministic-ids.ts';
import { createCommit, commit, commitAsOwner, decideWithReads, follow } from './advance.ts';
import { andThen } from './retry.ts';
import { callLane } from './call-lane.ts';
import type { StartCall, Started } from './lane-runtime.ts';
import type { EngineContext } from './context.ts';
import { readExternalScopes } from './external-scopes.ts';
import type { KnownContact } from './perform-effect.ts';
import { none } from '../machine/transition-context.ts';

/** Starts a workflow by its name, without a webhook or a message: what a host calls. */
export interface StartRequest {
  readonly origin: Origin;
  readonly workflowId: string;
  /** The latest, when left out. */
  readonly version?: number;
  readonly inputs?: JsonObject;
  /** The same key within eight days gives the same execution. */
  readonly idempotencyKey?: string;
}

/**
 * Accepts a start: durable when the promise resolves, not finished (WEB-24).
 *
 * @throws {HiloError} `WORKFLOW_NOT_FOUND`, `WORKFLOW_ARCHIVED`, `INVALID_CANVAS`, `INVALID_INPUT`
 */
export async function startExecution(
  context: EngineContext,
  { origin, workflowId, version, inputs = {}, idempotencyKey }: StartRequest,
): Promise<Started> {
  const pinned = await pinToStart(context, origin, workflowId, version);
  const entry = pinned.canvas.starts[0]?.id ?? pinned.canvas.webhook?.id;
  if (entry === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  const reason = findWrongInput(inputs, pinned.canvas.canvas.settings.inputs);
  if (reason !== undefined) throw new HiloError('INVALID_INPUT', { workflowId, reason });
  const keys = idempotencyKey === undefined ? [] : [`${origin.companyId}:start:${workflowId}:${idempotencyKey}`];
  const begin = (user: StartUser) =>
    acceptStart(context, { ...user, ...pinned, entry, keys, trigger: () => ({ kind: 'call', inputs, webhook: {} }) });
  const { companyId, botId, userId } = origin;
  if (botId === undefined || userId === undefined) return begin({ origin });
  return context.meetings.meet({ companyId, botId, ids: [userId] }, (contact) => begin(resolveUser({ ...origin, botId, userId }, contact)));
}

type StartUser = Pick<AcceptedStart, 'origin' | 'contact' | 'contacts'>;

/** The user of a start by the id that their bot knows (UID-04); an unknown one becomes a contact where their number has several spellings. */
function resolveUser(origin: Origin & { readonly botId: string; readonly userId: string }, contact: Contact | undefined): StartUser {
  const { companyId, botId, userId, channel } = origin;
  if (contact !== undefined) return { origin: { ...origin, userId: contact.userId }, contact: { contact } };
  const { phone } = spelledPhone(userId, channel);
  return { origin, contact: { contact }, ...(phone !== undefined && { contacts: [{ companyId, botId, userId, phone }] }) };
}

/** The canvas that a start from outside will be pinned to. @throws {HiloError} `WORKFLOW_ARCHIVED` in production */
export function pinToStart(
  context: Pick<EngineContext, 'canvases' | 'library' | 'directory'>,
  origin: Pick<Origin, 'companyId' | 'route'>,
  workflowId: string,
  named?: number,
): Awaitable<Pinned> {
  if (origin.route === 'production' && context.directory.isArchived?.(origin.companyId, workflowId) === true)
    throw new HiloError('WORKFLOW_ARCHIVED', { workflowId });
  return pinCanvas(context, origin, workflowId, named);
}

/** The canvas an execution will be pinned to: the draft on the test route, else a published version (VER-02, P14). */
function pinCanvas(
  { canvases, library }: Pick<EngineContext, 'canvases' | 'library'>,
  { companyId, route }: Pick<Origin, 'companyId' | 'route'>,
  workflowId: string,
  named?: number,
): Awaitable<Pinned> {
  const pin = (found: { readonly hash: string; readonly version: number | 'draft' } | undefined): Awaitable<Pinned> => {
    if (found === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
    const { hash, version } = found;
    return andThen(library.get(companyId, hash) ?? library.load(companyId, hash), (canvas) => ({ canvas, version }));
  };
  if (named !== undefined) return canvases.version(companyId, workflowId, named).then(pin);
  if (route === 'test') return canvases.draft(companyId, workflowId).then((draft) => pin(draft && { ...draft, version: 'draft' }));
  return andThen(canvases.latest(companyId, workflowId), pin);
}

/** A start, ready to be accepted. */
export interface AcceptedStart extends Callable {
  readonly origin: Origin;
  /** Delivery ids that make a repetition the same start. */
  readonly keys: readonly string[];
  readonly trigger: (executionId: string) => Trigger;
  /** The queued message this start is the consequence of. */
  readonly dequeue?: Commit['dequeue'];
  /** The user, when read just now. */
  readonly contact?: KnownContact | undefined;
  /** The contact change of the start. */
  readonly contacts?: Commit['contacts'];
  /** The execution that waited for the user's message: it ends, with all of its family, in the commit that begins this one. */
  readonly interrupts?: ExecutionRecord | undefined;
}

/** Commits a start: at once with its first advance where its lane is free, else with its turn in the lane. */
export function acceptStart(context: EngineContext, start: AcceptedStart): Awaitable<Started> {
  const named = nameStartHere(context, start.origin);
  return callLane(
    context,
    named.lane,
    () => createStartCall(start, named.executionId),
    () => takeStart(context, start, named),
    async ({ keys }) => commitStart(context, { ...start, keys }, 'inTurn', named),
  );
}

/** An execution that is to be, and its lane. */
interface NamedStart {
  readonly executionId: string;
  readonly lane: string;
}

/** Draws the id of a start, which names the slot of its lane. */
function nameStart(context: EngineContext, origin: Origin): NamedStart {
  const lane = userLaneOf(origin);
  if (lane !== undefined) return { executionId: createExecutionId(context, () => slotOf(lane)), lane };
  const executionId = createExecutionId(context, context.cell?.slotAt);
  return { executionId, lane: laneOf(origin, executionId) };
}

/** How many ids are drawn until the lane of an execution without a user is this process's. */
const maxDraws = 64;

function nameStartHere(context: EngineContext, origin: Origin): NamedStart {
  const isOfUser = origin.botId !== undefined && origin.userId !== undefined;
  for (let draw = 1; ; draw += 1) {
    const named = nameStart(context, origin);
    if (isOfUser || draw === maxDraws || context.lanes.takes(named.lane)) return named;
  }
}

/** Takes a start where its lane is kept. */
const takeStart = (context: EngineContext, start: AcceptedStart, named: NamedStart): Awaitable<Started> =>
  andThen(
    context.lanes.tryRun(named.lane, () => commitStart(context, start, 'now', named)),
    (started) => started ?? commitStart(context, start, 'inTurn', named),
  );

const createStartCall = ({ origin, canvas, version, entry, keys, trigger, contacts }: AcceptedStart, executionId: string): StartCall => ({
  type: 'start',
  origin,
  canvasHash: canvas.hash,
  version,
  entry,
  keys,
  trigger: trigger(executionId),
  contacts: contacts ?? [],
  executionId,
});

/** A start as a runtime passes it to its lane: its canvas was pinned at acceptance (P14). */
export async function takeStartCall(context: EngineContext, lane: string, call: StartCall): Promise<Started> {
  const { origin, canvasHash, version, entry, keys, contacts, trigger, executionId } = call;
  const canvas = await context.library.load(origin.companyId, canvasHash);
  return takeStart(context, { origin, canvas, version, entry, keys, contacts, trigger: () => trigger }, { executionId, lane });
}

/** @param begins - `now`: together with its first advance, for who has the lane's turn already */
export function commitStart(
  context: EngineContext,
  start: AcceptedStart,
  begins: 'now' | 'inTurn',
  named: NamedStart = nameStart(context, start.origin),
): Awaitable<Started> {
  if (context.trace === undefined) return decideAndCommit(context, start, begins, named);
  const { companyId } = start.origin;
  return context.trace({ name: 'advance', companyId, executionId: named.executionId, type: 'start' }, () =>
    decideAndCommit(context, start, begins, named),
  );
}

function decideAndCommit(context: EngineContext, start: AcceptedStart, begins: 'now' | 'inTurn', named: NamedStart): Awaitable<Started> {
  const { origin, entry, trigger, interrupts } = start;
  const { executionId } = named;
  const decideStart = (execution: NewExecution): ReturnType<typeof decideWithReads> =>
    decideWithReads(context, { execution: undefined }, { type: 'start', execution, entry, trigger: trigger(executionId), begins }, origin);
  const decided = (ended: Decided | undefined): Awaitable<Started> =>
    andThen(andThen(prepareExecution(context, start, named), decideStart), (decision) =>
      decision.kind === 'unchanged' ? { executionId } : commitDecided(context, start, begins, { ...named, ended, decision }),
    );
  return interrupts === undefined ? decided(undefined) : decideInterruption(context, interrupts, start.canvas.canvas.id).then(decided);
}

/** @param ended - what a start that interrupts ends, in the same commit */
function commitDecided(
  context: EngineContext,
  { keys, dequeue = none, contacts = none }: AcceptedStart,
  begins: 'now' | 'inTurn',
  { executionId, lane, ended, decision }: NamedStart & { readonly ended: Decided | undefined; readonly decision: Decided },
): Awaitable<Started> {
  const all = ended === undefined ? decision : { ...joinDecisions(ended, decision), answer: decision.answer };
  const { enqueue, moved } = all;
  const learned = contacts.length === 0 ? all : { ...all, contacts: [...contacts, ...all.contacts] };
  const changes = createCommit(context, learned, enqueue, dequeue, keys);
  const committing = begins === 'now' ? commitAsOwner(context, lane, changes) : commit(context, lane, changes);
  return andThen(committing, (committed) => {
    if (committed.kind === 'duplicate') return committed.answer as unknown as Started;
    if (committed.kind === 'conflict') throw new HiloError('STORE_CONFLICT', { executionId });
    follow(context, moved, enqueue);
    return { executionId };
  });
}

/**
 * Ends the family of an execution whose user starts another workflow. Cancelling the child alone would let its caller continue.
 *
 * @throws {HiloError} `STORE_CONFLICT` when it has ended meanwhile: the message is routed again
 */
async function decideInterruption(context: EngineContext, waiting: ExecutionRecord, by: string): Promise<Decided> {
  const { companyId, executionId, state } = waiting;
  const root = state.rootId === executionId ? waiting : await context.store.load(companyId, state.rootId);
  const execution = root === undefined || finalStatuses.has(root.state.status) ? waiting : root;
  const event = { type: 'execution.cancelled', cause: 'INTERRUPTED', reason: `The user began workflow "${by}", which interrupts` } as const;
  const decision = await decideWithReads(context, { execution }, event, execution.state.origin);
  if (decision.kind === 'unchanged') throw new HiloError('STORE_CONFLICT', { executionId });
  return decision;
}

/** The parts of a start: its identity, and the scopes from outside. */
export function prepareExecution(
  context: EngineContext,
  { origin, version, canvas, contact }: Pick<AcceptedStart, 'origin' | 'version' | 'canvas' | 'contact'>,
  { executionId, lane }: NamedStart = nameStart(context, origin),
): Awaitable<NewExecution> {
  const atMs = context.clock.now();
  const seed = randomHex(context.random, 16);
  const begin = (variables: JsonObject): NewExecution => {
    const rootId = executionId;
    return { executionId, rootId, seed, origin, depth: 0, lane, version, canvas, variables, atMs };
  };
  return andThen(readExternalScopes(context, origin, atMs, contact), begin);
}
