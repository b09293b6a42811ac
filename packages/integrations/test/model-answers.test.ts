/** A table of what providers answer, each in its own published shape, and what a canvas gets of it: the same, whichever provider it is. */
import type { ServerResponse } from 'node:http';
import type { DriverContext, Json, JsonObject } from '@hilo/engine/contract';
import { askModel } from '@hilo/nodes/effects';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { drawn } from '../../../scripts/vitest/part-of.ts';
import { driverContext } from '../../testing/src/contracts/driver-context.ts';
import { createModelDriver } from '../src/ai/model-driver.ts';
import { type Provider, type Shape, shapes } from './provider-doubles.ts';
import { createDialer, type Dialer } from '../../drivers/src/index.ts';
import { type HttpServer, startHttp } from '../../drivers/test/local-servers.ts';

type Request = z.output<typeof askModel.request>;
type Result = z.output<typeof askModel.result>;

const stock = { name: 'stock', description: 'How many are left', inputSchema: { type: 'object', properties: { sku: { type: 'string' } } } };

const names = Object.keys(shapes) as readonly Provider[];

/** What the server of this file answers next. One server and one driver do for the whole table: each would cost more than a call. */
let answering: (response: ServerResponse) => void = () => undefined;
let server: HttpServer;
let dialer: Dialer;
let perform: (request: Request, context: DriverContext) => Promise<unknown>;
beforeAll(async () => {
  server = await startHttp((_request, response) => {
    response.shouldKeepAlive = false; // no call depends on the connection of the one before
    answering(response);
  });
  dialer = createDialer({ allow: [server.host] });
  const credential = () => Promise.resolve({ kind: 'bearer', token: 'sk-canary-123' });
  perform = createModelDriver({ dialer, credential }).perform as typeof perform;
});
afterAll(async () => {
  await dialer.close();
  await server.close();
});

/** Asks a provider that answers in one way, once. */
async function ask(name: Provider, answer: (response: ServerResponse) => void, request: Partial<Request> = {}) {
  answering = answer;
  const before = server.received.length;
  const whole: Request = {
    provider: name,
    baseUrl: `http://${server.host}/v1`,
    credentialId: 'key',
    model: 'small',
    messages: [{ role: 'user', text: 'Is A there?' }],
    tools: [stock],
    output: 'text',
    maxOutputTokens: 64,
    timeoutMs: 20_000,
    ...request,
  };
  const context = driverContext({ nodeId: 'talk' });
  const result: Result = askModel.result.parse(await perform(askModel.request.parse(whole), context));
  return { result, count: server.received.length - before };
}

const json = { 'content-type': 'application/json' };
const sends =
  (body: JsonObject | string, status = 200, headers: { readonly [name: string]: string } = json) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
const html = { 'content-type': 'text/html' };
const page = '<html><body>Just a moment…</body></html>';

