/** A table of what providers answer, each in its own published shape, and what a canvas gets of it: the same, whichever provider it is. */
import type { ServerResponse } from 'node:http';
import type { DriverContext, JsonObject } from '@hilo/engine/contract';
import { askModel } from '@hilo/nodes/effects';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { drawn } from '../../../scripts/vitest/part-of.ts';
import { createModelDriver } from '../src/ai/model-driver.ts';
import { createDialer, type Dialer } from '../../drivers/src/index.ts';
import { type HttpServer, startHttp } from '../../drivers/test/local-servers.ts';

type Request = z.output<typeof askModel.request>;
type Provider = NonNullable<Request['provider']>;
type Result = z.output<typeof askModel.result>;

const stock = { name: 'stock', description: 'How many are left', inputSchema: { type: 'object', properties: { sku: { type: 'string' } } } };

/** What the model says and calls, and why it ended, in the words of {@link shapes}. */
interface Said {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: JsonObject }[];
  readonly end: 'stop' | 'length' | 'tools' | 'filtered';
}

/** How a provider writes an answer, a refusal of the request, and the pieces of a stream that ends in an error. */
interface Shape {
  readonly answer: (said: Said) => JsonObject;
  readonly refusal: JsonObject;
  readonly error: (status: number) => JsonObject;
  readonly brokenStream: string;
}

const chat: Shape = {
  answer: ({ text = null, calls = [], end }) => ({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          ...(calls.length > 0 && {
            tool_calls: calls.map(({ name, input }, index) => ({
              id: `c${index}`,
              type: 'function',
              function: { name, arguments: JSON.stringify(input) },
            })),
          }),
        },
        finish_reason: { stop: 'stop', length: 'length', tools: 'tool_calls', filtered: 'content_filter' }[end],
      },
    ],
    usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 },
  }),
  refusal: {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: null, refusal: 'I will not.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 },
  },
  error: (status) => ({ error: { message: 'sk-canary-123 is over its limit', type: 'requests', param: null, code: String(status) } }),
  brokenStream: `data: ${JSON.stringify({ error: { message: 'The server had an error', type: 'server_error' } })}\n\n`,
};

const shapes: { readonly [provider in Provider]: Shape } = {
  'openai-compatible': chat,
  openai: chat,
  anthropic: {
    answer: ({ text, calls = [], end }) => ({
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        ...(text === undefined ? [] : [{ type: 'text', text }]),
        ...calls.map(({ name, input }, index) => ({ type: 'tool_use', id: `c${index}`, name, input })),
      ],
      stop_reason: { stop: 'end_turn', length: 'max_tokens', tools: 'tool_use', filtered: 'refusal' }[end],
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 5 },
    }),
    refusal: {
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: 'refusal',
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 5 },
    },
    error: (status) => ({
      type: 'error',
      error: { type: status === 529 ? 'overloaded_error' : 'rate_limit_error', message: 'sk-canary-123 is over its limit' },
      request_id: 'r1',
    }),
    brokenStream: `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })}\n\n`,
  },
  google: {
    answer: ({ text, calls = [], end }) => ({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              ...(text === undefined ? [] : [{ text }]),
              ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
            ],
          },
          finishReason: { stop: 'STOP', length: 'MAX_TOKENS', tools: 'STOP', filtered: 'SAFETY' }[end],
        },
      ],
      usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 5, totalTokenCount: 16 },
    }),
    refusal: {
      promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
      usageMetadata: { promptTokenCount: 11, totalTokenCount: 11 },
    },
    error: (code) => ({ error: { code, message: 'sk-canary-123 is over its limit', status: 'RESOURCE_EXHAUSTED' } }),
    brokenStream: `data: ${JSON.stringify({ error: { code: 503, message: 'The model is overloaded', status: 'UNAVAILABLE' } })}\n\n`,
  },
};
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
  const context: DriverContext = {
    idempotencyKey: 'c0ffee',
    executionId: 'e1',
    nodeId: 'talk',
    attempt: 1,
    origin: { companyId: '7', route: 'test' },
    contact: undefined,
    nowMs: 0,
    signal: new AbortController().signal,
  };
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
