import { Channel, WebhookMethod } from '@hilo/engine/contract';
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { FullError, Problem, said } from '../platform/http/openapi.ts';
import { describeSignals } from './signals.ts';

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
  'webhook-id': z.string().max(128).optional().openapi({ description: 'The same id within eight days has one consequence' }),
  'idempotency-key': z.string().max(128).optional().openapi({ description: 'Another name of webhook-id' }),
});

const routes = [
  [
    '/workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}',
    'Starts or resumes an execution of the published version',
    { params: path, query },
  ],
  [
    '/workflows/v2/webhooks/skill/{workflowId}/{channel}/test/{nodeId}',
    'Starts or resumes an execution of the draft',
    {
      params: path,
      query: query
        .omit({ userId: true })
        .extend({ testUserId: z.string().optional().openapi({ description: 'The user the tester speaks for' }) }),
    },
  ],
  [
    '/v1/webhook/{webhookId}',
    'The same by its id on the earlier host',
    { params: z.object({ webhookId: z.string() }), query: query.extend({ channel: Channel.optional() }) },
  ],
] as const;

/** Writes the routes of the gateway into the description of the interface. The bodies of webhooks are the caller's own. */
export function describeRoutes(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerComponent('securitySchemes', 'apiKey', { type: 'apiKey', in: 'header', name: 'x-api-key' });
  describeSignals(registry, headers);
  for (const [address, summary, request] of routes)
    for (const method of WebhookMethod.options)
      registry.registerPath({
        method: method.toLowerCase() as Lowercase<typeof method>,
        path: address,
        summary,
        tags: ['Webhooks'],
        security: [{ apiKey: [] }],
        request: {
          ...request,
          headers,
          ...(method === 'GET' ? {} : { body: { content: { 'application/json': { schema: z.unknown() } } } }),
        },
        responses: { 200: said('Durably accepted', Accepted), ...refusals, ...(address.includes('/test/') && refusalsOfDrafts) },
      });
}

const refusalsOfDrafts = { 422: said('The draft cannot run as it is', FullError) };

const refusals = {
  400: said('The body, the user or the execution id is not valid', Problem),
  401: said('No valid API key', Problem),
  404: said('No such workflow, webhook, channel or execution', Problem),
  405: said('A method that the webhook does not take: see Allow', Problem),
  409: said('The execution does not wait for this request', Problem),
  413: said('The body is larger than 1 MB', Problem),
  429: said('Too many requests: see Retry-After', Problem),
  503: said('Nothing was written: see Retry-After', Problem),
};
