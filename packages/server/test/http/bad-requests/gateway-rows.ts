import { ana, type CallOptions } from '../calls.ts';
import { keys } from '../fake-service.ts';

/** A row: the defect, the path, the request, and the answer's status and code. */
export type Row = readonly [what: string, path: string, request: CallOptions, status: number, code: string];

/** JSON with this many levels. */
export const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const base = '/workflows/v2/webhooks/skill';
const hook = `${base}/order/whatsapp/hook`;
const key = { 'x-api-key': keys.acme };
const json = { ...key, 'content-type': 'application/json' };
const user = JSON.stringify({ user: { id: ana } });
const post = (body = user, headers: { readonly [name: string]: string } = json, more: CallOptions = {}): CallOptions => ({
  method: 'POST',
  headers,
  body,
  ...more,
});
const manyKeys = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"k${n}":0`).join(',')}}`;

const signal = '/workflows/v2/signals/payment.received';
const correlated = JSON.stringify({ correlation: 'F-7' });

export const signals: readonly Row[] = [
  ['no key', signal, post(correlated, { 'content-type': 'application/json' }), 401, 'UNAUTHORIZED'],
  ['an unknown key', signal, post(correlated, { 'x-api-key': 'hk_unknown' }), 401, 'UNAUTHORIZED'],
  ['no name', '/workflows/v2/signals/', post(correlated), 404, 'NOT_FOUND'],
  ['another method', signal, { ...post(correlated), method: 'PUT' }, 404, 'NOT_FOUND'],
  ['no body', signal, { method: 'POST', headers: json }, 400, 'INVALID_REQUEST'],
  ['bad JSON', signal, post('{'), 400, 'INVALID_REQUEST'],
  ['a list', signal, post('[]'), 400, 'INVALID_REQUEST'],
  ['a text', signal, post('F-7', { ...key, 'content-type': 'text/plain' }), 400, 'INVALID_REQUEST'],
  ['no correlation', signal, post('{"payload":1}'), 400, 'INVALID_REQUEST'],
  ['a correlation that is a number', signal, post('{"correlation":7}'), 400, 'INVALID_REQUEST'],
  ['65 levels', signal, post(`{"correlation":"F-7","payload":${nested(65)}}`), 400, 'INVALID_REQUEST'],
  [
    'a payload of more than a variable',
    signal,
    post(JSON.stringify({ correlation: 'F-7', payload: 'x'.repeat(65_536) })),
    400,
    'INVALID_REQUEST',
  ],
  ['a body too large', signal, post('x'.repeat(1_048_577)), 413, 'INVALID_REQUEST'],
  ['an encoded body', signal, post(correlated, { ...json, 'content-encoding': 'gzip' }), 400, 'INVALID_REQUEST'],
  ['a key with a blank', signal, post(correlated, { ...json, 'idempotency-key': 'a b' }), 400, 'INVALID_REQUEST'],
  ['two keys that differ', signal, post(correlated, { ...json, 'idempotency-key': 'a', 'webhook-id': 'b' }), 400, 'INVALID_REQUEST'],
];

