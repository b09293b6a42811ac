import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Listening, listen } from '../../src/platform/http/listen.ts';
import { ana, type CallOptions, event, setStage, signed, type Stage } from './calls.ts';
import { greeting, order, respondLater } from './canvases.ts';
import { keys } from './fake-service.ts';
import { sendRaw } from './raw-socket.ts';

/** Generated requests, unless `HILO_RUNS` is set. */
const numRuns = fc.readConfigureGlobal().numRuns ?? 400;
const timeoutMs = 60_000 + numRuns * 50;

let stage: Stage;
let server: Listening;

beforeAll(async () => {
  stage = await setStage();
  for (const canvas of [order(), order({ methods: ['POST'], oneTimeOnly: true }, 'once'), greeting]) await stage.service.keep(canvas);
  await stage.service.keep(respondLater(), { publish: false });
  server = await listen(stage.app.fetch, { port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await server.close(0);
  await stage.service.close();
});

interface Call extends CallOptions {
  readonly body?: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
}

const json = { 'content-type': 'application/json' };
const base = '/workflows/v2/webhooks/skill';
const body = JSON.stringify({ user: { id: ana }, meta: {}, n: 1 });
const delivery = JSON.stringify(event());
const right: readonly Call[] = [
  { path: `${base}/order/whatsapp/hook`, method: 'POST', headers: { ...json, 'x-api-key': keys.acme, 'webhook-id': 'd1' }, body },
  { path: `${base}/order/whatsapp/hook?userId=${ana}&a=1`, method: 'GET', headers: { 'x-api-key': keys.acme } },
  { path: `${base}/once/whatsapp/hook?executionId=abc`, method: 'POST', headers: { ...json, 'x-api-key': keys.other }, body },
  { path: `${base}/order/web/test/hook?testUserId=${ana}`, method: 'PUT', headers: { ...json, 'x-api-key': keys.acme }, body },
  { path: '/v1/webhook/hook?channel=web', method: 'POST', headers: { ...json, 'x-api-key': keys.acme }, body },
  { path: '/channels/bot_wa/webhook', method: 'POST', headers: { ...json, 'x-hub-signature-256': signed(delivery) }, body: delivery },
  { path: '/admin/v1/login', method: 'POST', headers: json, body: JSON.stringify({ token: keys.admin }) },
  { path: '/admin/v1/executions?companyId=1&limit=5', method: 'GET', headers: { authorization: `Bearer ${keys.admin}` } },
  {
    path: '/admin/v1/workflows/order?companyId=1',
    method: 'PUT',
    headers: { ...json, authorization: `Bearer ${keys.admin}` },
    body: JSON.stringify(order()),
  },
  { path: '/v1/campaigns', method: 'GET', headers: { authorization: `Basic ${btoa(`${keys.client.id}:${keys.client.secret}`)}` } },
  { path: '/health/ready', method: 'GET', headers: {} },
];

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '..',
    '%2e%2e%2f',
    '%00',
    '%ff',
    '%252e',
    '\\',
    '{{1+1}}',
    '${1}',
    "' or 1=1 --",
    '<script>',
    '😀',
    '٣',
    '１',
    ' ',
    'null',
    '[]',
    '{}',
    '-1',
    '1e999',
    'x'.repeat(9_000),
  ),
);
const headerValue = nasty.map((text) => text.replace(/[^\t\x20-\x7e]/g, '?').trim());

/** One way to spoil a request. */
const mutation: fc.Arbitrary<(call: Call) => Call> = fc.oneof(
  fc
    .constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY', 'PURGE')
    .map((method) => (call: Call) => ({ ...call, method })),
  fc.tuple(fc.nat(8), nasty).map(([at, part]) => (call: Call) => ({
    ...call,
    path: withPart(call.path, at, encodeURIComponent(part.toWellFormed())),
  })),
  fc.tuple(fc.nat(8), fc.constantFrom('%zz', '%', '%c0%af', '%2f', '%25', '//', '/./', '?', '#')).map(([at, part]) => (call: Call) => ({
    ...call,
    path: withPart(call.path, at, part),
  })),
  fc
    .tuple(fc.constantFrom('executionId', 'userId', 'testUserId', 'channel', 'companyId', 'limit', 'cursor', '__proto__'), nasty)
    .map(([name, value]) => (call: Call) => ({
      ...call,
      path: `${call.path}${call.path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value.toWellFormed())}`,
    })),
  fc
    .tuple(
      fc.constantFrom(
        'x-api-key',
        'authorization',
        'content-type',
        'content-encoding',
        'webhook-id',
        'idempotency-key',
        'cookie',
        'origin',
        'host',
        'x-hub-signature-256',
        'x-forwarded-for',
        'accept',
      ),
      headerValue,
    )
    .map(([name, value]) => (call: Call) => ({ ...call, headers: { ...call.headers, [name]: value } })),
  fc.constantFrom('x-api-key', 'authorization', 'content-type', 'x-hub-signature-256').map((name) => (call: Call) => {
    const { [name]: _left, ...headers } = call.headers;
    return { ...call, headers };
  }),
  fc.oneof(fc.json({ maxDepth: 3 }), fc.string({ unit: 'binary' })).map((text) => (call: Call) => withBody(call, text)),
  fc.tuple(fc.nat(200), nasty).map(([at, text]) => (call: Call) => {
    const before = call.body ?? '';
    return withBody(call, before.slice(0, at) + text + before.slice(at + 1));
  }),
  fc.tuple(fc.constantFrom('user', 'meta', 'eventId', 'botId', 'message', 'receivedAt', 'nodes', 'edges'), fc.jsonValue()).map(
    ([name, value]) =>
      (call: Call) =>
        withBody(call, withField(call.body, name, value)),
  ),
);

