// Bad requests to the addresses that providers deliver to, each with its answer.
import { ana, type CallOptions, event, signed } from '../calls.ts';
import { keys } from '../fake-service.ts';
import { nested, type Row } from './gateway-rows.ts';

const inbound = '/channels/bot_wa/webhook';
const delivered = (body: string, headers: { readonly [name: string]: string } = {}): CallOptions => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-hub-signature-256': signed(body), ...headers },
  body,
});
const eventWith = (more: object): CallOptions => delivered(JSON.stringify(event(more)));
const whole = JSON.stringify(event());

export const deliveries: readonly Row[] = [
  ['no signature', inbound, { method: 'POST', body: whole }, 401, 'UNAUTHORIZED'],
  ['no signature, no such bot', '/channels/nobody/webhook', { method: 'POST', body: whole }, 401, 'UNAUTHORIZED'],
  ['no signature, bad JSON', inbound, { method: 'POST', body: '{' }, 401, 'UNAUTHORIZED'],
  ['an empty signature', inbound, delivered(whole, { 'x-hub-signature-256': '' }), 401, 'UNAUTHORIZED'],
  ['a signature without its name', inbound, delivered(whole, { 'x-hub-signature-256': signed(whole).slice(7) }), 401, 'UNAUTHORIZED'],
  ['a signature of SHA-1', inbound, delivered(whole, { 'x-hub-signature-256': `sha1=${'0'.repeat(40)}` }), 401, 'UNAUTHORIZED'],
  ['half a signature', inbound, delivered(whole, { 'x-hub-signature-256': signed(whole).slice(0, 40) }), 401, 'UNAUTHORIZED'],
  ['the signature of another secret', inbound, delivered(whole, { 'x-hub-signature-256': signed(whole, 'other') }), 401, 'UNAUTHORIZED'],
  ['the signature of another body', inbound, delivered(`${whole} `, { 'x-hub-signature-256': signed(whole) }), 401, 'UNAUTHORIZED'],
  ['two signatures', inbound, delivered(whole, { 'x-hub-signature-256': `${signed(whole)}, ${signed(whole)}` }), 401, 'UNAUTHORIZED'],
  ['an API key instead', inbound, delivered(whole, { 'x-hub-signature-256': '', 'x-api-key': keys.acme }), 401, 'UNAUTHORIZED'],
  ['the signature in the query', `${inbound}?x-hub-signature-256=${signed(whole)}`, { method: 'POST', body: whole }, 401, 'UNAUTHORIZED'],
  [
    'a bot without a secret',
    '/channels/bot_mute/webhook',
    delivered(whole, { 'x-hub-signature-256': signed(whole, '') }),
    401,
    'UNAUTHORIZED',
  ],
  [
    'a bot with an empty secret',
    '/channels/bot_empty/webhook',
    delivered(whole, { 'x-hub-signature-256': signed(whole, '') }),
    401,
    'UNAUTHORIZED',
  ],
  ['no such bot', '/channels/nobody/webhook', delivered(whole), 401, 'UNAUTHORIZED'],
  ['a bot encoded twice', '/channels/bot%255fwa/webhook', delivered(whole), 401, 'UNAUTHORIZED'],
  ['a kind without an adapter', '/channels/bot_meta/webhook', delivered(whole), 401, 'UNAUTHORIZED'],
  [
    'verification of a kind without one',
    `${inbound}?hub.mode=subscribe`,
    { headers: { 'x-hub-signature-256': signed('') } },
    403,
    'UNAUTHORIZED',
  ],
  ['verification of no such bot', '/channels/nobody/webhook?hub.mode=subscribe', {}, 403, 'UNAUTHORIZED'],
  ['a request that verifies nothing', inbound, {}, 404, 'NOT_FOUND'],
  ['another path of a bot', '/channels/bot_wa/other', delivered(whole), 404, 'NOT_FOUND'],
  ['another method', inbound, { ...delivered(whole), method: 'PUT' }, 404, 'NOT_FOUND'],
  ['signed nonsense', inbound, delivered('nonsense'), 400, 'INVALID_REQUEST'],
  ['signed nothing', inbound, delivered(''), 400, 'INVALID_REQUEST'],
  ['signed 65 levels', inbound, delivered(nested(65)), 400, 'INVALID_REQUEST'],
  ['a signed list', inbound, delivered('[]'), 400, 'INVALID_REQUEST'],
  ['a body too large', inbound, delivered('x'.repeat(1_048_577)), 413, 'INVALID_REQUEST'],
  ['no event id', inbound, eventWith({ eventId: undefined }), 400, 'INVALID_REQUEST'],
  ['an empty event id', inbound, eventWith({ eventId: '' }), 400, 'INVALID_REQUEST'],
  ['an event id as a number', inbound, eventWith({ eventId: 1 }), 400, 'INVALID_REQUEST'],
  ['an event id of 257 characters', inbound, eventWith({ eventId: 'x'.repeat(257) }), 400, 'INVALID_REQUEST'],
  ['no bot', inbound, eventWith({ botId: undefined }), 400, 'INVALID_REQUEST'],
  ['another bot', inbound, eventWith({ botId: 'bot_web' }), 400, 'INVALID_REQUEST'],
  ['no user', inbound, eventWith({ user: undefined }), 400, 'INVALID_REQUEST'],
  ['a user as a text', inbound, eventWith({ user: ana }), 400, 'INVALID_REQUEST'],
  ['a user without an id', inbound, eventWith({ user: {} }), 400, 'INVALID_REQUEST'],
  ['a user with a plus', inbound, eventWith({ user: { id: `+${ana}` } }), 400, 'INVALID_USER_ID'],
  ['a user that is empty', inbound, eventWith({ user: { id: '' } }), 400, 'INVALID_USER_ID'],
  ['a BSUID in small letters', inbound, eventWith({ user: { id: 'us.1' } }), 400, 'INVALID_USER_ID'],
  ['no message', inbound, eventWith({ message: undefined }), 400, 'INVALID_REQUEST'],
  ['a message without an id', inbound, eventWith({ message: { type: 'text' } }), 400, 'INVALID_REQUEST'],
  ['a message without a type', inbound, eventWith({ message: { id: 'm' } }), 400, 'INVALID_REQUEST'],
  ['a text as a number', inbound, eventWith({ message: { id: 'm', type: 'text', text: 1 } }), 400, 'INVALID_REQUEST'],
  ['no time', inbound, eventWith({ receivedAt: undefined }), 400, 'INVALID_REQUEST'],
  ['a time without a zone', inbound, eventWith({ receivedAt: '2031-02-03T09:00:00' }), 400, 'INVALID_REQUEST'],
];