export const credentials: readonly Row[] = [
  ['no key', hook, post(user, {}), 401, 'UNAUTHORIZED'],
  ['an empty key', hook, post(user, { 'x-api-key': '' }), 401, 'UNAUTHORIZED'],
  ['an unknown key', hook, post(user, { 'x-api-key': 'hk_unknown' }), 401, 'UNAUTHORIZED'],
  ['the key in capitals', hook, post(user, { 'x-api-key': keys.acme.toUpperCase() }), 401, 'UNAUTHORIZED'],
  ['half a key', hook, post(user, { 'x-api-key': keys.acme.slice(0, 12) }), 401, 'UNAUTHORIZED'],
  ['a key and more', hook, post(user, { 'x-api-key': `${keys.acme}x` }), 401, 'UNAUTHORIZED'],
  ['the key twice', hook, post(user, { 'x-api-key': `${keys.acme}, ${keys.acme}` }), 401, 'UNAUTHORIZED'],
  ['the key and an empty one', hook, post(user, { 'x-api-key': `${keys.acme}, ` }), 401, 'UNAUTHORIZED'],
  ['the key in quotes', hook, post(user, { 'x-api-key': `"${keys.acme}"` }), 401, 'UNAUTHORIZED'],
  ['a key of 1,000 characters', hook, post(user, { 'x-api-key': 'k'.repeat(1_000) }), 401, 'UNAUTHORIZED'],
  ['a name of Object', hook, post(user, { 'x-api-key': 'constructor' }), 401, 'UNAUTHORIZED'],
  ['the key in the query', `${hook}?x-api-key=${keys.acme}&apiKey=${keys.acme}`, post(user, {}), 401, 'UNAUTHORIZED'],
  [
    'the key in the body',
    hook,
    post(JSON.stringify({ 'x-api-key': keys.acme }), { 'content-type': 'application/json' }),
    401,
    'UNAUTHORIZED',
  ],
  ['the key as Bearer', hook, post(user, { authorization: `Bearer ${keys.acme}` }), 401, 'UNAUTHORIZED'],
  ['the key as Basic', hook, post(user, { authorization: `Basic ${btoa(`${keys.acme}:`)}` }), 401, 'UNAUTHORIZED'],
  ['the key as a cookie', hook, post(user, { cookie: `x-api-key=${keys.acme}` }), 401, 'UNAUTHORIZED'],
  ['the admin token', hook, post(user, { authorization: `Bearer ${keys.admin}` }), 401, 'UNAUTHORIZED'],
  ['a runtime token', hook, post(user, { 'x-service-token': keys.acme }), 401, 'UNAUTHORIZED'],
  ['no key, bad JSON', hook, post('{', { 'content-type': 'application/json' }), 401, 'UNAUTHORIZED'],
  ['no key, a body too large', hook, post('x'.repeat(1_048_577), {}), 401, 'UNAUTHORIZED'],
  ['no key, no such path', '/workflows/nothing', post(user, {}), 401, 'UNAUTHORIZED'],
  ['no key, OPTIONS', hook, { method: 'OPTIONS' }, 401, 'UNAUTHORIZED'],
  ['no key on the test route', `${base}/order/whatsapp/test/hook`, post(user, {}), 401, 'UNAUTHORIZED'],
  ['no key on the earlier address', '/v1/webhook/hook', post(user, {}), 401, 'UNAUTHORIZED'],
];

export const paths: readonly Row[] = [
  ['no such workflow', `${base}/nothing/whatsapp/hook`, post(), 404, 'WORKFLOW_NOT_FOUND'],
  ['another company', hook, post(user, { ...json, 'x-api-key': keys.other }), 404, 'WORKFLOW_NOT_FOUND'],
  ['a workflow that is only a draft', `${base}/draft-only/whatsapp/hook`, post(), 404, 'WORKFLOW_NOT_FOUND'],
  ['no such draft', `${base}/nothing/whatsapp/test/hook`, post(), 404, 'WORKFLOW_NOT_FOUND'],
  ['no such node', `${base}/order/whatsapp/other`, post(), 404, 'NODE_NOT_FOUND'],
  ['a node that is no webhook', `${base}/order/whatsapp/done`, post(), 404, 'NODE_NOT_FOUND'],
  ['no such channel', `${base}/order/pigeon/hook`, post(), 404, 'NOT_FOUND'],
  ['a channel in capitals', `${base}/order/WhatsApp/hook`, post(), 404, 'NOT_FOUND'],
  ['a channel without a bot', `${base}/order/teams/hook`, post(), 404, 'BOT_NOT_FOUND'],
  ['a channel called test', `${base}/order/test/hook`, post(), 404, 'NOT_FOUND'],
  ['a slash too many', `${hook}/`, post(), 404, 'NOT_FOUND'],
  ['a part too many', `${hook}/more`, post(), 404, 'NOT_FOUND'],
  ['a part too few', `${base}/order/whatsapp`, post(), 404, 'NOT_FOUND'],
  ['an empty part', `${base}//whatsapp/hook`, post(), 404, 'NOT_FOUND'],
  ['the wrong version', '/workflows/v1/webhooks/skill/order/whatsapp/hook', post(), 404, 'NOT_FOUND'],
  ['a path in capitals', `/Workflows/v2/webhooks/skill/order/whatsapp/hook`, post(), 404, 'NOT_FOUND'],
  ['an id encoded twice', `${base}/%256frder/whatsapp/hook`, post(), 404, 'WORKFLOW_NOT_FOUND'],
  ['a slash encoded', `${base}/order/whatsapp%2Fhook`, post(), 404, 'NOT_FOUND'],
  ['a slash encoded in a channel', `${base}/order/whatsapp%2Ftest/hook`, post(), 404, 'NOT_FOUND'],
  ['an escape that is none', `${base}/order%zz/whatsapp/hook`, post(), 404, 'WORKFLOW_NOT_FOUND'],
  ['half an escape', `${base}/order/whatsapp/hook%2`, post(), 404, 'NODE_NOT_FOUND'],
  ['an escape that is no UTF-8', `${base}/order%ff/whatsapp/hook`, post(), 404, 'WORKFLOW_NOT_FOUND'],
  ['a NUL', `${base}/order%00/whatsapp/hook`, post(), 404, 'WORKFLOW_NOT_FOUND'],
  ['a blank', `${base}/order%20/whatsapp/hook`, post(), 404, 'WORKFLOW_NOT_FOUND'],
  ['a dot segment encoded', `${base}/order/whatsapp/%2e%2e%2fhook`, post(), 404, 'NODE_NOT_FOUND'],
  ['an id of 129 characters', `${base}/${'a'.repeat(129)}/whatsapp/hook`, post(), 404, 'WORKFLOW_NOT_FOUND'],
  ['__proto__ as an id', `${base}/__proto__/whatsapp/hook`, post(), 404, 'WORKFLOW_NOT_FOUND'],
  ['__proto__ as a node', `${base}/order/whatsapp/__proto__`, post(), 404, 'NODE_NOT_FOUND'],
  ['a full-width id', `${base}/${encodeURIComponent('ｏrder')}/whatsapp/hook`, post(), 404, 'WORKFLOW_NOT_FOUND'],
  ['no such workflow, bad JSON', `${base}/nothing/whatsapp/hook`, post('{'), 404, 'WORKFLOW_NOT_FOUND'],
  ['no such node, a body too large', `${base}/order/whatsapp/other`, post('x'.repeat(1_048_577)), 404, 'NODE_NOT_FOUND'],
  ['no such webhook at the earlier address', '/v1/webhook/nothing', post(), 404, 'NODE_NOT_FOUND'],
  ['an encoded id at the earlier address', '/v1/webhook/ho%256fk', post(), 404, 'NODE_NOT_FOUND'],
];

