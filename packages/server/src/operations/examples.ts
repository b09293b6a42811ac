import type { RouteExample } from '../platform/http/define-route.ts';

const user = { id: '5215512345678' };
const invoice = { user, number: 'A-17', amount: '12.50', receipt: 'https://example.com/a-17.pdf' };
const invoiceDue = { workflowId: 'payment-once', channel: 'whatsapp', nodeId: 'wo1' };
const hello = {
  schemaVersion: 1,
  id: 'hello',
  name: 'Hello',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
    { id: 'greet', type: 'message', data: { message: { type: 'text', text: 'Hello {{$user.names ?? "there"}}!' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'greet' },
    { source: 'greet', sourceHandle: 'sent', target: 'done' },
  ],
};
const acme = { query: { companyId: '1' } };
const inbound = {
  eventId: 'event-1',
  botId: 'bot_wa',
  user,
  message: { id: 'in-1', type: 'text', text: 'order' },
  receivedAt: '2031-03-01T09:00:00Z',
};
const order = { workflowId: 'order-status' };
const chat = { path: { botId: 'bot_chat' } };
const transcript = { path: { ...order, name: 'first' }, ...acme, body: 'user: order' };
const execution = { path: { executionId: 'EXECUTION_ID' } };
const conversation = { path: { conversationId: 'CONVERSATION_ID' }, ...acme };
const range = { startAt: '2026-01-01T00:00:00Z', endAt: '2026-01-31T23:59:59Z' };

/** An example request for each route, by path; the methods of a path share one, unless they have their own. */
const routeExamples: { readonly [path: string]: RouteExample } = {
  '/workflows/v2/signals/{name}': { path: { name: 'order.paid' }, body: { correlation: 'A-17', payload: { amount: 12.5 } } },
  '/workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}': {
    path: invoiceDue,
    body: invoice,
  },
  'GET /workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}': { path: invoiceDue, query: { userId: user.id } },
  '/workflows/v2/webhooks/skill/{workflowId}/{channel}/test/{nodeId}': {
    path: invoiceDue,
    query: { testUserId: user.id },
    body: invoice,
  },
  '/v1/webhook/{webhookId}': { path: { webhookId: 'LEGACY_ID' }, query: { userId: user.id, channel: 'whatsapp' }, body: invoice },
  'GET /channels/{botId}/webhook': {
    path: { botId: 'bot_wa' },
    query: { 'hub.mode': 'subscribe', 'hub.verify_token': 'the-token-that-meta-was-given', 'hub.challenge': '1158201444' },
  },
  '/channels/{botId}/webhook': { path: { botId: 'bot_wa' }, body: inbound },
  '/chat/{botId}': chat,
  '/chat/{botId}/session': chat,
  '/chat/{botId}/events': chat,
  '/chat/{botId}/messages': { ...chat, body: { id: 'message-1', type: 'text', text: 'Hello' } },
  '/chat/{botId}/files': {
    ...chat,
    headers: { 'X-Message-ID': 'message-2', 'X-Filename': 'notes.txt' },
    contentType: 'text/plain',
    body: 'What I wrote down',
  },
  '/chat/{botId}/files/{fileId}': { path: { ...chat.path, fileId: 'FILE_ID' } },
  '/chat/{botId}/read': { ...chat, body: { upTo: 'MESSAGE_ID' } },
  '/functions/{functionId}': { path: { functionId: 'fn_echo' }, body: { a: 1 } },
  '/functions/{functionId}/mcp': { path: { functionId: 'fn_echo' }, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  '/functions/{functionId}/__health': { path: { functionId: 'fn_echo' } },
  '/payments/callbacks/{companyId}/{credentialId}': {
    path: { companyId: '1', credentialId: 'CREDENTIAL_ID' },
    body: { id: 'evt_1', type: 'checkout.session.completed' },
  },
  '/payments/returned': {},
  '/payments/test/{checkoutId}': { path: { checkoutId: 'CHECKOUT_ID' }, body: 'choice=approve' },
  '/admin/v1/login': { body: { token: 'ADMIN_TOKEN' } },
  '/admin/v1/logout': {},
  '/admin/v1/me': {},
  '/admin/v1/workflows': acme,
  '/admin/v1/workflows/{workflowId}': { path: { workflowId: 'hello' }, ...acme, body: hello },
  'GET /admin/v1/workflows/{workflowId}': { path: order, ...acme },
  'DELETE /admin/v1/workflows/{workflowId}': { path: { workflowId: 'sign-contract' }, ...acme },
  '/admin/v1/workflows/{workflowId}/archive': { path: { workflowId: 'collect-signature' }, ...acme },
  '/admin/v1/workflows/{workflowId}/restore': { path: { workflowId: 'collect-signature' }, ...acme },
  '/admin/v1/workflows/{workflowId}/publish': { path: { workflowId: 'hello' }, ...acme, body: { note: 'The first version' } },
  '/admin/v1/workflows/{workflowId}/start': { path: { workflowId: 'hello' }, ...acme, body: { user, botId: 'bot_wa' } },
  '/admin/v1/workflows/{workflowId}/versions': { path: order, ...acme },
  '/admin/v1/workflows/{workflowId}/versions/{version}': { path: { ...order, version: '1' }, ...acme },
  '/admin/v1/workflows/{workflowId}/population': { path: order, ...acme },
  '/admin/v1/workflows/{workflowId}/diff': { path: order, query: { ...acme.query, from: '1' } },
  '/admin/v1/workflows/{workflowId}/transcripts': { path: order, ...acme },
  '/admin/v1/workflows/{workflowId}/transcripts/{name}': transcript,
  '/admin/v1/describe': { ...acme, body: hello },
  '/admin/v1/validate': { ...acme, body: hello },
  '/admin/v1/references': acme,
  '/admin/v1/nodes': {},
  '/admin/v1/canvas.schema.json': {},
  '/admin/v1/executions': { query: { companyId: '1', workflowId: 'payment-once', limit: '10' } },
  '/admin/v1/events': { query: { companyId: '1', workflowId: 'order-status' } },
  '/admin/v1/executions/{executionId}': execution,
  '/admin/v1/executions/{executionId}/history': execution,
  '/admin/v1/executions/{executionId}/cancel': { ...execution, body: { reason: 'Ordered twice' } },
  '/admin/v1/executions/{executionId}/release': execution,
  '/admin/v1/signals': { body: { companyId: '1', name: 'order.paid', correlation: 'A-17', payload: { amount: 12.5 } } },
  '/admin/v1/bots/{botId}/messages': {
    path: { botId: 'bot_wa' },
    query: { companyId: '1', userId: user.id, since: '2026-01-01T00:00:00Z', order: 'desc' },
  },
  '/admin/v1/conversations': { ...acme, body: { botId: 'bot_wa', userId: user.id, operatorId: 10 } },
  '/admin/v1/conversations/{conversationId}': conversation,
  '/admin/v1/conversations/{conversationId}/messages': {
    ...conversation,
    body: { type: 'text', text: 'Hello Ana, what can I do for you?' },
  },
  '/admin/v1/conversations/{conversationId}/assign': { ...conversation, body: { operatorId: 11 } },
  '/admin/v1/conversations/{conversationId}/transfer': { ...conversation, body: { operatorId: 11 } },
  '/admin/v1/conversations/{conversationId}/close': { ...conversation, body: { reason: 'Answered' } },
  '/admin/v1/conversations/{conversationId}/resolve': { ...conversation, body: { reason: 'Answered' } },
  '/admin/v1/companies/{companyId}/{kind}/{id}': {
    path: { companyId: '1', kind: 'users', id: '51999000111' },
    body: { names: 'Iris', phone: '51999000111', timeZone: 'America/Lima' },
  },
  '/admin/v1/workspace': { body: { companies: [{ id: 3, name: 'New shop', plan: 'free', bots: [], workflows: [] }] } },
  '/admin/v1/functions': acme,
  '/admin/v1/functions/{functionId}/tokens': { path: { functionId: 'fn_echo' }, ...acme },
  '/admin/v1/functions/{functionId}/tokens/{tokenId}/revoke': { path: { functionId: 'fn_echo', tokenId: 'rt_1' }, ...acme },
  '/admin/v1/payments': { query: { companyId: '1', limit: '10' } },
  '/admin/v1/payments/{checkoutId}': { path: { checkoutId: 'CHECKOUT_ID' }, ...acme },
  '/health/live': {},
  '/health/ready': {},
  '/metrics': {},
  '/openapi.json': {},
  '/v1/bots/{botId}/messages': { path: { botId: 'bot_wa' }, body: { type: 'text', userId: user.id, text: 'Your order is ready.' } },
  '/v1/bots/{botId}/messages/{messageId}': { path: { botId: 'bot_wa', messageId: 'MESSAGE_ID' } },
  '/v1/bots/{botId}/campaigns/{campaignId}/template-messages': {
    path: { botId: 'bot_wa', campaignId: 'camp_s' },
    body: { type: 'template', templateId: 'tpl1', userId: user.id, parameters: { name: 'Ana', code: 'A1' } },
  },
  '/v1/campaigns': { query: { limit: '10', page: '1' } },
  '/v1/campaigns/{campaignId}': { path: { campaignId: 'camp_s' }, body: { name: 'Spring, second try' } },
  '/v1/rooms/{roomId}': { path: { roomId: 'room_ana' } },
  '/v1/bots/{botId}/rooms/tags': { path: { botId: 'bot_wa' }, body: { roomId: 'room_ana', tags: [1, 2] } },
  '/v1/metrics/conversations/external/stats': { query: range },
  '/v1/external/conversations': { query: { ...range, limit: '10' } },
};

/** Example requests by method and path, such as `GET /v1/campaigns`. */
export type RouteExamples = ReadonlyMap<string, RouteExample>;

/** The example of a route; empty for a route that needs none. @param ofRoutes - those that routes have themselves */
export const findExample = (ofRoutes: RouteExamples, method: string, path: string): RouteExample =>
  ofRoutes.get(`${method.toUpperCase()} ${path}`) ?? routeExamples[`${method.toUpperCase()} ${path}`] ?? routeExamples[path] ?? {};
