// Takes a call of a webhook, from its admission to its answer.
import type { CompiledNode } from '../canvas/compile.ts';
import type { CallbackRules, ResumeClaim } from '../contract/callback.ts';
import { HiloError, isHiloError } from '../contract/errors.ts';
import type { Origin } from '../contract/execution.ts';
import type { Json } from '../contract/json.ts';
import type { WebhookAdmission } from '../contract/node.ts';
import type { Awaitable, ExecutionRecord } from '../contract/store.ts';
import type { WebhookRequest } from '../contract/webhook.ts';
import type { ResumingRequest, WebhookAccepted, WebhookCall } from '../lane/calls.ts';
import type { Pinned } from '../machine/reads.ts';
import { askLane, loadMember } from './ask-lane.ts';
import { judgeClaim } from '../machine/callbacks.ts';
import { admit } from '../machine/decide.ts';
import { isExecutionId } from '../machine/new-execution.ts';
import { andThen } from './retry.ts';
import { refuseForeignExecution } from './lane-runtime.ts';
import type { EngineContext } from './context.ts';
import type { KnownContact } from './perform-effect.ts';
import { acceptStart, pinToStart, splitUserId } from './start.ts';

/**
 * What the webhook of a call, in the version or draft that a start would run, says to its request.
 *
 * @throws {HiloError} as `receiveWebhook` for a request that starts one; where it names an execution, another version may decide
 */
export async function admitWebhook(context: EngineContext, call: Admissible): Promise<WebhookAdmission> {
  const { workflowId, nodeId, request } = call;
  const { canvas } = await pinToStart(context, call, workflowId, ofRequest);
  if (canvas.webhook?.id !== nodeId) throw new HiloError('NODE_NOT_FOUND', { workflowId, nodeId });
  return admit(canvas.webhook, request);
}

/**
 * Refuses a request that could not be read. Errors in it are reported only to a caller of an existing webhook with a permitted method
 * (GEN-09).
 *
 * @throws {HiloError} `WORKFLOW_NOT_FOUND`, `NODE_NOT_FOUND`, `METHOD_NOT_ALLOWED`, else the error
 */
export async function refuseUnread(context: EngineContext, { method, ...address }: Unread, error: unknown): Promise<never> {
  await admitWebhook(context, { ...address, request: { method, headers: {}, query: {}, body: null } });
  throw error;
}

/** The head of a request whose body could not be read. */
export type Unread = Omit<Admissible, 'request'> & Pick<WebhookRequest, 'method'>;

const ofRequest = { isRequest: true } as const;

/** What a webhook looks at before it decides on a request. */
export type Admissible = Pick<WebhookCall, 'companyId' | 'route' | 'workflowId' | 'nodeId' | 'request'>;

/**
 * Accepts a request to a webhook: starts an execution, or answers the wait of one. Durable when the promise resolves.
 *
 * @throws {HiloError} `WORKFLOW_NOT_FOUND`, `NODE_NOT_FOUND`, `METHOD_NOT_ALLOWED`, `INVALID_REQUEST`, `INVALID_USER_ID`,
 *   `EXECUTION_NOT_FOUND` (WEB-22, WEB-25), `EXECUTION_NOT_WAITING` (WEB-23)
 */
export async function receiveWebhook(context: EngineContext, call: WebhookCall): Promise<WebhookAccepted> {
  const { companyId, workflowId, nodeId, request } = call;
  let pinned: Pinned | { readonly error: unknown };
  try {
    const pinning = pinToStart(context, call, workflowId, ofRequest);
    pinned = pinning instanceof Promise ? await pinning : pinning;
  } catch (error) {
    pinned = { error };
  }
  const webhook = 'error' in pinned ? undefined : pinned.canvas.webhook;
  const admission = webhook?.id === nodeId ? tryAdmit(webhook, request) : new HiloError('NODE_NOT_FOUND', { workflowId, nodeId });
  const named = admission instanceof HiloError ? await findNamedExecution(context, call) : admission.executionId;
  if (named !== undefined) return resume(context, call, named);
  if ('error' in pinned) throw pinned.error;
  if (admission instanceof HiloError) throw admission;

  const userId = pinned.canvas.canvas.kind === 'tool' ? undefined : nameUser(call, admission);
  const begin = (user: User | undefined) => beginFromWebhook(context, call, { pinned, admission, user });
  const { botId } = call;
  if (userId === undefined || botId === undefined) return begin(userId === undefined ? undefined : { id: userId, contact: undefined });
  return context.meetings.meet({ companyId, botId, ids: [userId] }, (contact) => begin({ id: contact?.userId ?? userId, contact }));
}

/** A user by the id that their bot knows, and their contact, where there is one. */
type User = KnownContact & { readonly id: string };

interface Beginning {
  readonly pinned: Pinned;
  readonly admission: WebhookAdmission;
  readonly user: User | undefined;
}

function beginFromWebhook(context: EngineContext, call: WebhookCall, { pinned, admission, user }: Beginning): Awaitable<WebhookAccepted> {
  const { companyId, route, workflowId, nodeId, channel, botId } = call;
  const keys = call.idempotencyKey === undefined ? [] : [`${companyId}:webhook:${workflowId}:${nodeId}:${route}:${call.idempotencyKey}`];
  const accepting = acceptStart(context, {
    origin: createOrigin(call, user?.id),
    canvas: pinned.canvas,
    version: pinned.version,
    entry: nodeId,
    keys,
    ...ofRequest,
    contact: user,
    contacts:
      user === undefined || user.contact !== undefined || botId === undefined
        ? []
        : [{ companyId, botId, userId: user.id, ...splitUserId(user.id, channel) }],
    trigger: (id) => ({ kind: 'webhook', writes: admission.writes({ executionId: id, mode: 'new' }) }),
  });
  return andThen(accepting, ({ executionId }): WebhookAccepted => {
    return { executionId, mode: 'new', isNewExecution: true, respond: admission.respond };
  });
}

