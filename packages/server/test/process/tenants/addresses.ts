import type { Json, JsonObject } from '@hilo/engine/contract';
import { basic, type CallOptions, keys } from '../caller.ts';

/** Every kind of id that a path can have, by the name of its parameter. */
const kinds = [
  'workflowId',
  'nodeId',
  'webhookId',
  'botId',
  'executionId',
  'conversationId',
  'messageId',
  'campaignId',
  'companyId',
  'roomId',
  'functionId',
  'tokenId',
] as const;
type Kind = (typeof kinds)[number];
export type Ids = { readonly [Name in Kind]: string };

/** The first company, whose ids are requested; the second, which requests them; and unknown ids of the same form. */
export interface Owner {
  readonly acme: Ids;
  readonly other: Ids;
  readonly nobody: Ids;
}

const hex = (digit: string): string => digit.repeat(32);

export const questions: Owner = {
  acme: {
    workflowId: 'payment-reminder',
    nodeId: 'wh1',
    webhookId: 'wh1',
    botId: 'bot_wa',
    executionId: '',
    conversationId: 'conv3',
    messageId: '',
    campaignId: 'camp_s',
    companyId: '1',
    roomId: 'room_ana',
    functionId: 'fn_echo',
    tokenId: 'rt_1',
  },
  other: {
    workflowId: 'own',
    nodeId: 'own-hook',
    webhookId: 'own-hook',
    botId: 'bot_c2',
    executionId: '',
    conversationId: 'conv_c2',
    messageId: '',
    campaignId: 'camp_c2',
    companyId: '2',
    roomId: 'room_c2',
    functionId: 'fn_c2',
    tokenId: 'rt_c2',
  },
  nobody: {
    workflowId: 'nobody-reminder',
    nodeId: 'wh9',
    webhookId: 'wh9',
    botId: 'bot_no',
    executionId: hex('0'),
    conversationId: 'conv9',
    messageId: `msg_${hex('0')}`,
    campaignId: 'camp_n',
    companyId: '9',
    roomId: 'room_nob',
    functionId: 'fn_none',
    tokenId: 'rt_9',
  },
};

export const credentialFor = {
  acme: { key: keys.acme, basic: basic(keys.acmeClient), companyId: '1' },
  other: { key: keys.other, basic: basic(keys.otherClient), companyId: '2' },
} as const;

/** A request, ready to be made. */
interface Asked {
  readonly request: string;
  readonly options: CallOptions;
}

/** One request in two forms: with an id of the first company, and with an unknown one. */
interface Way {
  readonly what: string;
  readonly ids: { readonly theirs: readonly string[]; readonly unknown: readonly string[] };
  readonly theirs: Asked;
  readonly unknown: Asked;
}

const isKind = (name: string): name is Kind => kinds.some((kind) => kind === name);

/**
 * Public paths: a provider's deliveries, which are signed with the secret of that bot or account; a payment page, whose id is the
 * secret; a callback, whose token is the secret; and whether a function is deployed. The studio shows all companies to operators. Payments (payments/test-mode.test.ts), chats
 * (chat/chat.test.ts), whose credential is the visitor's token, records of a company, whose path names the company
 * (management/records.test.ts), and files (files/files.test.ts), whose links are sealed, have tests of their own.
 */
const isForEveryone = (path: string): boolean =>
  /^\/(?:channels|chat|files|payments|studio|workflows\/v2\/resume)\//.test(path) ||
  path.endsWith('/__health') ||
  /^\/admin\/v1\/(?:payments|companies|files)\//.test(path);

/** The parameters of a path that are ids of a company. */
export function idsIn(path: string): readonly Kind[] {
  if (isForEveryone(path)) return [];
  return [...path.matchAll(/:(\w+)/g)].flatMap(([, name = '']) => {
    if (isKind(name)) return [name];
    if (['channel', 'version', 'name', 'step'].includes(name)) return []; // well-known words and numbers
    if (['tab', 'commentId'].includes(name)) return []; // below a workflow, whose own id is asked for
    if (['jobId', 'userName', 'adminTokenId'].includes(name)) return []; // of operators alone: http/closed-doors.test.ts
    throw new Error(`${path} has the parameter "${name}": say here whose it is`);
  });
}

