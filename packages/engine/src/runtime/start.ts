// A start from outside: its canvas is pinned, its user resolved and its id drawn before its lane takes it.
import { HiloError, isHiloError } from '../contract/errors.ts';
import type { Channel, Contact, Origin, Trigger } from '../contract/execution.ts';
import type { JsonObject } from '../contract/json.ts';
import type { Awaitable } from '../contract/store.ts';
import { phoneNumberChannels } from '../contract/user-variables.ts';
import type { StartCall, Started } from '../lane/calls.ts';
import { slotOf } from '../machine/deterministic-ids.ts';
import { createExecutionId, laneOf, userLaneOf } from '../machine/new-execution.ts';
import type { Callable, Pinned } from '../machine/reads.ts';
import { none } from '../machine/transition-context.ts';
import { findWrongInput } from '../variables/declared.ts';
import { askLane } from './ask-lane.ts';
import type { EngineContext } from './context.ts';
import { gateInForce, retryAfterS } from './gates.ts';
import type { KnownContact } from './perform-effect.ts';
import { andThen, rescue } from './retry.ts';

/** Starts a workflow by its name, without a webhook or a message: what a host calls. */
export interface StartRequest {
  readonly origin: Origin;
  readonly workflowId: string;
  /** The latest, when left out. */
  readonly version?: number;
  readonly inputs?: JsonObject;
  /** The start of the canvas at which it begins; its first, or its webhook, when left out. */
  readonly nodeId?: string;
  /** The same key within eight days gives the same execution. */
  readonly idempotencyKey?: string;
  /** The execution that some of the inputs are of, such as the one whose form asks. */
  readonly from?: string;
}

/**
 * Accepts a start: durable when the promise resolves, not finished (WEB-24).
 *
 * @throws {HiloError} `WORKFLOW_NOT_FOUND`, `WORKFLOW_ARCHIVED`, `WORKFLOW_PAUSED`, `INVALID_CANVAS`, `INVALID_INPUT`
 */
