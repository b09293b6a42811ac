// The routes of webhooks, on both servers.
import { deliveryKey, readDeliveryKey } from '@hilo/engine';
import { Channel, WebhookMethod } from '@hilo/engine/contract';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { boundIssues } from '../platform/bound-issues.ts';
import { Answered, sendSignal, SignalBody } from '../executions/executions.ts';
import { apiKeyAuth, authenticateKey, labelKey } from '../platform/http/auth/api-key-auth.ts';
import { readCall, type HttpAnswer, type HttpCall, jsonAnswer, createResponse } from '../platform/http/call.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { type CallRoute, defineCallRoute, type TakeCall } from '../platform/http/define-call-route.ts';
import type { RouteExample } from '../platform/http/define-route.ts';
import { envelope, withErrorHandler } from '../platform/http/envelope.ts';
import { invalidRequest, notFound } from '../platform/http/errors.ts';
import { mountRoutes, writeFrameworkPath } from '../platform/http/mount-routes.ts';
import { createNodeHandler, type NodeHandler } from '../platform/http/node-handler.ts';
import { exampleUser } from '../platform/http/example-requests.ts';
import { ErrorBody, FullError, jsonResponse, otherCell } from '../platform/http/openapi.ts';
import { limitRate } from '../platform/http/rate-limit.ts';
import { parseHost } from '../platform/http/socket-address.ts';
import { createTraffic, type Traffic } from '../platform/http/traffic.ts';
import type { Bot } from '../tenants/companies.ts';
import { createLegacyIndex, type LegacyIndex, type Target, findTarget } from './find-webhook.ts';
import { handleWebhook } from './handle-webhook.ts';
import { readPayload, type WebhookParts } from './read-request.ts';
import { leadsNowhere, resumeRoutes } from './resume-routes.ts';
import type { ResumeTokens } from './resume-tokens.ts';
import { Accepted, addressOf } from './route-parts.ts';
import { takeUnkeyed } from './take-unkeyed.ts';

const path = z.object({ workflowId: z.string(), channel: Channel, nodeId: z.string() });
const query = z.object({
  executionId: z.string().optional().openapi({ description: 'Resumes this execution; may be in the body instead' }),
  userId: z.string().optional().openapi({ description: 'The user of a new execution; may be in the body instead' }),
});
const headers = z.object({
  'webhook-id': z
    .string()
    .max(128)
    .optional()
    .openapi({ pattern: deliveryKey.source, description: 'A repeated id within eight days has no second effect' }),
  'idempotency-key': z.string().max(128).optional().openapi({ pattern: deliveryKey.source, description: 'Another name for webhook-id' }),
});

/** What these routes work with. */
type GatewayParts = WebhookParts & { readonly traffic: Traffic; readonly legacy: LegacyIndex };

const takeOf =
  (route: Target['route']): TakeCall<GatewayParts> =>
  (call, { companyId, params: { workflowId = '', channel = '', nodeId = '' } }, parts) =>
    handleWebhook(parts, parts.traffic, call, findTarget(parts, companyId, { route, channel, workflowId, nodeId }));

const takeLegacy: TakeCall<GatewayParts> = async (call, { companyId, params: { webhookId = '' } }, parts) =>
  handleWebhook(parts, parts.traffic, call, await findLegacyTarget(call, parts, companyId, webhookId));

const invoice = { user: exampleUser, number: 'A-17', amount: '12.50', receipt: 'https://example.com/a-17.pdf' };
const invoiceDue = { workflowId: 'payment-once', channel: 'whatsapp', nodeId: 'wo1' };

