import type { FunctionResult } from '@hilo/drivers';
import type { Json } from '@hilo/engine/contract';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { internalError } from '../platform/http/answer-error.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { envelope, inShape } from '../platform/http/envelope.ts';
import { limitRate } from '../platform/http/rate-limit.ts';
import { invalidRequest, notFound, Refusal, unavailable } from '../platform/http/refusal.ts';
import { createTraffic, type Traffic } from '../platform/http/traffic.ts';
import type { Service } from '../service.ts';
import { describeFunctions } from './describe-functions.ts';
import { functionDoor } from './function-auth.ts';
import type { FoundFunction, Functions } from './functions.ts';
import { readJson } from './read-json.ts';

/** More questions in one request than a client has a reason for. */
const mostOfBatch = 50;

/**
 * Deployed functions: `POST /functions/{functionId}` calls one with the body, `/mcp` below it speaks to clients of tools, and
 * `/__health`, which alone is open, says that it is deployed. A path is for who may call the function: for everybody else
 * there is nothing (P28).
 */
export function createFunctionSurface(
  service: Service & { readonly functions: Functions },
  traffic: Traffic = createTraffic(service),
): OpenAPIHono<HttpEnv> {
  const { functions, companies, log } = service;
  const app = inShape(new OpenAPIHono<HttpEnv>(), service);
  describeFunctions(app.openAPIRegistry);
  app.use('/functions/*', envelope(service, traffic, 'functions'));

  app.get('/functions/:functionId/__health', async (c) => {
    if ((await functions.owner(c.req.param('functionId'))) === undefined) throw functionNotFound();
    return c.json({ status: 'ok' });
  });

  const found = async (c: Context<HttpEnv>): Promise<FoundFunction> => {
    const deployed = await functions.find(c.get('companyId'), c.req.param('functionId') ?? '');
    if (deployed === undefined) throw functionNotFound();
    return deployed;
  };

  const guards = [functionDoor(companies, functions), limitRate(traffic.rateLimit)] as const;
  app.all('/functions/:functionId', ...guards, async (c) => {
    const deployed = await found(c);
    if (c.req.method !== 'POST') throw notFound('NOT_FOUND', 'A function is called with POST');
    const body = await readJson(c, traffic.admission);
    const idempotencyKey = callKeyOf(c);
    // Whoever hangs up ends nothing: a call that began goes on to its end.
    const result = await functions.call(deployed, { body, idempotencyKey });
    if (result.kind === 'threw' || result.kind === 'stopped' || result.kind === 'too-large') {
      const { companyId, functionId } = deployed;
      log.warn({ requestId: c.get('requestId'), companyId, functionId, reason: result.message }, 'A function failed');
    }
    return answerOf(result);
  });

  app.all('/functions/:functionId/mcp', ...guards, async (c) => {
    const deployed = await found(c);
    if (c.req.method !== 'POST') throw noSession();
    const body = await readJson(c, traffic.admission);
    if (Array.isArray(body) && body.length > mostOfBatch) throw invalidRequest(`Send at most ${mostOfBatch} messages at once`);
    const { answerToolClient } = await import('./tool-server.ts'); // most services never need what it takes
    return answerToolClient(c.req.raw, body, deployed, functions.call);
  });
  // Below a function there is nothing else, and only who may call it is told so.
  app.all('/functions/*', functionDoor(companies, functions));
  return app;
}

const mostKeyChars = 256;

/** What the caller names the call, for the function. Cut off it could be another's. */
function callKeyOf(c: Context<HttpEnv>): string | undefined {
  const key = c.req.header('idempotency-key');
  if (key !== undefined && (key.length > mostKeyChars || !/^[\x21-\x7e]+$/.test(key)))
    throw invalidRequest(`Idempotency-Key must be 1 to ${mostKeyChars} letters, digits or signs, without blanks`);
  return key;
}

const functionNotFound = (): Refusal => notFound('FUNCTION_NOT_FOUND', 'There is no such function');

/** The protocol of tools wants this status where a server keeps no session, as it wants 202 and 406 elsewhere: they are beside GEN-06. */
const noSession = (): Refusal =>
  new Refusal(405, 'METHOD_NOT_ALLOWED', 'Nothing is kept between requests here: send each with POST', { headers: { allow: 'POST' } });

/** What the function itself did wrong is in the log: a caller gets no detail (ERR-04). */
function answerOf(result: FunctionResult): Response {
  switch (result.kind) {
    case 'returned':
      return Response.json(result.value satisfies Json);
    case 'threw':
    case 'stopped':
      return Response.json(internalError, { status: 500 });
    case 'too-large': // the body over the limit is that of the answer here (GEN-06)
      throw new Refusal(413, 'ANSWER_TOO_LARGE', result.message);
    case 'unavailable': {
      const message = result.isLasting === true ? result.message : 'The function cannot be called now; send this again in a moment';
      throw unavailable(message, Math.ceil(result.retryAfterMs / 1_000));
    }
  }
}
