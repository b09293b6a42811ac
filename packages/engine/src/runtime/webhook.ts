import type { CompiledNode } from '../canvas/compile.ts';
import { HiloError, isHiloError } from '../contract/errors.ts';
import type { Channel, Origin } from '../contract/execution.ts';
import type { Json } from '../contract/json.ts';
import type { WebhookAdmission } from '../contract/node.ts';
import type { Awaitable, ExecutionRecord } from '../contract/store.ts';
import { phoneNumberChannels } from '../contract/user-variables.ts';
import type { WebhookRequest } from '../contract/webhook.ts';
import type { Pinned } from '../machine/reads.ts';
import { admit } from '../machine/decide.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import { isExecutionId } from '../machine/new-execution.ts';
import { advance, type Advanced } from './advance.ts';
import { andThen, rescue } from './retry.ts';
import { callLane } from './call-lane.ts';
import { keepInLane } from './keep-in-lane.ts';
import { refuseForeignExecution, type WebhookAccepted, type WebhookCall } from './lane-runtime.ts';
import type { EngineContext } from './context.ts';
import type { KnownContact } from './perform-effect.ts';
import { acceptStart, pinToStart } from './start.ts';

/**
 * What the webhook of a call, in the version or draft that a start would run, says to its request.
 *
 * @throws {HiloError} as `receiveWebhook` for a request that starts one; where it names an execution, another version may decide
 */