/** The addresses of webhooks. The bodies of webhooks are the caller's own. */
const doors = {
  production: {
    path: '/workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}',
    name: 'startWorkflow',
    summary: 'Starts or resumes an execution of the published version',
    description: 'The whole body, of any form, is the input of the webhook node. It is stored before the answer.',
    params: path,
    query,
    examples: { get: { path: invoiceDue, query: { userId: exampleUser.id } }, other: { path: invoiceDue, body: invoice } },
    take: takeOf('production'),
  },
  test: {
    path: '/workflows/v2/webhooks/skill/{workflowId}/{channel}/test/{nodeId}',
    name: 'testWorkflow',
    summary: 'Starts or resumes an execution of the draft',
    description: 'For authors: the draft runs as it was last saved, whether or not it was published.',
    params: path,
    query: query
      .omit({ userId: true })
      .extend({ testUserId: z.string().optional().openapi({ description: 'The user for whom the tester writes' }) }),
    examples: {
      get: { path: invoiceDue, query: { testUserId: exampleUser.id } },
      other: { path: invoiceDue, query: { testUserId: exampleUser.id }, body: invoice },
    },
    take: takeOf('test'),
  },
  legacy: {
    path: '/v1/webhook/{webhookId}',
    name: 'startWorkflowOfWebhook',
    summary: 'Starts or resumes an execution by the id of a webhook on the earlier host',
    description: 'Systems that were set up with the earlier host keep their addresses; the workflow is found by its webhook.',
    params: z.object({ webhookId: z.string() }),
    query: query.extend({ channel: Channel.optional() }),
    examples: {
      get: { path: { webhookId: 'LEGACY_ID' }, query: { userId: exampleUser.id, channel: 'whatsapp' } },
      other: { path: { webhookId: 'LEGACY_ID' }, query: { userId: exampleUser.id, channel: 'whatsapp' }, body: invoice },
    },
    take: takeLegacy,
  },
} as const satisfies { readonly [Name in 'production' | 'test' | 'legacy']: Door };

