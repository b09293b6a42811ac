// The routes that providers call.
import { CustomEvent } from '@hilo/channels';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import { defineCallRoute } from '../platform/http/define-call-route.ts';
import { envelope, withErrorHandler } from '../platform/http/envelope.ts';
import { exampleUser } from '../platform/http/example-requests.ts';
import { mountRoutes } from '../platform/http/mount-routes.ts';
import { createNodeHandler, type NodeHandler } from '../platform/http/node-handler.ts';
import { ErrorBody, jsonResponse, otherCell } from '../platform/http/openapi.ts';
import { createTraffic, type Traffic } from '../platform/http/traffic.ts';
import type { ChannelParts } from './channels.ts';
import { handleDelivery, handleExchange, verifyAddress } from './handle-delivery.ts';

/** Takes what a provider delivers. */
const receiveProviderEvent = defineCallRoute({
  post: '/channels/{botId}/webhook',
  operationId: 'receiveProviderEvent',
  tags: ['Channels'],
  auth: 'provider',
  summary: "Receives a user's message for a bot of the kind log or custom",
  description: 'The event is stored before the answer, whose outcome says what it did.',
  params: z.object({ botId: z.string() }),
  headers: z.object({
    'x-hub-signature-256': z
      .string()
      .openapi({ pattern: '^sha256=[0-9A-Fa-f]{64}$', description: 'sha256= and the hex HMAC-SHA256 of the body under the appSecret' }),
  }),
  body: { content: { 'application/json': { schema: eventSchema() } } },
  answer: jsonResponse(
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
  refusals: {
    400: jsonResponse('Not an event, or its user id is not valid', ErrorBody),
    401: jsonResponse('Not signed with the secret of this bot; also if there is no such bot', ErrorBody),
    413: jsonResponse('The body is larger than 1 MB', ErrorBody),
    ...otherCell,
    429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
    503: jsonResponse('Nothing was written: see Retry-After', ErrorBody),
  },
  example: {
    path: { botId: 'bot_wa' },
    body: {
      eventId: 'event-1',
      botId: 'bot_wa',
      user: exampleUser,
      message: { id: 'in-1', type: 'text', text: 'order' },
      receivedAt: '2031-03-01T09:00:00Z',
    },
  },
  take: (call, { params: { botId = '' } }, parts: DeliveryParts) => handleDelivery(parts, parts.traffic, call, botId),
});

const Sealed = z.object({
  encrypted_flow_data: z.string().openapi({ description: 'The request, sealed with the key, in base64' }),
  encrypted_aes_key: z.string().openapi({ description: 'The key, sealed for the public key of the bot, in base64' }),
  initial_vector: z.string().openapi({ description: 'The initial vector of the request, in base64' }),
});
const sealedText = { content: { 'text/plain': { schema: z.string() } } };

/** Answers a form that asks for its next screen. */
const exchangeFlowData = defineCallRoute({
  post: '/channels/{botId}/flows/{workflowId}',
  operationId: 'exchangeFlowData',
  tags: ['Channels'],
  auth: 'provider',
  summary: 'Answers a form of WhatsApp that asks for its next screen, by a workflow of kind tool',
  description: 'Request and answer are sealed with the key of the bot, which hilo channels flow-key makes and registers.',
  params: z.object({ botId: z.string(), workflowId: z.string() }),
  body: jsonResponse('The sealed request, in base64', Sealed),
  answer: { description: 'The sealed answer, in base64', ...sealedText },
  refusals: {
    400: { description: 'The request cannot be read' },
    404: { description: 'There is no such workflow of kind tool' },
    421: { description: 'It is sealed for another key: the client fetches the public key again' },
    427: { description: 'The question that offered the form is over', ...sealedText },
    432: { description: 'Not signed with the app secret of this bot; also if there is no such bot' },
    503: { description: 'The workflow failed, or took more than eight seconds, or the question is about to be open' },
  },
  example: {
    path: { botId: 'bot_wa', workflowId: 'slots' },
    body: {
      encrypted_flow_data: 'lODAnZU7kLwtBSm7LZS8Aa5VC1nR2BWXm2CtPiUKPppdGId1sWhqs37PucS72BR1vg==',
      encrypted_aes_key: 'AAAA',
      initial_vector: '8PHy8/T19vf4+fr7/P3+/w==',
    },
  },
  take: (call, { params: { botId = '', workflowId = '' } }, parts: DeliveryParts) =>
    handleExchange(parts, parts.traffic, call, { botId, workflowId }),
});

const asked = z.string().optional();

/** Answers the challenge of a provider; asked once, so that it is left to the framework. */
const verifyProviderAddress = defineCallRoute({
  get: '/channels/{botId}/webhook',
  operationId: 'verifyProviderAddress',
  tags: ['Channels'],
  auth: 'nobody',
  summary: 'Answers the challenge with which a provider verifies the address of a bot: Meta sends hub.challenge, X sends crc_token',
  description: 'Providers call it when the address is configured with them.',
  params: z.object({ botId: z.string() }),
  query: z.object({ 'hub.mode': asked, 'hub.verify_token': asked, 'hub.challenge': asked, crc_token: asked }),
  answer: {
    description: 'The answer to the challenge',
    content: { 'text/plain': { schema: z.string() }, 'application/json': { schema: z.object({ response_token: z.string() }) } },
  },
  refusals: {
    403: jsonResponse('Not the verify token of this bot, or its provider sends no challenges; also if there is no such bot', ErrorBody),
    404: jsonResponse('The query has no challenge', ErrorBody),
  },
  example: {
    path: { botId: 'bot_wa' },
    query: { 'hub.mode': 'subscribe', 'hub.verify_token': 'the-token-that-meta-was-given', 'hub.challenge': '1158201444' },
  },
  take: (call, { params: { botId = '' } }, parts: ChannelParts) => verifyAddress(parts, call, botId),
});

/** The schema of an event. What refers to itself there is any JSON value: the document needs no name for it. */
function eventSchema(): object {
  const { $schema: _dialect, $defs: _names, ...schema } = z.toJSONSchema(CustomEvent, { io: 'input' });
  return JSON.parse(JSON.stringify(schema, (_key, value: unknown) => (isReference(value) ? {} : value))) as object;
}

function isReference(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '$ref' in value;
}

/** What these routes work with. */
type DeliveryParts = ChannelParts & { readonly traffic: Traffic };

/** Where providers deliver what users write: `/channels/{botId}/webhook`. */
export function createChannels(service: ChannelParts, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  app.openAPIRegistry.registerComponent('securitySchemes', 'providerSignature', {
    type: 'apiKey',
    in: 'header',
    name: 'X-Hub-Signature-256',
    description: 'Computed from a secret and the body',
  });
  app.use('/channels/*', envelope(service, traffic, 'channels'));
  mountRoutes(app, { ...service, traffic }, [receiveProviderEvent, verifyProviderAddress, exchangeFlowData]);
  return app;
}

/** Deliveries on Node's own server. */
export const createNodeDeliveries = (service: ChannelParts, traffic: Traffic): NodeHandler =>
  createNodeHandler(service, traffic, { surface: 'channels', routes: [receiveProviderEvent], parts: { ...service, traffic } });