export async function admitWebhook(context: EngineContext, call: Admissible): Promise<WebhookAdmission> {
  const { workflowId, nodeId, request } = call;
  const { canvas } = await pinToStart(context, call, workflowId);
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
  const pinning = rescue<Pinned | { readonly error: unknown }>(
    () => pinToStart(context, call, workflowId),
    (error) => ({ error }),
  );
  const pinned = pinning instanceof Promise ? await pinning : pinning;
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
  const { companyId, workflowId, nodeId, request } = call;
  const named = [...new Set([...collectIds(request.query), ...collectIds(request.body)])].slice(0, maxNamed);
  for (const executionId of named) {
    const member = await loadMember(context, companyId, executionId, workflowId);
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

/** The contact fields in the id of a user who is not known yet. */
const splitUserId = (userId: string, channel: Channel): { readonly phone?: string; readonly bsuid?: string } => {
  if (!phoneNumberChannels.has(channel)) return {};
  return /^\d+$/.test(userId) ? { phone: userId } : { bsuid: userId };
};

/**
 * Answers the wait of an execution, in its turn; of many at once under `oneTimeOnly`, one wins (P7). What comes while the execution is at
 * work has no turn to wait for: the system that a node calls may call back before it answers, and is answered when its request is kept
 * for the wait (WEB-23, WEB-24).
 */
export async function resume(context: EngineContext, call: WebhookCall, executionId: string): Promise<WebhookAccepted> {
  const { companyId, workflowId, nodeId, idempotencyKey } = call;
  const keys = idempotencyKey === undefined ? [] : [`${companyId}:webhook:${workflowId}:${nodeId}:resume:${executionId}:${idempotencyKey}`];
  refuseForeignExecution(context, executionId);
  const found = await loadMember(context, companyId, executionId, workflowId);
  if (found === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  const { lane } = found;
  return callLane(
    context,
    lane,
    () => ({ type: 'resume', call, executionId }),
    () => resumeInTurn(context, call, executionId, found, keys),
  );
}

/**
 * Keeps a request for an execution that the nodes of this release cannot run: it answers the wait in a release that can. It is answered at
 * once, since what the execution would answer is not known yet.
 *
 * @throws {HiloError} `EXECUTION_NOT_WAITING` where it would not be accepted later either, `INVALID_REQUEST`, `METHOD_NOT_ALLOWED`
 */
async function keepForRelease(
  context: EngineContext,
  { companyId, nodeId, request }: WebhookCall,
  named: string,
  found: ExecutionRecord,
  keys: readonly string[],
): Promise<WebhookAccepted> {
  const { executionId, lane, state } = found;
  const { webhook } = await context.library.loadPart(companyId, state.canvasHash);
  const isOpen = state.status === 'waiting' ? waitsForRequest(found) : !finalStatuses.has(state.status);
  const status = state.wait === undefined ? state.status : `${state.status} for ${state.wait.kind}`;
  if (webhook?.id !== nodeId || !isOpen) throw new HiloError('EXECUTION_NOT_WAITING', { executionId, status });
  admit(webhook, request); // an invalid one is refused now, while there is a caller
  const answer = { executionId: named, mode: 'resume', isNewExecution: false, respond: 'onAccept' } as const;
  await keepInLane(context, lane, { companyId, accepted: { kind: 'webhook', executionId, named, nodeId, request }, keys, answer });
  return answer;
}

/** Whether a request would answer an open wait of the execution that it names, rather than be kept for one. */
export async function answersOpenWait(context: EngineContext, call: WebhookCall, executionId: string): Promise<boolean> {
  const found = await loadMember(context, call.companyId, executionId, call.workflowId);
  return found !== undefined && waitsForRequest(found);
}

const waitsForRequest = ({ state: { status, wait } }: ExecutionRecord): boolean =>
  status === 'waiting' && (wait?.kind === 'webhook' || wait?.kind === 'external');

function resumeInTurn(
  context: EngineContext,
  call: WebhookCall,
  executionId: string,
  found: ExecutionRecord,
  keys: readonly string[],
): Promise<WebhookAccepted> {
  const { companyId, workflowId, nodeId, request } = call;
  const event = { type: 'webhook', executionId, nodeId, request } as const;
  const inTurn = waitsForRequest(found) ? context.lanes.run : context.lanes.runFirst;
  return inTurn(found.lane, async () => {
    try {
      // Mostly it is unchanged since it was found; otherwise the commit is refused and decided again (P8).
      const atOnce = await rescue<Advanced | undefined>(() => advance(context, found, event, { known: found, keys }), ignoreNotWaiting);
      if (atOnce?.isApplied === true) return atOnce.answer as unknown as WebhookAccepted;
      const repeated = keys.length === 0 ? undefined : await context.store.seenAnswer(keys);
      if (repeated !== undefined) return repeated.answer as unknown as WebhookAccepted;
      const known = await loadMember(context, companyId, executionId, workflowId);
      const resumed = known === undefined ? undefined : await advance(context, known, event, { known, keys });
      if (resumed?.record === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId }); // retention was faster
      return resumed.answer as unknown as WebhookAccepted;
    } catch (error) {
      if (!isHiloError(error, 'INVALID_CANVAS')) throw error;
      return keepForRelease(context, call, executionId, found, keys);
    }
  });
}

/** An execution that does not wait may have been resumed by the same request before, or have continued since it was found. */
function ignoreNotWaiting(error: unknown): undefined {
  if (!isHiloError(error, 'EXECUTION_NOT_WAITING')) throw error;
}

/** The execution, or its waiting descendant that runs this workflow: they share `$context.executionId`. */
async function loadMember(
  context: EngineContext,
  companyId: string,
  executionId: string,
  workflowId: string,
): Promise<ExecutionRecord | undefined> {
  let record = await context.store.load(companyId, executionId);
  while (record !== undefined && !(await runsWorkflow(context, record, workflowId))) {
    const childId: string | undefined = record.state.wait?.childId;
    record = childId === undefined ? undefined : await context.store.load(companyId, childId);
  }
  return record;
}

/** Whether an execution is in this workflow: started so, or after a jump. */
const runsWorkflow = async (
  { library }: EngineContext,
  { companyId, workflowId: started, state }: ExecutionRecord,
  workflowId: string,
): Promise<boolean> => started === workflowId || (await library.loadPart(companyId, state.canvasHash)).canvas.id === workflowId;
