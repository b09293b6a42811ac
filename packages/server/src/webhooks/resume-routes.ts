// The address of a callback, `/workflows/v2/resume/{token}`: whoever has it resumes one wait of one execution, once, without a key.
import { readDeliveryKey } from '@hilo/engine';
import { isHiloError, type ResumeClaim, WebhookMethod, type WebhookRequest } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { createResponse, type HttpCall, readCall } from '../platform/http/call.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { type HttpError, notFound, unavailable } from '../platform/http/errors.ts';
import { ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { renderPage } from '../platform/http/page.ts';
import { readPageWords } from '../platform/http/page-words.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import { answerAccepted } from './handle-webhook.ts';
import { readRequest, type WebhookParts } from './read-request.ts';
import type { ResumeTokens } from './resume-tokens.ts';
import { Accepted, addressOf } from './route-parts.ts';

/** What these routes work with. */
export interface CallbackParts extends WebhookParts {
  readonly traffic: Pick<Traffic, 'admission' | 'rateLimit'>;
  readonly callbacks: ResumeTokens;
}

const params = z.object({ token: z.string().openapi({ description: 'What resumeUrl() of a canvas gave' }) });
const refusals = {
  400: jsonResponse('The body cannot be read', ErrorBody),
  404: jsonResponse('The address was used, has expired, was withdrawn with its wait, or was never given', ErrorBody),
  405: jsonResponse('A method that the node does not accept: see Allow', ErrorBody),
  413: jsonResponse('The body is larger than 1 MB', ErrorBody),
  429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
  503: jsonResponse('Nothing was written: see Retry-After', ErrorBody),
};

/** One answer for every reason, so that it tells nothing to those who guess. */
export const leadsNowhere = (): HttpError =>
  notFound('NOT_FOUND', 'This address was used, has expired, or was never given: ask for a new one');

/** Answers a call of an address. */
async function takeCallback(c: Context<HttpEnv>, token: string, parts: CallbackParts): Promise<Response> {
  const { callbacks, companies, engine, traffic } = parts;
  const call = readCall(c);
  const claim = callbacks.open(token);
  await traffic.rateLimit?.consume(claim === undefined ? `callbacks ${call.clientAddress ?? ''}` : `callback ${claim.executionId}`);
  if (claim === undefined || companies.company(claim.companyId) === undefined) throw leadsNowhere();
  const rules = await engine.findCallback(claim);
  if (rules?.confirm === true && call.method === 'GET') return renderQuestion(c);
  const entry = traffic.admission.enter({ kind: 'known', holder: claim.companyId });
  try {
    const request = rules === undefined ? unread : await readRequest(call, entry);
    const answer = await resume(parts, call, claim, request);
    entry.leave();
    return rules?.confirm === true && isOfPage(request) ? await renderThanks(c) : createResponse(await answer());
  } finally {
    entry.leave();
  }
}

/** Stands for a call that comes too late: it may repeat one whose answer is known by its key, and no node takes it. */
const unread: WebhookRequest = { method: '', headers: {}, query: {}, body: null };

/** Resumes the execution, or keeps the call for its wait: durable when this resolves. @throws {HttpError | HiloError} the refusal */
async function resume(parts: CallbackParts, call: HttpCall, claim: ResumeClaim, request: WebhookRequest) {
  const idempotencyKey = readDeliveryKey(call.headers);
  try {
    const accepted = await parts.engine.receiveCallback({ claim, request, ...(idempotencyKey !== undefined && { idempotencyKey }) });
    return () => answerAccepted(parts, call, claim.companyId, accepted);
  } catch (error) {
    if (isHiloError(error, 'EXECUTION_NOT_FOUND') || isHiloError(error, 'EXECUTION_NOT_WAITING')) throw leadsNowhere();
    if (isHiloError(error, 'INVALID_CANVAS'))
      throw unavailable('The workflow cannot continue with this release: send this again later', 60);
    throw error;
  }
}

const isOfPage = ({ method, body }: WebhookRequest): boolean =>
  method === 'POST' && typeof body === 'object' && body !== null && Reflect.get(body, formField) === 'yes';

const formField = 'confirm';

/** The page that a browser shows before anything happens: programs that scan mails open every link, and send no form. */
function renderQuestion(c: Context<HttpEnv>): Promise<Response> {
  const { language, words } = readPageWords(c);
  return renderPage(c, 200, words.confirmTitle, {
    language,
    shape: 'card',
    hasSecretAddress: true,
    content: html`<p>${words.confirmText}</p>
      <form method="post"><button class="primary" name="${formField}" value="yes">${words.confirm}</button></form>`,
  });
}

function renderThanks(c: Context<HttpEnv>): Promise<Response> {
  const { language, words } = readPageWords(c);
  return renderPage(c, 200, words.thanks, {
    language,
    shape: 'card',
    hasSecretAddress: true,
    content: html`<p role="status">${words.mayClose}</p>`,
  });
}

/** A route for each method that a node may take. */
export const resumeRoutes: readonly Route<CallbackParts>[] = WebhookMethod.options.map((method) =>
  defineRoute({
    ...addressOf(method, '/workflows/v2/resume/{token}'),
    operationId: method === 'POST' ? 'receiveCallback' : `receiveCallbackWith${method.charAt(0)}${method.slice(1).toLowerCase()}`,
    tags: ['Webhooks'],
    summary: 'Resumes the wait that the address stands for, once',
    description:
      'For third parties: a canvas gives the address by resumeUrl(), and no key is needed. A call that comes before the wait is open is kept for it.',
    auth: 'address',
    params,
    ...(method !== 'GET' && { body: { content: { 'application/json': { schema: z.unknown() } } } }),
    answer: jsonResponse('Durably accepted; of a node with "confirm", GET shows a page that asks for a confirmation', Accepted),
    refusals,
    example: { path: { token: 'RESUME_TOKEN' }, ...(method !== 'GET' && { body: { paid: true } }) },
    handle: ({ c, params: { token } }, parts: CallbackParts) => takeCallback(c, token, parts),
  }),
);