/** Each way of answering, and what it comes to for every provider. */
const table: readonly (readonly [string, (shape: Shape) => (response: ServerResponse) => void, object])[] = [
  ['a text', ({ answer }) => sends(answer({ text: 'Three.', end: 'stop' })), { kind: 'answered', text: 'Three.', finish: 'stop' }],
  ['nothing to say', ({ answer }) => sends(answer({ text: '', end: 'stop' })), { kind: 'answered', text: '', finish: 'stop' }],
  ['a text cut off', ({ answer }) => sends(answer({ text: 'Thr', end: 'length' })), { kind: 'answered', text: 'Thr', finish: 'length' }],
  ['a filtered text', ({ answer }) => sends(answer({ text: '', end: 'filtered' })), { kind: 'answered', finish: 'refused' }],
  ['a refusal', ({ refusal }) => sends(refusal), { kind: 'answered', finish: 'refused' }],
  [
    'a call',
    ({ answer }) => sends(answer({ calls: [{ name: 'stock', input: { sku: 'A' } }], end: 'tools' })),
    { kind: 'answered', finish: 'tools', calls: [{ tool: 'stock', input: '{"sku":"A"}' }] },
  ],
  [
    'ten calls at once, of a tool that is not there',
    ({ answer }) => sends(answer({ calls: Array.from({ length: 10 }, () => ({ name: 'pay', input: { amount: 1 } })), end: 'tools' })),
    { kind: 'answered', finish: 'tools', calls: Array.from({ length: 10 }, () => ({ tool: 'pay' })) },
  ],
  [
    'a call with a megabyte of arguments',
    ({ answer }) => sends(answer({ calls: [{ name: 'stock', input: { sku: 'A'.repeat(1_000_000) } }], end: 'tools' })),
    { kind: 'failed', outcome: 'unknown' },
  ],
  [
    'a limit with the seconds to wait',
    ({ error }) => sends(error(429), 429, { ...json, 'retry-after': '7' }),
    { kind: 'failed', reason: 'rate-limited', retryAfterMs: 7_000 },
  ],
  ['a limit without', ({ error }) => sends(error(429), 429), { kind: 'failed', reason: 'rate-limited' }],
  ['a wrong key', ({ error }) => sends(error(401), 401), { kind: 'failed', reason: 'rejected', outcome: 'failed' }],
  ['a key without a right', ({ error }) => sends(error(403), 403), { kind: 'failed', reason: 'rejected', outcome: 'failed' }],
  ['a wrong request', ({ error }) => sends(error(400), 400), { kind: 'failed', reason: 'rejected', outcome: 'failed' }],
  ['no such model', ({ error }) => sends(error(404), 404), { kind: 'failed', reason: 'rejected', outcome: 'failed' }],
  ['a fault of its own', ({ error }) => sends(error(500), 500), { kind: 'failed', reason: 'unavailable', outcome: 'unknown' }],
  ['too much to do', ({ error }) => sends(error(529), 529), { kind: 'failed', reason: 'unavailable', outcome: 'unknown' }],
  ['a page in place of an answer', () => sends(page, 200, html), { kind: 'failed', reason: 'malformed', outcome: 'unknown' }],
  ['a page of what stands before it', () => sends(page, 502, html), { kind: 'failed', reason: 'unavailable', outcome: 'unknown' }],
  ['an error with status 200', ({ error }) => sends(error(500)), { kind: 'failed', reason: 'malformed', outcome: 'unknown' }],
  [
    'half an answer',
    ({ answer }) => sends(JSON.stringify(answer({ text: 'Three.', end: 'stop' })).slice(0, 60)),
    { kind: 'failed', reason: 'malformed', outcome: 'unknown' },
  ],
  [
    'nothing, once it has worked',
    () => (response) => void response.socket?.destroy(),
    { kind: 'failed', reason: 'unreachable', outcome: 'unknown' },
  ],
];

/** Each provider with each way; a run of all tests takes a part, in which each provider has other ways. */
const pairs = drawn(names.flatMap((name) => table.map(([what, answer, expected]) => ({ name, what, answer, expected }))));

/** The field of an answer that counts tokens, with counts of a kind, in the words of each provider. */
const counted: { readonly [provider in Provider]: (count: Json) => JsonObject } = {
  'openai-compatible': (count) => ({ usage: { prompt_tokens: count, completion_tokens: count, total_tokens: count } }),
  openai: (count) => ({ usage: { prompt_tokens: count, completion_tokens: count, total_tokens: count } }),
  anthropic: (count) => ({ usage: { input_tokens: count, output_tokens: count } }),
  google: (count) => ({ usageMetadata: { promptTokenCount: count, candidatesTokenCount: count, totalTokenCount: count } }),
};

/** An answer with a message of its own shape, and why it ended. */
const shaped: { readonly [provider in Provider]: (message: JsonObject, end?: string) => JsonObject } = {
  'openai-compatible': (message, end = 'stop') => completionOf(message, end),
  openai: (message, end = 'stop') => completionOf(message, end),
  anthropic: (message, end = 'end_turn') => ({ ...shapes.anthropic.answer({ end: 'stop' }), ...message, stop_reason: end }),
  google: (message, end = 'STOP') => ({
    ...shapes.google.answer({ end: 'stop' }),
    candidates: [{ content: { role: 'model', ...message }, finishReason: end }],
  }),
};
function completionOf(message: JsonObject, end: string): JsonObject {
  const choices = [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: end }];
  return { ...shapes.openai.answer({ end: 'stop' }), choices };
}