interface Door {
  readonly path: `/${string}`;
  /** Of POST; the other methods add theirs. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly examples: { readonly get: RouteExample; readonly other: RouteExample };
  readonly take: TakeCall<GatewayParts>;
}

const refusalsOfDrafts = { 422: jsonResponse('The draft cannot run as it is', FullError) };

const errorResponses = {
  400: jsonResponse('The body, the user or the execution id is not valid', ErrorBody),
  401: jsonResponse('No valid API key', ErrorBody),
  404: jsonResponse('No such workflow, webhook, channel or execution', ErrorBody),
  405: jsonResponse('A method that the webhook does not accept: see Allow', ErrorBody),
  409: jsonResponse('The execution does not wait for this request', ErrorBody),
  413: jsonResponse('The body is larger than 1 MB', ErrorBody),
  ...otherCell,
  429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
  503: jsonResponse('Nothing was written: see Retry-After', ErrorBody),
};

/** The route of each method that a webhook may have. */
const defineWebhooks = ({ path: address, name, examples, ...said }: Door): readonly CallRoute<GatewayParts>[] =>
  WebhookMethod.options.map((method) =>
    defineCallRoute<GatewayParts>({
      ...addressOf(method, address),
      operationId: method === 'POST' ? name : `${name}With${method.charAt(0)}${method.slice(1).toLowerCase()}`,
      ...said,
      tags: ['Webhooks'],
      auth: 'apiKey',
      headers,
      ...(method !== 'GET' && { body: { content: { 'application/json': { schema: z.unknown() } } } }),
      answer: jsonResponse('Durably accepted', Accepted),
      refusals: { ...errorResponses, ...(address.includes('/test/') && refusalsOfDrafts) },
      example: method === 'GET' ? examples.get : examples.other,
    }),
  );

/** Resumes what waits for an event. */
const sendSignalRoute = defineCallRoute({
  post: '/workflows/v2/signals/{name}',
  operationId: 'sendSignal',
  summary: 'Resumes every execution that waits for an event with this name and correlation',
  description: 'The payload is what those executions are given. With a ttl, a signal that nothing waits for yet is held.',
  tags: ['Signals'],
  auth: 'apiKey',
  params: z.object({ name: z.string().openapi({ description: 'The name that wait-event waits for' }) }),
  headers,
  body: { content: { 'application/json': { schema: SignalBody.extend({ payload: z.unknown().optional() }) } } },
  answer: jsonResponse('Durable: the waiting executions were resumed; with the same key within eight days, the same answer', Answered),
  refusals: {
    400: jsonResponse('The body is not a signal, or its payload is larger than a variable may be', ErrorBody),
    401: jsonResponse('No valid API key', ErrorBody),
    413: jsonResponse('The body is larger than 1 MB', ErrorBody),
    429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
    503: jsonResponse('Some executions may have been resumed: send it again with the same key; see Retry-After', ErrorBody),
  },
  example: { path: { name: 'order.paid' }, body: { correlation: 'A-17', payload: { amount: 12.5 } } },
  take: (call, { companyId, params: { name = '' } }, parts: GatewayParts) => takeSignal(parts, parts.traffic, call, { companyId, name }),
});

const webhooks = [...defineWebhooks(doors.production), ...defineWebhooks(doors.test)];
const legacyWebhooks = defineWebhooks(doors.legacy);

/**
 * The gateway for customers' systems: production and test routes of every webhook (WEB-01, WEB-02), the earlier host's (WEB-05), signals, and
 * the addresses of callbacks. A handler of the framework, for the service's own app and to be mounted in a host's.
 *
 * @example
 * const service = await openService(settings);
 * const gateway = createGateway(service);
 * const answer = await gateway.fetch(request);
 */
export function createGateway(
  service: WebhookParts & { readonly callbacks?: ResumeTokens },
  traffic: Traffic = createTraffic(service),
): OpenAPIHono<HttpEnv> {
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  app.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', { type: 'apiKey', in: 'header', name: 'x-api-key' });
  const parts = { ...service, traffic, legacy: createLegacyIndex(service) };
  const { callbacks } = service;
  if (callbacks !== undefined) {
    mountRoutes(app, { ...service, traffic, callbacks }, resumeRoutes, { guards: () => [envelope(service, traffic, 'callbacks')] });
    // No key is asked for where none is needed: an address that was cut, or has got a slash, is one that was never given.
    for (const path of ['/workflows/v2/resume', '/workflows/v2/resume/*'])
      app.all(path, envelope(service, traffic, 'callbacks'), () => {
        throw leadsNowhere();
      });
  }
  app.on(
    [...WebhookMethod.options],
    [writeFrameworkPath(doors.production.path)],
    envelope(service, traffic, 'gateway'),
    takeWithoutKey(parts),
  );
  const guards = [apiKeyAuth(service), limitRate(traffic.rateLimit)];
  app.use('/workflows/*', envelope(service, traffic, 'gateway'), ...guards);
  mountRoutes(app, parts, [sendSignalRoute, ...webhooks]);
  const only = limitToHosts(service.settings.legacyHosts);
  mountRoutes(app, parts, legacyWebhooks, { guards: () => [envelope(service, traffic, 'legacy'), ...guards], only });
  // A webhook says itself which methods it takes: those that none takes are refused by it as well.
  const otherwise = (door: Door) => async (c: Context<HttpEnv>) =>
    createResponse(await door.take(readCall(c), { companyId: c.get('companyId'), params: c.req.param() }, parts));
  for (const door of [doors.production, doors.test]) app.all(writeFrameworkPath(door.path), otherwise(door));
  for (const handler of [envelope(service, traffic, 'legacy'), ...guards, otherwise(doors.legacy)])
    app.all(writeFrameworkPath(doors.legacy.path), only(handler));
  return app;
}

/** Answers calls without an API key where the webhook verifies its callers by itself; others are told that the key is missing. */
const takeWithoutKey =
  (parts: GatewayParts): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    if (c.req.header('x-api-key') !== undefined) return next();
    const { workflowId = '', channel = '', nodeId = '' }: { readonly [name: string]: string } = c.req.param();
    const { pathname, search, origin } = new URL(c.req.url);
    const url = `${parts.settings.publicUrl?.replace(/(?<!\/)\/+$/, '') ?? origin}${pathname}${search}`;
    const answer = await takeUnkeyed(parts, parts.traffic, readCall(c), { workflowId, channel, nodeId, url });
    return answer === undefined ? next() : createResponse(answer);
  };