export const methods: readonly Row[] = [
  [
    'a method that is not configured',
    `${base}/post-only/whatsapp/hook?userId=${ana}`,
    { method: 'GET', headers: key },
    405,
    'METHOD_NOT_ALLOWED',
  ],
  ['HEAD', `${base}/post-only/whatsapp/hook`, { method: 'HEAD', headers: key }, 405, ''],
  ['OPTIONS', hook, { method: 'OPTIONS', headers: key }, 405, 'METHOD_NOT_ALLOWED'],
  ['a method of nobody', hook, { method: 'PROPFIND', headers: key }, 405, 'METHOD_NOT_ALLOWED'],
  ['QUERY', hook, { method: 'QUERY', headers: key }, 405, 'METHOD_NOT_ALLOWED'],
  [
    'a method override',
    `${base}/post-only/whatsapp/hook?_method=POST`,
    { method: 'GET', headers: { ...key, 'x-http-method-override': 'POST' } },
    405,
    'METHOD_NOT_ALLOWED',
  ],
  ['any method, none configured', `${base}/no-methods/whatsapp/hook`, post(), 405, 'METHOD_NOT_ALLOWED'],
  ['none configured, bad JSON', `${base}/no-methods/whatsapp/hook`, post('{'), 405, 'METHOD_NOT_ALLOWED'],
  ['not configured, bad JSON', `${base}/post-only/whatsapp/hook`, post('{', json, { method: 'PUT' }), 405, 'METHOD_NOT_ALLOWED'],
];

