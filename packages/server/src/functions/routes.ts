// The routes by which functions are called, as themselves and as tools of a model.
import { createHash } from 'node:crypto';
import type { FunctionResult } from '@hilo/drivers';
import { parseJson, utf8, deliveryKey } from '@hilo/engine';
import type { Json } from '@hilo/engine/contract';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import type { Admission } from '../platform/http/admission.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { envelope, withErrorHandler } from '../platform/http/envelope.ts';
import { HttpError, internalError, invalidRequest, notFound, unavailable } from '../platform/http/errors.ts';
import { httpLimits } from '../platform/http/limits.ts';
import { escapeUnseenIn } from '../platform/http/mcp-messages.ts';
import { mountRoutes } from '../platform/http/mount-routes.ts';
import { ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { requireOwnOrigin } from '../platform/http/own-origin.ts';
import { limitRate } from '../platform/http/rate-limit.ts';
import { readBody } from '../platform/http/read-body.ts';
import { createTraffic, type Traffic } from '../platform/http/traffic.ts';
import type { FoundFunction, FunctionParts, Functions } from './functions.ts';

const params = z.object({ functionId: z.string() });
/** Judged in code: a malformed key is a 400. */
const headers = z.object({
  'idempotency-key': z.string().optional().openapi({ maxLength: 256, pattern: deliveryKey.source, description: 'Passed to the function' }),
});
const Unauthorized = z.object({ error: z.literal('Unauthorized') }).openapi('UnauthorizedCall');
const RpcProblem = z
  .object({
    jsonrpc: z.literal('2.0').openapi({ description: 'The version of the protocol' }),
    id: z.null().openapi({ description: 'None: the message has no request id' }),
    error: z
      .object({
        code: z.int().openapi({ description: 'A code of JSON-RPC 2.0, such as -32600' }),
        message: z.string().openapi({ description: 'What is wrong with the message' }),
      })
      .openapi({ description: 'Why the function was not called' }),
  })
  .openapi('JsonRpcProblem');
const Unexpected = z.object({ message: z.array(z.string()), statusMessage: z.string(), status: z.int() }).openapi('UnexpectedError');

const errorResponses = {
  400: jsonResponse('The body is not JSON', ErrorBody),
  401: jsonResponse('Neither an API key as Authorization: Bearer nor a runtime token of this function as X-Service-Token', Unauthorized),
  404: jsonResponse('The company has no such function', ErrorBody),
  413: jsonResponse(
    'The body is larger than 1 MB; or ANSWER_TOO_LARGE: what the function returned is larger than 1.2 MB, too deep, or has too many keys',
    ErrorBody,
  ),
  429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
  500: jsonResponse('The function failed', Unexpected),
  503: jsonResponse('The function was not called: see Retry-After', ErrorBody),
};

/** What these routes work with. */
interface CallParts {
  readonly functions: Functions;
  readonly log: FunctionParts['log'];
  readonly traffic: Pick<Traffic, 'admission'>;
}

const tags = ['Functions'];

/** Each function defines its own body. */
const body = { content: { 'application/json': { schema: z.unknown() } } };

const callFunction = defineRoute({
  post: '/functions/{functionId}',
  operationId: 'callFunction',
  tags,
  summary: 'Calls a deployed function with the body',
  description: 'The answer is what the function returned; its errors are in the log alone.',
  auth: 'caller',
  params,
  headers,
  body,
  answer: { description: 'What the function returned', content: { 'application/json': { schema: z.unknown() } } },
  refusals: errorResponses,
  example: { path: { functionId: 'fn_echo' }, body: { a: 1 } },
  async handle({ c }, { functions, log, traffic }: CallParts) {
    const deployed = await requireFunction(c, functions);
    const given = await readJson(c, traffic.admission);
    const idempotencyKey = readCallKey(c);
    // A caller that hangs up does not cancel the call.
    const result = await functions.call(deployed, { body: given, idempotencyKey });
    if (result.kind === 'threw' || result.kind === 'stopped' || result.kind === 'too-large') {
      const { companyId, functionId } = deployed;
      log.warn({ requestId: c.get('requestId'), companyId, functionId, reason: result.message }, 'A function failed');
    }
    return renderResult(result);
  },
});

const callFunctionTools = defineRoute({
  post: '/functions/{functionId}/mcp',
  operationId: 'callFunctionTools',
  tags,
  summary: 'The tools of a function, for clients of the Model Context Protocol (streamable HTTP)',
  description: 'Each request stands for itself: there are no sessions, and no stream to open with GET.',
  auth: 'caller',
  params,
  body,
  answer: { description: 'A message of the protocol', content: { 'application/json': { schema: z.unknown() } } },
  also: { 202: { description: 'Only notifications were sent: they have no answer' } },
  refusals: {
    ...errorResponses,
    403: jsonResponse('A page of another origin sent it, or it is for another host than this service', ErrorBody),
    400: jsonResponse('The body is not JSON, or not a message of JSON-RPC 2.0', z.union([RpcProblem, ErrorBody])),
  },
  example: { path: { functionId: 'fn_echo' }, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  async handle({ c }, { functions, traffic }: CallParts) {
    const deployed = await requireFunction(c, functions);
    const given = await readJson(c, traffic.admission);
    if (Array.isArray(given) && given.length > maxBatchSize) throw invalidRequest(`Send at most ${maxBatchSize} messages at once`);
    const { answerToolClient } = await import('./tool-server.ts'); // most services never need its dependencies
    return escapeUnseenIn(await answerToolClient(c.req.raw, given, deployed, functions.call));
  },
});

const checkFunction = defineRoute({
  get: '/functions/{functionId}/__health',
  operationId: 'checkFunction',
  tags,
  summary: 'Whether a function is deployed; needs no credential',
  description: 'For monitors: the function itself is not called.',
  auth: 'nobody',
  params,
  answer: jsonResponse('The function is deployed', z.object({ status: z.literal('ok') })),
  refusals: { 404: jsonResponse('The function is not deployed', ErrorBody) },
  example: { path: { functionId: 'fn_echo' } },
  async handle({ params: { functionId } }, { functions }: CallParts) {
    if ((await functions.owner(functionId)) === undefined) throw functionNotFound();
    return { status: 'ok' as const };
  },
});

/** More questions in one request than a client has a reason for. */
const maxBatchSize = 50;

/**
 * Deployed functions: `POST /functions/{functionId}` calls one with the body, `/mcp` below it serves MCP clients, and `/__health`,
 * which needs no credential, says whether it is deployed. A caller without access to the function gets 404 everywhere (P28).
 */
export function createFunctionSurface(
  service: FunctionParts & { readonly functions: Functions },
  traffic: Traffic = createTraffic(service),
): OpenAPIHono<HttpEnv> {
  const { functions, companies, log } = service;
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  describeCredentials(app.openAPIRegistry);
  app.use('/functions/*', envelope(service, traffic, 'functions'));
  const authenticate = functionAuth(companies, functions);
  const guards = [authenticate, limitRate(traffic.rateLimit)] as const;
  app.use('/functions/:functionId/mcp', requireOwnOrigin(service));
  mountRoutes(app, { functions, log, traffic }, [callFunction, callFunctionTools, checkFunction], {
    guards: ({ auth }) => (auth === 'caller' ? guards : []),
  });
  app.all('/functions/:functionId', ...guards, async (c) => {
    await requireFunction(c, functions);
    throw notFound('NOT_FOUND', 'A function is called with POST');
  });
  app.all('/functions/:functionId/mcp', ...guards, async (c) => {
    await requireFunction(c, functions);
    throw noSession();
  });
  // Functions have no other paths; authenticated callers alone get this 404.
  app.all('/functions/*', authenticate);
  return app;
}

/** Writes the credentials of callers into the description of the interface. */
function describeCredentials(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerComponent('securitySchemes', 'platformKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of the company',
  });
  registry.registerComponent('securitySchemes', 'runtimeToken', { type: 'apiKey', in: 'header', name: 'X-Service-Token' });
}

/** @throws {HttpError} 404 for a function that the caller's company has not */
async function requireFunction(c: Context<HttpEnv>, functions: Functions): Promise<FoundFunction> {
  const deployed = await functions.find(c.get('companyId'), c.req.param('functionId') ?? '');
  if (deployed === undefined) throw functionNotFound();
  return deployed;
}

const maxKeyChars = 256;

/** The caller's key of the call, passed on to the function. A longer one is refused: cut off, it could equal another. */
function readCallKey(c: Context<HttpEnv>): string | undefined {
  const key = c.req.header('idempotency-key');
  if (key !== undefined && (key.length > maxKeyChars || !deliveryKey.test(key)))
    throw invalidRequest(`Idempotency-Key must be 1 to ${maxKeyChars} letters, digits or signs, without blanks`);
  return key;
}

const functionNotFound = (): HttpError => notFound('FUNCTION_NOT_FOUND', 'This company has no such function');

/** The Model Context Protocol requires this status of a server without sessions, and 202 and 406 elsewhere, in addition to those of GEN-06. */
const noSession = (): HttpError =>
  new HttpError(405, 'METHOD_NOT_ALLOWED', 'Nothing is kept between requests here: send each with POST', { headers: { allow: 'POST' } });

/** What the function itself did wrong is in the log: a caller gets no detail (ERR-04). */
function renderResult(result: FunctionResult): Response {
  switch (result.kind) {
    case 'returned':
      return Response.json(result.value satisfies Json);
    case 'threw':
    case 'stopped':
      return Response.json(internalError, { status: 500 });
    case 'too-large': // the body over the limit is that of the answer here (GEN-06)
      throw new HttpError(413, 'ANSWER_TOO_LARGE', result.message);
    case 'unavailable': {
      const message = result.isLasting === true ? result.message : 'The function cannot be called now; send this again in a moment';
      throw unavailable(message, Math.ceil(result.retryAfterMs / 1_000));
    }
  }
}

/**
 * The body of a call: JSON, or null when it is empty.
 *
 * @throws {HttpError} 400 for malformed JSON (GEN-02), 413, 503
 */
async function readJson(c: Context<HttpEnv>, admission: Admission): Promise<Json> {
  const entry = admission.enter({ kind: 'new', holder: c.get('companyId') });
  try {
    const text = utf8(await readBody(c, entry));
    if (text === '') return null;
    if (!/^\s*(?:application\/(?:[\w.+-]+\+)?json\s*(?:;|$)|$)/i.test(c.req.header('content-type') ?? ''))
      throw invalidRequest('A function takes JSON: send it with content-type application/json');
    return parseJson(text);
  } finally {
    entry.leave();
  }
}

/** AUT-06. A longer token is refused without a lookup. */
const maxTokenChars = 4 * 1024;

/**
 * Authenticates callers by an API key of the platform, as `Authorization: Bearer` (AUT-03), or a runtime token of this very function,
 * as `X-Service-Token` and nowhere else (AUT-04, AUT-05). With both headers the first one decides. A header that comes twice
 * reaches us with a blank in it, which neither has.
 */
const functionAuth =
  (
    companies: Pick<FunctionParts['companies'], 'companyOfApiKey'>,
    functions: Pick<Functions, 'companyOfToken'>,
  ): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const { kind, secret } = readCredential(c);
    const companyId =
      kind === 'key'
        ? companies.companyOfApiKey(secret)
        : kind === 'token'
          ? await functions.companyOfToken(c.req.param('functionId') ?? '', secret)
          : undefined;
    if (companyId === undefined) throw unauthorizedCall();
    c.set('companyId', companyId);
    c.set('credential', `${kind} ${createHash('sha256').update(secret).digest('base64url')}`);
    return next();
  };

type Shown = { readonly kind: 'key' | 'token' | 'none'; readonly secret: string };

function readCredential(c: Context<HttpEnv>): Shown {
  const authorization = c.req.header('authorization');
  if (authorization !== undefined) {
    const [, key = ''] = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization) ?? [];
    return key !== '' && key.length <= httpLimits.apiKeyChars ? { kind: 'key', secret: key } : none;
  }
  const token = c.req.header('x-service-token') ?? '';
  return token.length <= maxTokenChars && /^[a-z]+_rt_[\x21-\x7e]+$/.test(token) ? { kind: 'token', secret: token } : none;
}

const none: Shown = { kind: 'none', secret: '' };

/** AUT-07: the body is `{ "error": "Unauthorized" }`. */
const unauthorizedCall = (): HttpError => new HttpError(401, 'UNAUTHORIZED', '', { headers: { 'www-authenticate': 'Bearer' } });
