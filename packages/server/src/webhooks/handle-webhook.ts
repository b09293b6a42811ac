// A call of a webhook from its authentication to its answer.
import { type Finish, type WebhookAccepted, type WebhookCall, type WebhookResponse, isEmptyAnswer, readDeliveryKey } from '@hilo/engine';
import { HiloError, isJsonObject, isNodeId, isWorkflowId, type WebhookRequest } from '@hilo/engine/contract';
import { userIdProblem } from '@hilo/nodes';
import { SpanKind } from '@opentelemetry/api';
import { authenticateKey } from '../platform/http/auth/api-key-auth.ts';
import type { Entry } from '../platform/http/admission.ts';
import { type HttpAnswer, type HttpCall, jsonAnswer } from '../platform/http/call.ts';
import { tooBusy } from '../platform/http/errors.ts';
import { withSpan } from '../platform/tracing.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import type { Bot } from '../tenants/companies.ts';
import { withShare } from '../tenants/company-limits.ts';
import { foresee, type Target } from './find-webhook.ts';
import { readRequest, type WebhookParts } from './read-request.ts';

/**
 * Handles an authenticated call to a webhook: it is answered only when its consequence is durable (P1, WEB-24).
 *
 * @throws {HttpError | HiloError} the refusal
 */
export function handleWebhook(
  service: WebhookParts,
  traffic: Traffic,
  call: HttpCall,
  target: Target,
  proved?: Proved,
): Promise<HttpAnswer> {
  const { companyId, workflowId, nodeId, bot } = target;
  const attributes = {
    'http.request.method': call.method,
    'hilo.company_id': companyId,
    'hilo.workflow_id': workflowId,
    'hilo.node_id': nodeId,
    'hilo.bot_id': bot.id,
  };
  return withSpan({ name: 'hilo.webhook', kind: SpanKind.SERVER, attributes, headers: call.headers }, () =>
    acceptCall(service, traffic, call, target, proved),
  );
}

/** A call that a webhook has verified by itself. */
export interface Proved {
  /** What a repetition of the same call has as well; `undefined` where nothing tells one. */
  readonly key: string | undefined;
}

async function acceptCall(
  service: WebhookParts,
  traffic: Traffic,
  call: HttpCall,
  target: Target,
  proved: Proved | undefined,
): Promise<HttpAnswer> {
  const { companyId, route, workflowId, nodeId, bot } = target;
  // No canvas can have such an id, so no store is read.
  if (!isWorkflowId(workflowId)) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  if (!isNodeId(nodeId)) throw new HiloError('NODE_NOT_FOUND', { workflowId, nodeId });
  const entry = traffic.admission.enter({ kind: call.query.has('executionId') ? 'known' : 'unknown', holder: companyId });
  // Taken before anything is accepted: a call that cannot wait for its answer is refused, and never answered with another one.
  const leaveWaiting = traffic.admission.holdForFinish(companyId);
  try {
    const read = await readWebhookCall(service, call, entry, target);
    if (proved === undefined) authenticateKey(service, call.headers['x-api-key']); // once more: a key may be revoked while a body comes slowly
    const mayStart = entry.mayStart();
    const foreseen = mayStart && leaveWaiting !== undefined ? undefined : await foresee(service, target, read.request);
    if (!mayStart && foreseen?.starts === true)
      throw tooBusy({ name: 'starts', holder: companyId }, 'Too much is in progress to start anything new; send this again in a moment');
    if (leaveWaiting === undefined && foreseen?.mayWait === true)
      throw tooBusy(
        { name: 'waits-for-the-end', holder: companyId },
        'Too many calls wait for the end of an execution; send this again in a moment',
      );
    const accepted = await withShare(
      service.companies.company(companyId)?.limits === undefined ? undefined : takeStart(service, target, read.request),
      () =>
        service.engine.receiveWebhook({
          companyId,
          workflowId,
          nodeId,
          route,
          channel: bot.channel,
          botId: bot.id,
          ...read,
          ...(proved?.key !== undefined && { idempotencyKey: proved.key }),
        }),
      ({ isNewExecution }) => isNewExecution,
    );
    entry.leave();
    return await answerAccepted(service, call, companyId, accepted);
  } finally {
    entry.leave();
    leaveWaiting?.();
  }
}