const withPart = (path: string, at: number, part: string): string => {
  const parts = path.split('/');
  parts[1 + (at % (parts.length - 1))] = part;
  return parts.join('/');
};

/** A delivery stays signed, so that the code after the signature check is reached too. */
const withBody = (call: Call, text: string): Call => ({
  ...call,
  body: text,
  headers: 'x-hub-signature-256' in call.headers ? { ...call.headers, 'x-hub-signature-256': signed(text) } : call.headers,
});

function withField(text: string | undefined, name: string, value: unknown): string {
  try {
    return JSON.stringify({ ...(JSON.parse(text ?? '') as object), [name]: value });
  } catch {
    return text ?? '';
  }
}

const call = fc
  .tuple(fc.constantFrom(...right), fc.array(mutation, { minLength: 1, maxLength: 3 }))
  .map(([request, mutations]) => mutations.reduce((spoiled, mutate) => mutate(spoiled), request));

const statuses = new Set([200, 400, 401, 404, 405, 409, 413, 422]);
const secrets = [keys.admin, keys.appSecret, keys.acme, keys.other, keys.client.secret];
const prototypeKeys = (): readonly PropertyKey[] =>
  [Object, Array, Function, String].flatMap(({ prototype }) => Reflect.ownKeys(prototype));

/** A provider's verification with a wrong token is answered 403, there alone. */
const isVerification = (status: number, { path, method }: { readonly path: string; readonly method: string }): boolean =>
  status === 403 && path.startsWith('/channels/') && path.includes('?') && (method === 'GET' || method === 'HEAD');

/** The defects of an answer. */
function flawsOf(status: number, answered: unknown): readonly string[] {
  const flaws = secrets.filter((secret) => JSON.stringify(answered ?? '').includes(secret)).map(() => 'a secret');
  if (!statuses.has(status)) flaws.push(`status ${status}`);
  const isShaped = typeof answered === 'object' && answered !== null && 'message' in answered;
  if (status >= 400 && answered !== '' && !isShaped) flaws.push(`shape ${JSON.stringify(answered)}`);
  return flaws;
}

it(
  'answers any generated request sanely (P27, P31, P32)',
  async () => {
    const before = prototypeKeys();
    await fc.assert(
      fc.asyncProperty(call, async ({ path, ...request }) => {
        const { method = 'GET', headers } = request;
        const { body: text, ...rest } = request;
        const hasBody = method !== 'GET' && method !== 'HEAD' && text !== undefined;
        const answer = await stage.call(path, { ...rest, ...(hasBody && { body: text }) });
        const isBare = !['x-api-key', 'authorization', 'x-hub-signature-256', 'cookie'].some((name) => name in headers);
        const isRefused = [401, 404, 405].includes(answer.status) || isVerification(answer.status, { path, method });
        const mayAnswer = !isBare || /^\/(?:health|admin\/v1\/login)/.test(path) || isRefused;
        const flaws = isVerification(answer.status, { path, method }) ? [] : flawsOf(answer.status, answer.body);
        expect([...flaws, ...(mayAnswer ? [] : [`open: ${answer.status}`])]).toEqual([]);
      }),
      { numRuns },
    );
    expect(prototypeKeys()).toEqual(before);
    const faults = stage.service.logged.filter(({ level }) => level === 'error');
    expect(faults).toEqual([]);
    const log = JSON.stringify(stage.service.logged.map(({ fields, message }) => [fields, message]));
    expect(secrets.filter((secret) => log.includes(secret) && !log.includes(`/${secret}`))).toEqual([]);
  },
  timeoutMs,
);

const head = [
  `POST ${base}/order/whatsapp/hook HTTP/1.1`,
  'Host: localhost',
  `X-Api-Key: ${keys.acme}`,
  'Content-Type: application/json',
  'Connection: close',
  `Content-Length: ${body.length}`,
];
const bytes = Buffer.from([...head, '', body].join('\r\n'));

it(
  'answers any bytes sanely, or not at all (P32)',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.oneof(fc.nat(255), fc.constantFrom(0, 9, 10, 13, 32, 37, 44, 58)), fc.nat(2)), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.nat(bytes.length),
        async (edits, cutAt) => {
          const spoiled = [...bytes];
          for (const [at, byte, removed] of edits) spoiled.splice(at % spoiled.length, removed, byte);
          const cut = cutAt % 5 === 0 ? spoiled.slice(0, cutAt) : spoiled;
          const { status, body: answered, text } = await sendRaw(server.port, Buffer.from(cut), null);
          expect(text === '' ? [] : flawsOf(status, answered)).toEqual([]);
        },
      ),
      { numRuns: Math.ceil(numRuns / 4) },
    );
    expect(await stage.call('/health/ready')).toMatchObject({ status: 200 });
  },
  timeoutMs,
);