/** Thoughts alone, words of another role, and the same id twice, in the words of each provider. */
const oddMessages: { readonly [provider in Provider]: { readonly [what: string]: JsonObject } } = {
  'openai-compatible': ofChat({ reasoning_content: 'Hm.' }),
  openai: ofChat({}),
  anthropic: {
    thoughts: { content: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }] },
    role: { role: 'user', content: [{ type: 'text', text: 'Three.' }] },
    twice: { content: ['A', 'B'].map((sku) => ({ type: 'tool_use', id: 'c', name: 'stock', input: { sku } })) },
  },
  google: {
    thoughts: { parts: [{ text: 'Hm.', thought: true }] },
    role: { role: 'user', parts: [{ text: 'Three.' }] },
    twice: { parts: ['A', 'B'].map((sku) => ({ functionCall: { id: 'c', name: 'stock', args: { sku } } })) },
  },
};
function ofChat(thoughts: JsonObject): { readonly [what: string]: JsonObject } {
  const calls = ['A', 'B'].map((sku) => ({ id: 'c', type: 'function', function: { name: 'stock', arguments: JSON.stringify({ sku }) } }));
  return { thoughts: { content: '', ...thoughts }, role: { role: 'system', content: 'Three.' }, twice: { tool_calls: calls } };
}

describe('what a provider is not to answer', () => {
  it.each(drawn(names, 2))('is an answer of %s or a failure, with tokens that can be counted', async (name) => {
    for (const count of [-5, 0, 1.5, 2 ** 53, 1e300, '11', null, true, {}]) {
      const { result } = await ask(name, sends({ ...shapes[name].answer({ text: 'Three.', end: 'stop' }), ...counted[name](count) }));
      expect(['answered', 'failed']).toContain(result.kind);
      const tokens = result.kind === 'answered' ? Object.values(result.usage) : [];
      expect(tokens.filter((one) => !Number.isSafeInteger(one) || one < 0)).toEqual([]);
    }
    const [field = ''] = Object.keys(counted[name](0));
    const { [field]: _usage, ...uncounted } = shapes[name].answer({ text: 'Three.', end: 'stop' });
    expect((await ask(name, sends(uncounted))).result).toMatchObject(name === 'anthropic' ? {} : { kind: 'answered', text: 'Three.' });
  });

  it.each(drawn(names, 2))('says nothing where %s sends thoughts alone, and calls with one id are two', async (name) => {
    const { thoughts = {}, role = {}, twice = {} } = oddMessages[name];
    expect((await ask(name, sends(shaped[name](thoughts)))).result).toMatchObject({ kind: 'answered', text: '' });
    const { result } = await ask(name, sends(shaped[name](role)));
    expect(result.kind === 'answered' ? result.text : 'Three.').toBe('Three.');
    const called = (await ask(name, sends(shaped[name](twice, name === 'anthropic' ? 'tool_use' : 'stop')))).result;
    expect(called).toMatchObject({ kind: 'answered', calls: ['A', 'B'].map((sku) => ({ tool: 'stock', input: JSON.stringify({ sku }) })) });
  });

  it.each(drawn(names, 2))('is no text of %s that ended for an unknown reason as if it were whole', async (name) => {
    const message =
      name === 'anthropic'
        ? { content: [{ type: 'text', text: 'Thr' }] }
        : name === 'google'
          ? { parts: [{ text: 'Thr' }] }
          : { content: 'Thr' };
    const { result } = await ask(name, sends(shaped[name](message, 'WEIRD')));
    expect(result.kind === 'answered' ? result.finish : 'other').toBe('other');
  });
});

describe('what a provider answers', () => {
  it.each(pairs)('is the same of $name: $what', async ({ name, answer, expected }) => {
    const { result, count } = await ask(name, answer(shapes[name]));
    expect(result).toMatchObject(expected);
    expect(JSON.stringify(result)).not.toContain('canary');
    expect('retryAfterMs' in result).toBe('retryAfterMs' in expected);
    expect(count).toBe(1); // whoever asked decides whether it is asked again
  });

  it.each(drawn(names))('may be a stream of %s that ends in an error', async (name) => {
    const stream = sends(shapes[name].brokenStream, 200, { 'content-type': 'text/event-stream' });
    const { result } = await ask(name, stream, { stream: true });
    expect(result).toMatchObject({ kind: 'failed', reason: 'malformed', outcome: 'unknown' });
  });
});
