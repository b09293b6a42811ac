import { CustomEvent } from '@hilo/drivers';
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { Problem, said } from '../platform/http/openapi.ts';

/** Writes the route of inbound messages into the description of the interface. */
export function describeRoute(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerComponent('securitySchemes', 'providerSignature', {
    type: 'apiKey',
    in: 'header',
    name: 'X-Hub-Signature-256',
    description: 'Not a secret itself: made of one, and of the body',
  });
  registry.registerPath({
    method: 'post',
    path: '/channels/{botId}/webhook',
    tags: ['Channels'],
    security: [{ providerSignature: [] }],
    summary: "Takes a user's message for a bot of the kind log or custom",
    request: {
      params: z.object({ botId: z.string() }),
      headers: z.object({
        'x-hub-signature-256': z.string().openapi({ description: 'sha256= and the hex HMAC-SHA256 of the body under the appSecret' }),
      }),
      body: { content: { 'application/json': { schema: eventSchema() } } },
    },
    responses: {
      200: said(
        'Durably accepted',
        z.object({
          success: z.literal(true),
          duplicate: z.literal(true).optional(),
          outcome: z
            .enum(['started', 'resumed', 'unmatched', 'held', 'queued', 'duplicate', 'noted'])
            .optional()
            .openapi({ description: 'What came of the one message by now; queued: it has its turn behind another' }),
        }),
      ),
      400: said('Not an event, or its user id is not valid', Problem),
      401: said('Not signed, or not by the secret of this bot; the same where there is no such bot', Problem),
      413: said('The body is larger than 1 MB', Problem),
      429: said('Too many requests: see Retry-After', Problem),
      503: said('Nothing was written: see Retry-After', Problem),
    },
  });
}

/** The schema of an event. What refers to itself there is any JSON value: the document needs no name for it. */
function eventSchema(): object {
  const { $schema: _dialect, $defs: _names, ...schema } = z.toJSONSchema(CustomEvent, { io: 'input' });
  return JSON.parse(JSON.stringify(schema, (_key, value: unknown) => (isReference(value) ? {} : value))) as object;
}

const isReference = (value: unknown): boolean => typeof value === 'object' && value !== null && '$ref' in value;