/** Takes a start of a company with limits, where the call would start something. @throws {HttpError} 429 */
async function takeStart(service: WebhookParts, target: Target, request: WebhookRequest): Promise<(() => void) | undefined> {
  return (await foresee(service, target, request)).starts ? service.shares?.takeStart(target.companyId) : undefined;
}

type Read = Pick<WebhookCall, 'request' | 'testUserId' | 'idempotencyKey' | 'userIdFormat'>;

/** Reads the request, or refuses it. */
async function readWebhookCall(service: WebhookParts, call: HttpCall, entry: Entry, target: Target): Promise<Read> {
  const { userIdFormat } = target.bot.settings;
  try {
    const request = await readRequest(call, entry);
    const idempotencyKey = readDeliveryKey(call.headers);
    const tester = target.route === 'test' ? takeTestUser(request, target.bot) : { request };
    return { ...tester, userIdFormat, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
  } catch (error) {
    return service.engine.refuseWebhook({ ...target, method: call.method }, error);
  }
}

/**
 * On the test route the user comes from the tester: the query `testUserId`, which the canvas does not see. A `userId` is
 * data like any other there (WEB-13).
 *
 * @throws {HiloError} `INVALID_USER_ID`
 */
function takeTestUser(
  { query, ...request }: WebhookRequest,
  { channel, settings }: Bot,
): { readonly request: WebhookRequest; readonly testUserId?: string } {
  const { testUserId, ...rest } = isJsonObject(query) ? query : {};
  if (testUserId === undefined) return { request: { ...request, query } };
  if (typeof testUserId !== 'string' || userIdProblem(testUserId, channel, settings.userIdFormat) !== undefined)
    throw new HiloError('INVALID_USER_ID', { userId: typeof testUserId === 'string' ? testUserId : JSON.stringify(testUserId) });
  return { request: { ...request, query: rest }, testUserId };
}

/**
 * Answers an accepted call: at once, or with `respond: "onFinish"` as the canvas answers. An execution that neither answers nor ends
 * within the plan's budget continues, and the call is answered as accepted (WEB-24).
 */
export async function answerAccepted(
  service: Pick<WebhookParts, 'engine'>,
  call: HttpCall,
  companyId: string,
  { respond, ...accepted }: WebhookAccepted,
): Promise<HttpAnswer> {
  const answer = { success: true, ...accepted };
  if (respond !== 'onFinish' || accepted.ignored !== undefined) return jsonAnswer(200, answer);
  const finish = await awaitFinishOf(service, call, companyId, accepted);
  if (finish === undefined) return jsonAnswer(200, answer);
  return 'ended' in finish ? jsonAnswer(200, { ...answer, status: finish.ended }) : renderAuthoredResponse(finish);
}

/** Waits while the caller does: once nobody waits any more, the place is free at once, and the execution continues. */
function awaitFinishOf(
  service: Pick<WebhookParts, 'engine'>,
  call: HttpCall,
  companyId: string,
  accepted: Pick<WebhookAccepted, 'executionId' | 'isNewExecution'>,
): Promise<Finish | undefined> {
  const closing = new AbortController();
  const forget = call.onClosed(() => closing.abort());
  return service.engine.awaitFinish(companyId, accepted, { over: closing.signal }).finally(forget);
}

/** An answer that the canvas's author wrote. */
const renderAuthoredResponse = ({ status, headers, body }: WebhookResponse): HttpAnswer => ({
  status,
  headers,
  text: isEmptyAnswer({ status, body }) ? null : typeof body === 'string' ? body : JSON.stringify(body),
});