export async function startExecution(
  context: EngineContext,
  { origin, workflowId, version, inputs = {}, nodeId, idempotencyKey, from }: StartRequest,
): Promise<Started> {
  const pinned = await pinToStart(context, origin, workflowId, { version });
  const { starts, webhook } = pinned.canvas;
  const entry = nodeId === undefined ? (starts[0] ?? webhook)?.id : starts.find(({ id }) => id === nodeId)?.id;
  if (entry === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  const reason = findWrongInput(inputs, pinned.canvas.canvas.settings.inputs);
  if (reason !== undefined) throw new HiloError('INVALID_INPUT', { workflowId, reason });
  const keys = idempotencyKey === undefined ? [] : [`${origin.companyId}:start:${workflowId}:${idempotencyKey}`];
  const trigger = { kind: 'call', inputs, webhook: {}, ...(from !== undefined && { from }) } as const;
  const begin = (user: StartUser) => acceptStart(context, { ...user, ...pinned, entry, keys, trigger: () => trigger });
  const { companyId, botId, userId } = origin;
  if (botId === undefined || userId === undefined) return begin({ origin });
  return context.meetings.meet({ companyId, botId, ids: [userId] }, (contact) => begin(resolveUser({ ...origin, botId, userId }, contact)));
}

type StartUser = Pick<AcceptedStart, 'origin' | 'contact' | 'contacts'>;

/** The user of a start by the id that their bot knows (UID-04); an unknown one becomes a contact: something is kept of them from now on. */
function resolveUser(origin: Origin & { readonly botId: string; readonly userId: string }, contact: Contact | undefined): StartUser {
  const { companyId, botId, userId, channel } = origin;
  if (contact !== undefined) return { origin: { ...origin, userId: contact.userId }, contact: { contact } };
  return { origin, contact: { contact }, contacts: [{ companyId, botId, userId, ...splitUserId(userId, channel) }] };
}

/** The contact fields in the id of a user who is not known yet: on channels of phones, their number or their business-scoped id. */
export const splitUserId = (userId: string, channel: Channel | undefined): { readonly phone?: string; readonly bsuid?: string } => {
  if (channel === undefined || !phoneNumberChannels.has(channel)) return {};
  return /^\d+$/.test(userId) ? { phone: userId } : { bsuid: userId };
};

/**
 * The canvas that a start from outside will be pinned to.
 *
 * @param isRequest - a webhook's: whoever sent it can send it again
 * @throws {HiloError} `WORKFLOW_ARCHIVED`, `WORKFLOW_PAUSED` in production; `WORKFLOW_NOT_FOUND`
 */
export function pinToStart(
  context: Pick<EngineContext, 'canvases' | 'library' | 'directory' | 'clock'>,
  { companyId, route }: Pick<Origin, 'companyId' | 'route'>,
  workflowId: string,
  { version, isRequest = false }: { readonly version?: number | undefined; readonly isRequest?: boolean } = {},
): Awaitable<Pinned> {
  const { canvases, library } = context;
  const pin = (found: { readonly hash: string; readonly version: number | 'draft' } | undefined): Awaitable<Pinned> => {
    if (found === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
    const { hash, version: number } = found;
    return andThen(library.get(companyId, hash) ?? library.load(companyId, hash), (canvas) => ({ canvas, version: number }));
  };
  if (route === 'test') {
    if (version !== undefined) return canvases.version(companyId, workflowId, version).then(pin);
    return canvases.draft(companyId, workflowId).then((draft) => pin(draft && { ...draft, version: 'draft' }));
  }
  if (context.directory.isArchived?.(companyId, workflowId) === true) throw new HiloError('WORKFLOW_ARCHIVED', { workflowId });
  return andThen(canvases.latest(companyId, workflowId), (latest) => {
    const nowMs = context.clock.now();
    const gate = gateInForce(latest, nowMs);
    if (gate?.state === 'unpublished') return pin(undefined);
    if (gate !== undefined)
      throw new HiloError('WORKFLOW_PAUSED', { workflowId, ...(isRequest && { retryAfterS: retryAfterS(gate, nowMs) }) });
    return version === undefined ? pin(latest) : canvases.version(companyId, workflowId, version).then(pin);
  });
}

/** A start, ready to be accepted: its canvas is pinned, its request admitted. */
export interface AcceptedStart extends Callable, Pick<StartCall, 'origin' | 'keys'> {
  readonly trigger: (executionId: string) => Trigger;
  /** The user, when read just now. */
  readonly contact?: KnownContact | undefined;
  /** The contact change of the start. */
  readonly contacts?: StartCall['contacts'];
  /** Whether it is a webhook's. */
  readonly isRequest?: boolean;
}

/**
 * Commits a start: at once with its first advance where its lane is free, else with its turn in the lane.
 *
 * @throws {HiloError} as {@link pinToStart} where the workflow was closed after its canvas was pinned: the store takes such a start for a conflict
 */
export const acceptStart = (context: EngineContext, start: AcceptedStart): Awaitable<Started> =>
  rescue(
    () => commitStart(context, start),
    async (error) => {
      const { origin, canvas, isRequest = false } = start;
      if (isHiloError(error, 'STORE_CONFLICT')) await pinToStart(context, origin, canvas.canvas.id, { isRequest });
      throw error;
    },
  );

function commitStart(context: EngineContext, start: AcceptedStart): Awaitable<Started> {
  const { origin, canvas, version, entry, keys, trigger, contact, contacts = none } = start;
  const { executionId, lane } = nameStartHere(context, origin);
  const { hash: canvasHash } = canvas;
  const called = { type: 'start', executionId, origin, canvasHash, version, entry, trigger: trigger(executionId), keys, contacts } as const;
  return askLane(context, lane, called, { contact });
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
