import { deliveryKey, readDeliveryKey } from '@hilo/engine';
import { Channel, WebhookMethod } from '@hilo/engine/contract';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { Answered, sendSignal, SignalBody } from '../executions/executions.ts';
import { apiKeyAuth, authenticateKey, labelKey } from '../platform/http/auth/api-key-auth.ts';
import { readCall, type HttpAnswer, type HttpCall, jsonAnswer, createResponse } from '../platform/http/call.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { envelope, withErrorHandler } from '../platform/http/envelope.ts';
import { invalidRequest, notFound } from '../platform/http/errors.ts';
import { createNodeHandler, type NodeHandler, plainQuery, plainSegment } from '../platform/http/node-handler.ts';
import { ErrorBody, FullError, jsonResponse, otherCell } from '../platform/http/openapi.ts';
import { limitRate } from '../platform/http/rate-limit.ts';
import { parseHost } from '../platform/http/socket-address.ts';
import { createTraffic, type Traffic } from '../platform/http/traffic.ts';
import type { Bot } from '../tenants/companies.ts';
import { createLegacyIndex, type Target, findTarget } from './find-webhook.ts';
import { handleWebhook } from './handle-webhook.ts';
import { readPayload, type WebhookParts } from './read-request.ts';

const Accepted = z
  .object({
    success: z.literal(true),
    executionId: z.string(),
    mode: z.enum(['new', 'resume']),
    isNewExecution: z.boolean(),
    ignored: z.literal(true).optional().openapi({ description: 'A resume after the first under oneTimeOnly' }),
    status: z.string().optional().openapi({ description: 'How the execution ended, where the webhook answers on finish' }),
  })
  .openapi('WebhookAccepted');

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

const routes = [
  [
    '/workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}',
    'startWorkflow',
    'Starts or resumes an execution of the published version',
    'The whole body, of any form, is the input of the webhook node. It is stored before the answer.',
    { params: path, query },
  ],
  [
    '/workflows/v2/webhooks/skill/{workflowId}/{channel}/test/{nodeId}',
    'testWorkflow',
    'Starts or resumes an execution of the draft',
    'For authors: the draft runs as it was last saved, whether or not it was published.',
    {
      params: path,
      query: query
        .omit({ userId: true })
        .extend({ testUserId: z.string().optional().openapi({ description: 'The user for whom the tester writes' }) }),
    },
  ],
  [
    '/v1/webhook/{webhookId}',
    'startWorkflowOfWebhook',
    'Starts or resumes an execution by the id of a webhook on the earlier host',
    'Systems that were set up with the earlier host keep their addresses; the workflow is found by its webhook.',
    { params: z.object({ webhookId: z.string() }), query: query.extend({ channel: Channel.optional() }) },
  ],
] as const;

