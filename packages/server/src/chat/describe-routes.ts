import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { ErrorBody, jsonResponse, otherCell } from '../platform/http/openapi.ts';

/** What a visitor has read: all messages up to this one. */
export const Receipt = z.object({ upTo: z.string().min(1).max(256) });

/** Writes the routes of the chat into the description of the interface. */
export function describeRoutes(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerComponent('securitySchemes', 'visitor', {
    type: 'http',
    scheme: 'bearer',
    description: "A session of the chat, or a JWT (HS256, sub, aud = the bot's id, exp) that the host signs with the bot's appSecret",
  });
  const tags = ['Chat'];
  const params = z.object({ botId: z.string() });
  const security = [{ visitor: [] }];
  const errors = {
    400: jsonResponse('The message or the file is not valid', ErrorBody),
    401: jsonResponse('The token is forged, expired, or of another bot; or the page is of another origin', ErrorBody),
    404: jsonResponse('There is no chat at this address', ErrorBody),
    413: jsonResponse('The body is too large', ErrorBody),
    429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
    503: jsonResponse('Nothing was written: see Retry-After', ErrorBody),
  };
  const Taken = z.object({ success: z.literal(true), outcome: z.string().optional(), mediaUrl: z.string().optional() });
  const Session = z.object({
    token: z.string(),
    user: z.object({ id: z.string() }),
    bot: z.object({ name: z.string() }),
    expiresAt: z.string().openapi({ format: 'date-time' }),
  });
  const json = (description: string, schema: z.ZodType) => ({ description, content: { 'application/json': { schema } } });
  const routes = [
    [
      'post',
      'session',
      'startChatSession',
      'Starts or renews a session; anonymous without a token',
      'The token of the answer is the credential of the other routes.',
      { 200: jsonResponse('The session', Session) },
      undefined,
    ],
    [
      'get',
      'events',
      'streamChatEvents',
      'Messages of the visitor as server-sent events, after Last-Event-ID',
      'Without Last-Event-ID it begins with the latest messages.',
      { 200: { description: 'Events message, typing and ready', content: { 'text/event-stream': { schema: z.string() } } } },
      undefined,
    ],
    [
      'post',
      'messages',
      'sendChatMessage',
      'Receives a message; a repeated id is the same message',
      'The message is stored before the answer; what the bot says comes as events.',
      { 200: jsonResponse('Durably accepted', Taken) },
      json('A message', z.object({ id: z.string(), type: z.enum(['text', 'button', 'location']), text: z.string().optional() })),
    ],
    [
      'post',
      'files',
      'uploadChatFile',
      'Takes a file of at most 5 MB, named by X-Message-ID and X-Filename',
      'The body is the file itself; the bot receives it as a message of the visitor.',
      { 200: jsonResponse('Durably accepted', Taken) },
      { description: 'The file', content: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
    ],
    [
      'post',
      'read',
      'markChatRead',
      'Marks messages as read',
      'Of the messages that the bot sent: those up to the named one.',
      { 200: jsonResponse('The messages are marked', Taken) },
      json('Up to which message', Receipt),
    ],
  ] as const;
  for (const [method, name, operationId, summary, description, responses, body] of routes)
    registry.registerPath({
      method,
      path: `/chat/{botId}/${name}`,
      operationId,
      tags,
      summary,
      description,
      security: name === 'session' ? [{}, ...security] : security, // a visitor without a token gets one
      request: { params, ...(body !== undefined && { body }) },
      responses: { ...responses, ...errors, ...(['messages', 'files'].includes(name) && otherCell) },
    });
  registry.registerPath({
    method: 'get',
    path: '/chat/{botId}/files/{fileId}',
    operationId: 'getChatFile',
    tags,
    summary: 'A file that a visitor sent, for any holder of its address',
    description: 'The address is in the answer to the upload, as mediaUrl.',
    security: [],
    request: { params: params.extend({ fileId: z.string() }) },
    responses: { 200: { description: 'The file', content: { '*/*': { schema: z.string() } } }, 404: errors[404] },
  });
  registry.registerPath({
    method: 'get',
    path: '/chat/{botId}',
    operationId: 'showChatPage',
    tags,
    summary: 'The chat as a page',
    description: 'For bots whose visitors come by a link, and for trying one out.',
    security: [],
    request: { params },
    responses: { 200: { description: 'The page', content: { 'text/html': { schema: z.string() } } }, 404: errors[404] },
  });
  registry.registerPath({
    method: 'get',
    path: '/chat.js',
    operationId: 'getChatScript',
    tags,
    summary: 'The script that shows the chat in a page',
    description: 'A script element of the page names this address and the bot.',
    security: [],
    responses: {
      200: { description: 'The script', content: { 'text/javascript': { schema: z.string() } } },
      404: jsonResponse('The script was not built', ErrorBody),
    },
  });
}