export const bodies: readonly Row[] = [
  ['half an object', hook, post('{"user":'), 400, 'INVALID_REQUEST'],
  ['two values', hook, post('{}{}'), 400, 'INVALID_REQUEST'],
  ['a comma too many', hook, post('{"a":1,}'), 400, 'INVALID_REQUEST'],
  ['single quotes', hook, post("{'a':1}"), 400, 'INVALID_REQUEST'],
  ['NaN', hook, post('{"a":NaN}'), 400, 'INVALID_REQUEST'],
  ['a control character in a text', hook, post('{"a":"\u0001"}'), 400, 'INVALID_REQUEST'],
  ['only blanks', hook, post('   '), 400, 'INVALID_REQUEST'],
  ['JSON without a type that is none', hook, post('hello', { ...key, 'content-type': 'application/json' }), 400, 'INVALID_REQUEST'],
  ['65 levels', hook, post(nested(65)), 400, 'INVALID_REQUEST'],
  ['100,000 levels', hook, post(nested(100_000)), 400, 'INVALID_REQUEST'],
  ['100,000 open brackets', hook, post('['.repeat(100_000)), 400, 'INVALID_REQUEST'],
  ['10,001 keys', hook, post(manyKeys(10_001)), 400, 'INVALID_REQUEST'],
  [
    '10,001 fields of a form',
    hook,
    post(Array.from({ length: 10_001 }, (_, n) => `k${n}=`).join('&'), { ...key, 'content-type': 'application/x-www-form-urlencoded' }),
    400,
    'INVALID_REQUEST',
  ],
  [
    'half a million fields of one name',
    hook,
    post('a&'.repeat(500_000), { ...key, 'content-type': 'application/x-www-form-urlencoded' }),
    400,
    'INVALID_REQUEST',
  ],
  ['a byte too many', hook, post(`"${'x'.repeat(1_048_575)}"`), 413, 'INVALID_REQUEST'],
  ['a length that is too large', hook, post('{}', { ...json, 'content-length': '1048577' }), 413, 'INVALID_REQUEST'],
  ['JSON in UTF-16', hook, post(user, { ...key, 'content-type': 'application/json; charset=utf-16' }), 400, 'INVALID_REQUEST'],
  ['a charset of nobody', hook, post('x', { ...key, 'content-type': 'text/plain; charset=klingon' }), 400, 'INVALID_REQUEST'],
  ['a compressed body', hook, post(user, { ...json, 'content-encoding': 'gzip' }), 400, 'INVALID_REQUEST'],
  ['a body encoded twice', hook, post(user, { ...json, 'content-encoding': 'identity, br' }), 400, 'INVALID_REQUEST'],
  ['no user', hook, post('{}'), 400, 'INVALID_REQUEST'],
  ['a user that is a list', hook, post('[]'), 400, 'INVALID_REQUEST'],
  ['no body and no user', hook, { method: 'POST', headers: key }, 400, 'INVALID_REQUEST'],
  ['a user with a plus', hook, post(JSON.stringify({ user: { id: `+${ana}` } })), 400, 'INVALID_USER_ID'],
  ['a user as a number', hook, post(JSON.stringify({ user: { id: 5215512345678 } })), 400, 'INVALID_USER_ID'],
  ['a user of 1 MB', hook, post(JSON.stringify({ user: { id: '1'.repeat(1_000_000) } })), 400, 'INVALID_USER_ID'],
  ['a user with a NUL', hook, post(JSON.stringify({ user: { id: '521\u0000' } })), 400, 'INVALID_USER_ID'],
  ['two users in the query', `${hook}?userId=1&userId=2`, post('{}'), 400, 'INVALID_USER_ID'],
  ['an empty executionId', hook, post(JSON.stringify({ user: { id: ana }, meta: { executionId: '' } })), 400, 'INVALID_REQUEST'],
  ['an executionId of no execution', hook, post(JSON.stringify({ meta: { executionId: 'nobody' } })), 404, 'EXECUTION_NOT_FOUND'],
  ['an executionId with a NUL', hook, post(JSON.stringify({ meta: { executionId: 'a\u0000b' } })), 404, 'EXECUTION_NOT_FOUND'],
  ['an executionId that is half a character', hook, post('{"meta":{"executionId":"\\ud800"}}'), 404, 'EXECUTION_NOT_FOUND'],
  ['an executionId of 1 MB', hook, post(JSON.stringify({ meta: { executionId: 'x'.repeat(1_000_000) } })), 404, 'EXECUTION_NOT_FOUND'],
  ['__proto__ as a place', hook, post('{"__proto__":{"user":{"id":"5215512345678"}}}'), 400, 'INVALID_REQUEST'],
  ['an empty delivery id', hook, post(user, { ...json, 'webhook-id': '' }), 400, 'INVALID_REQUEST'],
  ['a delivery id of 129 characters', hook, post(user, { ...json, 'webhook-id': 'x'.repeat(129) }), 400, 'INVALID_REQUEST'],
  ['a delivery id twice', hook, post(user, { ...json, 'idempotency-key': 'a, b' }), 400, 'INVALID_REQUEST'],
  ['two delivery ids', hook, post(user, { ...json, 'idempotency-key': 'a', 'webhook-id': 'b' }), 400, 'INVALID_REQUEST'],
];