/** Writes the routes of the gateway into the description of the interface. The bodies of webhooks are the caller's own. */
function describeRoutes(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerComponent('securitySchemes', 'apiKey', { type: 'apiKey', in: 'header', name: 'x-api-key' });
  describeSignals(registry, headers);
  for (const [address, name, summary, description, request] of routes)
    for (const method of WebhookMethod.options)
      registry.registerPath({
        method: method.toLowerCase() as Lowercase<typeof method>,
        path: address,
        operationId: method === 'POST' ? name : `${name}With${method.charAt(0)}${method.slice(1).toLowerCase()}`,
        summary,
        description,
        tags: ['Webhooks'],
        security: [{ apiKey: [] }],
        request: {
          ...request,
          headers,
          ...(method === 'GET' ? {} : { body: { content: { 'application/json': { schema: z.unknown() } } } }),
        },
        responses: {
          200: jsonResponse('Durably accepted', Accepted),
          ...errorResponses,
          ...(address.includes('/test/') && refusalsOfDrafts),
        },
      });
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

const base = '/workflows/v2/webhooks/skill/:workflowId/:channel';

/**
 * The gateway for customers' systems: production and test routes of every webhook (WEB-01, WEB-02), the earlier host's (WEB-05), and
 * signals. A handler of the framework, for the service's own app and to be mounted in a host's.
 *
 * @example
 * const service = await openService(settings);
 * const gateway = createGateway(service);
 * const answer = await gateway.fetch(request);
 */
export function createGateway(service: WebhookParts, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  describeRoutes(app.openAPIRegistry);
  const guards = [apiKeyAuth(service), limitRate(traffic.rateLimit)];
  const take = (route: Target['route']) => async (c: Context<HttpEnv>) => {
    const { workflowId = '', channel = '', nodeId = '' } = c.req.param();
    const target = findTarget(service, c.get('companyId'), { route, channel, workflowId, nodeId });
    return createResponse(await handleWebhook(service, traffic, readCall(c), target));
  };
  app.use('/workflows/*', envelope(service, traffic, 'gateway'), ...guards);
  app.all(`${base}/:nodeId`, take('production'));
  app.all(`${base}/test/:nodeId`, take('test'));
  app.post(signalPath, async (c) => {
    const about = { companyId: c.get('companyId'), name: c.req.param('name') ?? '' };
    return createResponse(await takeSignal(service, traffic, readCall(c), about));
  });

  const legacy = createLegacyIndex(service);
  const onLegacyHost = limitToHosts(service.settings.legacyHosts);
  const takeLegacy = async (c: Context<HttpEnv>) => {
    const target = await findLegacyTarget(c, service, legacy);
    return createResponse(await handleWebhook(service, traffic, readCall(c), target));
  };
  for (const handler of [envelope(service, traffic, 'legacy'), ...guards, takeLegacy])
    app.all('/v1/webhook/:webhookId', onLegacyHost(handler));
  return app;
}

/** The two webhook routes on Node's own server: the same authentication and handler as in the framework. */
export const createNodeGateway = (service: WebhookParts, traffic: Traffic): NodeHandler =>
  createNodeHandler(service, traffic, {
    surface: 'gateway',
    find: parseAddress,
    async handle(call, address) {
      const key = call.headers['x-api-key'];
      const companyId = authenticateKey(service, key);
      if (traffic.rateLimit !== undefined) await traffic.rateLimit.consume(labelKey(key));
      return handleWebhook(service, traffic, call, findTarget(service, companyId, address));
    },
  });

const webhookUrl = new RegExp(`^/workflows/v2/webhooks/skill/(${plainSegment})/([\\w-]+)/(test/)?(${plainSegment})${plainQuery}$`);

function parseAddress(url: string) {
  const [, workflowId, channel, test, nodeId] = webhookUrl.exec(url) ?? [];
  if (workflowId === undefined || channel === undefined || nodeId === undefined) return undefined;
  return { workflowId, channel, nodeId, route: test === undefined ? 'production' : 'test' } as const;
}

async function findLegacyTarget(c: Context<HttpEnv>, service: WebhookParts, legacy: ReturnType<typeof createLegacyIndex>): Promise<Target> {
  const companyId = c.get('companyId');
  const webhookId = c.req.param('webhookId') ?? '';
  const webhook = await legacy.find(companyId, webhookId);
  if (webhook === undefined) throw notFound('NODE_NOT_FOUND', `There is no webhook "${webhookId}"`);
  const bot = chooseLegacyBot(service, companyId, c.req.query('channel'));
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

/** Where customers' systems send signals. */
const signalPath = '/workflows/v2/signals/:name';

/** Takes a signal for every execution of the key's company that waits for it: answered when what it did is durable (P1, P7). */
async function takeSignal(
  { engine }: WebhookParts,
  { admission }: Traffic,
  call: HttpCall,
  { companyId, name }: { readonly companyId: string; readonly name: string },
): Promise<HttpAnswer> {
  const entry = admission.enter({ kind: 'known', holder: companyId });
  try {
    const { data: signal, error } = SignalBody.safeParse(await readPayload(call, entry));
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

/** Writes the route into the description of the interface. */
function describeSignals(registry: OpenAPIHono['openAPIRegistry'], headers: z.ZodObject): void {
  registry.registerPath({
    method: 'post',
    path: '/workflows/v2/signals/{name}',
    operationId: 'sendSignal',
    summary: 'Resumes every execution that waits for an event with this name and correlation',
    description: 'The payload is what those executions are given. With a ttl, a signal that nothing waits for yet is held.',
    tags: ['Signals'],
    security: [{ apiKey: [] }],
    request: {
      params: z.object({ name: z.string().openapi({ description: 'The name that wait-event waits for' }) }),
      headers,
      body: { content: { 'application/json': { schema: SignalBody.extend({ payload: z.unknown().optional() }) } } },
    },
    responses: {
      200: jsonResponse('Durable: the waiting executions were resumed; with the same key within eight days, the same answer', Answered),
      400: jsonResponse('The body is not a signal, or its payload is larger than a variable may be', ErrorBody),
      401: jsonResponse('No valid API key', ErrorBody),
      413: jsonResponse('The body is larger than 1 MB', ErrorBody),
      429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
      503: jsonResponse('Some executions may have been resumed: send it again with the same key; see Retry-After', ErrorBody),
    },
  });
}