const createOrigin = ({ companyId, route, channel, botId }: WebhookCall, userId: string | undefined): Origin =>
  botId !== undefined && userId !== undefined
    ? { companyId, route, channel, botId, userId }
    : { companyId, route, channel, ...(botId !== undefined && { botId }), ...(userId !== undefined && { userId }) };

/** Most ids of a request that are looked up; further ones are ignored. */
const maxNamed = 100;

/**
 * Finds the execution that a request names, by the webhook of the version which that execution runs: it can still be resumed after a publish
 * has removed the webhook or changed its methods, the draft has broken or the workflow was removed (P14). Only that version knows the field
 * with the id, so every text that looks like one is tried.
 *
 * @throws {HiloError} `CELL_ELSEWHERE`, where none is here and one would be in another cell
 */
async function findNamedExecution(context: EngineContext, call: WebhookCall): Promise<string | undefined> {
  const { companyId, nodeId, request } = call;
  const named = [...new Set([...collectIds(request.query), ...collectIds(request.body)])].slice(0, maxNamed);
  for (const executionId of named) {
    const member = await loadMember(context, { call, executionId });
    const { webhook } = member === undefined ? {} : await context.library.loadPart(companyId, member.state.canvasHash);
    if (webhook?.id === nodeId && tryAdmit(webhook, request).executionId === executionId) return executionId;
  }
  for (const executionId of named) refuseForeignExecution(context, executionId);
  return undefined;
}

/** Collects the texts in a value that have the form of an execution id. */
function collectIds(value: Json): readonly string[] {
  if (typeof value === 'string') return isExecutionId(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectIds) : [];
}

/** Admits a request, or returns the error for a method that the webhook does not take. @throws {HiloError} for any other invalid request */
function tryAdmit(node: CompiledNode, request: WebhookRequest): WebhookAdmission | (HiloError & { readonly executionId?: never }) {
  try {
    return admit(node, request);
  } catch (error) {
    if (isHiloError(error, 'METHOD_NOT_ALLOWED')) return error;
    throw error;
  }
}

/** The id of the user of a new execution: named by the request in production (WEB-12), by the tester on the test route (WEB-13). */
function nameUser({ route, channel, testUserId, userIdFormat = 'strict' }: WebhookCall, admission: WebhookAdmission): string | undefined {
  const named = route === 'test' ? testUserId : admission.userId(channel, userIdFormat);
  if (named === undefined && route === 'production') throw new HiloError('INVALID_REQUEST', { reason: 'userId is missing' });
  return named;
}

/** A call of a third party by the address of a wait. */
export interface CallbackCall {
  readonly claim: ResumeClaim;
  readonly request: WebhookRequest;
  /** The same key within eight days gives the same answer, and has no second consequence (P10). */
  readonly idempotencyKey?: string;
}

/**
 * Finds the wait that an address stands for, open or still to come.
 *
 * @returns how it is called; `undefined` where it is over, or the address has expired
 */
export async function findCallback(context: EngineContext, claim: ResumeClaim): Promise<CallbackRules | undefined> {
  const { companyId, nodeId, expiresAtMs } = claim;
  const record = expiresAtMs <= context.clock.now() ? undefined : await loadClaimed(context, claim);
  if (record === undefined) return undefined;
  const canvas = await context.library.loadPart(companyId, record.state.canvasHash);
  const node = canvas.nodes.get(nodeId);
  return judgeClaim(canvas, record.state, claim) === 'gone' ? undefined : node?.definition.callback?.rules(node.config);
}

/**
 * Accepts a call by the address of a wait: it resumes the execution, or is kept for the wait. Durable when the promise resolves.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`, `EXECUTION_NOT_WAITING` where the address is of no use any more, `METHOD_NOT_ALLOWED`
 */
export async function receiveCallback(context: EngineContext, { claim, request, idempotencyKey }: CallbackCall): Promise<WebhookAccepted> {
  const { companyId, executionId, nodeId, visit, expiresAtMs } = claim;
  if (expiresAtMs <= context.clock.now()) throw new HiloError('EXECUTION_NOT_WAITING', { executionId, status: 'expired' });
  refuseForeignExecution(context, executionId);
  const known = await loadClaimed(context, claim);
  if (known === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  const named = { companyId, workflowId: known.workflowId, nodeId, visit, request };
  const call: ResumingRequest = idempotencyKey === undefined ? named : { ...named, idempotencyKey };
  return askLane(context, known.lane, { type: 'resume', call, executionId }, { known });
}

/** The execution that a claim is of, or the one that continues it. */
const loadClaimed = (context: EngineContext, { companyId, executionId, visit }: ResumeClaim): Promise<ExecutionRecord | undefined> =>
  loadMember(context, { call: { companyId, workflowId: '', visit }, executionId });

/** Answers the wait of an execution, in the lane of the member of its family that runs the workflow. */
async function resume(context: EngineContext, call: WebhookCall, executionId: string): Promise<WebhookAccepted> {
  refuseForeignExecution(context, executionId);
  const known = await loadMember(context, { call, executionId });
  if (known === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  return askLane(context, known.lane, { type: 'resume', call, executionId }, { known });
}