/** Valid bodies: a refusal is then for the ids alone. */
const bodies: { readonly [route: string]: Json } = {
  'POST /v1/bots/:botId/messages': { type: 'text', text: 'Mine', userId: '5215512345678' },
  'POST /v1/bots/:botId/campaigns/:campaignId/template-messages': {
    type: 'template',
    templateId: 'tpl1',
    userId: '5215512345678',
    parameters: { name: 'Ana', code: 'A1' },
  },
  'PUT /v1/campaigns/:campaignId': { name: 'Mine' },
  'POST /v1/bots/:botId/rooms/tags': { roomId: 'room_ana', tags: [] },
  'POST /admin/v1/conversations/:conversationId/messages': { type: 'text', text: 'Mine' },
  'POST /admin/v1/conversations/:conversationId/assign': { operatorId: 11 },
  'POST /admin/v1/conversations/:conversationId/transfer': { operatorId: 11 },
};

/** Requests to a route with these ids, as a company makes them. */
export function addressesOf(route: string, ids: Ids, by: 'acme' | 'other'): readonly Asked[] {
  const [method = '', path = ''] = route.split(' ');
  const { key, basic: authorization, companyId } = credentialFor[by];
  const address = path
    .replace(/:(\w+)/g, (_whole, name: string) => (isKind(name) ? ids[name] : name === 'channel' ? 'whatsapp' : '1'))
    .concat(path.startsWith('/admin/') ? `?companyId=${companyId}` : path === '/v1/webhook/:webhookId' ? '?userId=5215512345678' : '')
    .concat(path.startsWith('/workflows/') && method === 'GET' ? '?userId=5215512345678' : '');
  const body = bodies[route] ?? (method === 'GET' || method === 'DELETE' ? undefined : { user: { id: '5215512345678' } });
  const ask = (headers: { readonly [name: string]: string }): Asked => ({
    request: `${method} ${address}`,
    options: { headers, ...(body !== undefined && { body }) },
  });
  if (path.startsWith('/functions/')) return [ask({ authorization: `Bearer ${key}` })];
  if (path.startsWith('/workflows/') || path.startsWith('/v1/webhook/')) return [ask({ 'x-api-key': key })];
  return [ask(path.startsWith('/v1/') ? { authorization } : {})];
}

/** Every way in which the second company can ask for ids of the first: all of a path's, or only some beside its own. */
export function waysToAsk(routes: readonly string[], owners: Owner): readonly Way[] {
  const inPaths = routes.flatMap((route) => {
    const names = [...new Set(idsIn(route))];
    return Array.from({ length: 2 ** names.length - 1 }, (_, index) => index + 1).flatMap((mask): Way[] => {
      const chosen = names.filter((_name, index) => ((mask >> index) & 1) === 1);
      const idsBy = (owner: 'acme' | 'nobody'): Ids => ({
        ...owners.other,
        ...Object.fromEntries(chosen.map((name) => [name, owners[owner][name]])),
      });
      const [theirs, unknown] = [addressesOf(route, idsBy('acme'), 'other'), addressesOf(route, idsBy('nobody'), 'other')];
      const ids = { theirs: chosen.map((name) => owners.acme[name]), unknown: chosen.map((name) => owners.nobody[name]) };
      return theirs.flatMap((asked, index) => {
        const never = unknown[index];
        return never === undefined ? [] : [{ what: `${route} with ${chosen.join(' and ')}`, ids, theirs: asked, unknown: never }];
      });
    });
  });
  return [...inPaths, ...elsewhere(owners)];
}