/** The webhook routes on Node's own server: the same authentication and handler as in the framework. */
export function createNodeGateway(service: WebhookParts, traffic: Traffic): NodeHandler {
  const handle = createNodeHandler(service, traffic, {
    surface: 'gateway',
    routes: webhooks,
    parts: { ...service, traffic, legacy: createLegacyIndex(service) },
    async admit({ headers: { 'x-api-key': key } }) {
      const companyId = authenticateKey(service, key);
      if (traffic.rateLimit !== undefined) await traffic.rateLimit.consume(labelKey(key));
      return companyId;
    },
  });
  // A webhook may verify a call without a key by itself: the framework looks for it.
  return (incoming, outgoing) => incoming.headers['x-api-key'] !== undefined && handle(incoming, outgoing);
}

async function findLegacyTarget(call: HttpCall, service: GatewayParts, companyId: string, webhookId: string): Promise<Target> {
  const webhook = await service.legacy.find(companyId, webhookId);
  if (webhook === undefined) throw notFound('NODE_NOT_FOUND', `There is no webhook "${webhookId}"`);
  const bot = chooseLegacyBot(service, companyId, call.query.get('channel') ?? undefined);
  if (bot === undefined)
    throw notFound('BOT_NOT_FOUND', 'No bot of this company is connected that this webhook could send through: add one to its workspace');
  return { companyId, bot, route: 'production', ...webhook };
}

/** The earlier address names no channel: that of the query, else the bot of WhatsApp, else the most recently connected bot. */
function chooseLegacyBot({ companies }: WebhookParts, companyId: string, asked: string | undefined): Bot | undefined {
  const { data: channel } = Channel.safeParse(asked ?? 'whatsapp');
  const bot = channel === undefined ? undefined : companies.botOfChannel(companyId, channel);
  if (bot !== undefined || asked !== undefined) return bot;
  return [...companies.bots(companyId)].sort((a, b) => b.connectedAtMs - a.connectedAtMs || (a.id < b.id ? 1 : -1))[0];
}

/** Serves a route on these hosts alone, named with or without their port; on every host when none are listed. Elsewhere it is a 404. */
const limitToHosts =
  (hosts: readonly string[] | undefined) =>
  (handler: MiddlewareHandler<HttpEnv>): MiddlewareHandler<HttpEnv> =>
  (c, next) => {
    const header = c.req.header('host')?.toLowerCase();
    const isServed = hosts === undefined || hosts.some((host) => host.toLowerCase() === header || host.toLowerCase() === parseHost(header));
    return isServed ? handler(c, next) : next();
  };

/** Takes a signal for every execution of the key's company that waits for it: answered when what it did is durable (P1, P7). */
async function takeSignal(
  { engine }: WebhookParts,
  { admission }: Traffic,
  call: HttpCall,
  { companyId, name }: { readonly companyId: string; readonly name: string },
): Promise<HttpAnswer> {
  const entry = admission.enter({ kind: 'known', holder: companyId });
  try {
    const { data: signal, error } = boundIssues(SignalBody).safeParse(await readPayload(call, entry));
    if (error !== undefined) throw invalidRequest(error.issues[0]?.message ?? 'The body is no signal');
    const idempotencyKey = readDeliveryKey(call.headers);
    return jsonAnswer(
      200,
      await sendSignal(engine, { companyId, name, ...signal, ...(idempotencyKey !== undefined && { idempotencyKey }) }),
    );
  } finally {
    entry.leave();
  }
}
