import { CustomEvent } from '@hilo/drivers';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { readCall, createResponse } from '../platform/http/call.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { envelope, withErrorHandler } from '../platform/http/envelope.ts';
import { createNodeHandler, type NodeHandler, plainQuery, plainSegment } from '../platform/http/node-handler.ts';
import { ErrorBody, jsonResponse, otherCell } from '../platform/http/openapi.ts';
import { createTraffic, type Traffic } from '../platform/http/traffic.ts';
import type { ChannelParts } from './channels.ts';
import { handleDelivery, verifyAddress } from './handle-delivery.ts';

/** Writes the routes of providers into the description of the interface. */
function describeRoutes(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerComponent('securitySchemes', 'providerSignature', {
    type: 'apiKey',
    in: 'header',
    name: 'X-Hub-Signature-256',
    description: 'Computed from a secret and the body',
  });
  registry.registerPath({
    method: 'post',
    path: '/channels/{botId}/webhook',
    operationId: 'receiveProviderEvent',
    tags: ['Channels'],
    security: [{ providerSignature: [] }],
    summary: "Receives a user's message for a bot of the kind log or custom",
    description: 'The event is stored before the answer, whose outcome says what it did.',
    request: {
      params: z.object({ botId: z.string() }),
      headers: z.object({
        'x-hub-signature-256': z
          .string()
          .openapi({ pattern: '^sha256=[0-9A-Fa-f]{64}$', description: 'sha256= and the hex HMAC-SHA256 of the body under the appSecret' }),
      }),
      body: { content: { 'application/json': { schema: eventSchema() } } },
    },
    responses: {
      200: jsonResponse(
        'Durably accepted',
        z.object({
          success: z.literal(true),
          duplicate: z.literal(true).optional(),
          outcome: z
            .enum(['started', 'resumed', 'unmatched', 'held', 'queued', 'duplicate', 'noted'])
            .optional()
            .openapi({ description: 'The current state of the message; queued: it waits behind another one' }),
        }),
      ),
      400: jsonResponse('Not an event, or its user id is not valid', ErrorBody),
      401: jsonResponse('Not signed with the secret of this bot; also if there is no such bot', ErrorBody),
      413: jsonResponse('The body is larger than 1 MB', ErrorBody),
      ...otherCell,
      429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
      503: jsonResponse('Nothing was written: see Retry-After', ErrorBody),
    },
  });
  const asked = z.string().optional();
  registry.registerPath({
    method: 'get',
    path: '/channels/{botId}/webhook',
    operationId: 'verifyProviderAddress',
    tags: ['Channels'],
    summary: 'Answers the challenge with which a provider verifies the address of a bot: Meta sends hub.challenge, X sends crc_token',
    description: 'Providers call it when the address is configured with them.',
    request: {
      params: z.object({ botId: z.string() }),
      query: z.object({ 'hub.mode': asked, 'hub.verify_token': asked, 'hub.challenge': asked, crc_token: asked }),
    },
    responses: {
      200: {
        description: 'The answer to the challenge',
        content: { 'text/plain': { schema: z.string() }, 'application/json': { schema: z.object({ response_token: z.string() }) } },
      },
      403: jsonResponse('Not the verify token of this bot, or its provider sends no challenges; also if there is no such bot', ErrorBody),
      404: jsonResponse('The query has no challenge', ErrorBody),
    },
  });
}

/** The schema of an event. What refers to itself there is any JSON value: the document needs no name for it. */
function eventSchema(): object {
  const { $schema: _dialect, $defs: _names, ...schema } = z.toJSONSchema(CustomEvent, { io: 'input' });
  return JSON.parse(JSON.stringify(schema, (_key, value: unknown) => (isReference(value) ? {} : value))) as object;
}

const isReference = (value: unknown): boolean => typeof value === 'object' && value !== null && '$ref' in value;

const path = '/channels/:botId/webhook';

/** Where providers deliver what users write: `/channels/{botId}/webhook`. */
export function createChannels(service: ChannelParts, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  describeRoutes(app.openAPIRegistry);
  app.use('/channels/*', envelope(service, traffic, 'channels'));
  app.post(path, async (c) => createResponse(await handleDelivery(service, traffic, readCall(c), c.req.param('botId'))));
  app.get(path, (c) => createResponse(verifyAddress(service, readCall(c), c.req.param('botId'))));
  return app;
}

const deliveryUrl = new RegExp(`^/channels/(${plainSegment})/webhook${plainQuery}$`);

/** Deliveries on Node's own server. The verification of an address, which happens once, is left to the framework. */
export const createNodeDeliveries = (service: ChannelParts, traffic: Traffic): NodeHandler =>
  createNodeHandler(service, traffic, {
    surface: 'channels',
    find: (url, method) => (method === 'POST' ? deliveryUrl.exec(url)?.[1] : undefined),
    handle: (call, botId) => handleDelivery(service, traffic, call, botId),
  });