/** Ids in bodies and queries. */
function elsewhere({ acme, nobody }: Owner): readonly Way[] {
  const { key, basic: authorization } = credentialFor.other;
  const range = 'startAt=2026-01-01T00:00:00Z&endAt=2026-01-31T00:00:00Z';
  const way = (what: string, one: string, none: string, ask: (id: string) => Asked): Way => ({
    what,
    ids: { theirs: [one], unknown: [none] },
    theirs: ask(one),
    unknown: ask(none),
  });
  const hook = (id: string): Asked => ({
    request: 'POST /workflows/v2/webhooks/skill/own/whatsapp/own-hook',
    options: { headers: { 'x-api-key': key }, body: { meta: { executionId: id } } },
  });
  const rest = (request: string, body?: JsonObject): Asked => ({
    request,
    options: { headers: { authorization }, ...(body !== undefined && { body }) },
  });
  const admin = (path: string, body: JsonObject): Asked => ({ request: `POST /admin/v1/${path}?companyId=2`, options: { body } });
  const conversation = (field: string) => (id: string) => rest(`GET /v1/external/conversations?${range}&limit=7&${field}=${id}`);
  const template = (id: string): JsonObject => ({
    type: 'template',
    templateId: id,
    userId: '5215512345678',
    parameters: { name: 'Ana', code: 'A1' },
  });
  const canvas = (id: string): JsonObject => ({
    schemaVersion: 1,
    id: 'asking',
    name: 'Asking',
    nodes: [
      { id: 'begin', type: 'start', data: {} },
      { id: 'call', type: 'api', data: { url: 'https://example.com', auth: { credentialId: id } } },
    ],
    edges: [{ source: 'begin', target: 'call' }],
  });
  return [
    way('an execution in the body of a webhook', acme.executionId, nobody.executionId, hook),
    way('a room in a body', acme.roomId, nobody.roomId, (id) => rest('POST /v1/bots/bot_c2/rooms/tags', { roomId: id, tags: [] })),
    way('a tag in a body', '1', '9', (id) => rest('POST /v1/bots/bot_c2/rooms/tags', { roomId: 'room_c2', tags: [Number(id)] })),
    way('a bot in a body', acme.botId, nobody.botId, (id) =>
      rest('POST /v1/bots/bot_c2/messages', { type: 'text', text: 'Mine', userId: '5215512345678', botId: id }),
    ),
    way('a template in a body', 'tpl1', 'tpl9', (id) => rest('POST /v1/bots/bot_c2/campaigns/camp_c2/template-messages', template(id))),
    way('an operator of statistics', '10', '99', (id) => rest(`GET /v1/metrics/conversations/external/stats?${range}&operatorId=${id}`)),
    way('a bot of conversations', acme.botId, nobody.botId, conversation('botId')),
    way('a conversation of conversations', acme.conversationId, nobody.conversationId, conversation('conversationId')),
    way('an operator of conversations', '10', '99', conversation('operatorId')),
    way('a user of conversations', '593987654321', '593987654399', conversation('userId')),
    way('a bot to begin a conversation with', acme.botId, nobody.botId, (id) =>
      admin('conversations', { botId: id, userId: '5215512345678' }),
    ),
    way('an operator to go on', '10', '99', (id) => admin('conversations/conv_c2/assign', { operatorId: Number(id) })),
    way('a team to go on', '5', '9', (id) => admin('conversations/conv_c2/transfer', { teamId: Number(id) })),
    way('a credential of a canvas', 'orders-basic', 'nobody-basic', (id) => admin('validate', canvas(id))),
    way('deliveries without a signature', acme.botId, nobody.botId, (id) => ({
      request: `POST /channels/${id}/webhook`,
      options: { body: {} },
    })),
    way('the verification of deliveries', acme.botId, nobody.botId, (id) => ({ request: `GET /channels/${id}/webhook`, options: {} })),
    way('a runtime token', 'hfn_rt_0123456789abcdef', 'hfn_rt_0123456789abcdee', (token) => ({
      request: 'POST /functions/fn_c2',
      options: { headers: { 'x-service-token': token }, body: {} },
    })),
  ];
}
