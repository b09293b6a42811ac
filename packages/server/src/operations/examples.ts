import type { RouteExample } from '../platform/http/define-route.ts';

const user = { id: '5215512345678' };
const invoice = { user, number: 'A-17', amount: '12.50', receipt: 'https://example.com/a-17.pdf' };
const invoiceDue = { workflowId: 'payment-once', channel: 'whatsapp', nodeId: 'wo1' };
const inbound = {
  eventId: 'event-1',
  botId: 'bot_wa',
  user,
  message: { id: 'in-1', type: 'text', text: 'order' },
  receivedAt: '2031-03-01T09:00:00Z',
};
const chat = { path: { botId: 'bot_chat' } };
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

/** The example of a route; empty for a route that needs none. @param routes - by method and path, such as `GET /v1/campaigns` */
export const findExample = (routes: ReadonlyMap<string, { readonly example: RouteExample }>, method: string, path: string): RouteExample =>
  routes.get(`${method.toUpperCase()} ${path}`)?.example ?? routeExamples[`${method.toUpperCase()} ${path}`] ?? routeExamples[path] ?? {};
