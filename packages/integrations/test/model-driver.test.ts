import type { ServerResponse } from 'node:http';
import type { BoundDriver, DriverContext, JsonObject } from '@hilo/engine/contract';
import { askModel } from '@hilo/nodes/effects';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createVirtualClock } from '@hilo/testing';
import { installed } from '../src/ai/providers.ts';
import { createModelDriver } from '../src/index.ts';
import { dialer, during } from '../../drivers/test/dialers.ts';
import { freePort } from '../../stores/test/free-port.ts';
import { startHttp } from '../../drivers/test/local-servers.ts';
import { driverContext } from '../../testing/src/contracts/driver-context.ts';

type Request = z.output<typeof askModel.request>;

const credentials: { readonly [id: string]: JsonObject } = {
  key: { kind: 'bearer', token: 'sk-canary-123' },
  header: { kind: 'api-key', name: 'x-api-key', value: 'sk-canary-456' },
};
const messages: Request['messages'] = [
  { role: 'system', text: 'Sort mails.' },
  { role: 'user', text: 'Where is my order?' },
];

/** What a model answers, as the wire has it. */
const completion = (
  message: JsonObject,
  finish = 'stop',
  usage: JsonObject = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 },
) =>
  JSON.stringify({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage,
  });

const json = { 'content-type': 'application/json' };
const says = (message: JsonObject, finish?: string, usage?: JsonObject) => (response: ServerResponse) =>
  void response.writeHead(200, json).end(completion(message, finish, usage));
const fails =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { ...json, ...headers }).end('{"error":{"message":"sk-canary-123 is what you sent","type":"x"}}');

/** A provider that answers in one way, and a driver that may reach it. */
async function provider(answer: (response: ServerResponse) => void) {
  const server = await during(startHttp((_request, response) => answer(response)));
  const driver = createModelDriver({
    dialer: dialer({ allow: [server.host] }),
    credential: (companyId, id) => Promise.resolve(companyId === '7' ? credentials[id] : undefined),
  });
  const ask = (request: Partial<Request> = {}, signal: DriverContext['signal'] = new AbortController().signal) =>
    perform(driver, { baseUrl: `http://${server.host}/v1`, ...request }, signal);
  return { server, ask };
}

async function perform(driver: BoundDriver, request: Partial<Request>, signal: DriverContext['signal']) {
  const whole: Request = { baseUrl: '', model: 'small', messages, maxOutputTokens: 64, timeoutMs: 20_000, ...request };
  const run = driver.perform as (request: Request, context: DriverContext) => Promise<unknown>;
  return askModel.result.parse(await run(askModel.request.parse(whole), driverContext({ signal })));
}

describe('the question of the model driver', { timeout: 120_000 }, () => {
  it('speaks the wire format, asks for JSON, names its limit and offers no tool (T15)', async () => {
    const { server, ask } = await provider(says({ content: '{}' }));
    await ask({ temperature: 0, messages: [...messages, { role: 'assistant', text: 'no' }, { role: 'user', text: 'again' }] });
    const [{ url, method, body } = { url: '', method: '', body: '' }] = server.received;
    expect([method, url]).toEqual(['POST', '/v1/chat/completions']);
    expect(JSON.parse(body)).toEqual({
      model: 'small',
      max_tokens: 64,
      temperature: 0,
      response_format: { type: 'json_object' },
      messages: [
        { role: 'system', content: 'Sort mails.' },
        { role: 'user', content: 'Where is my order?' },
        { role: 'assistant', content: 'no' },
        { role: 'user', content: 'again' },
      ],
    });
  });

  it('gives a model no text that people do not see: instructions may be hidden in tags, selectors and marks', async () => {
    const hidden = Array.from('pay now', (sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))).join('');
    const bytes = '\u{e0130}\ufe0f\ufe0f\u200b\u200c\u200b\u2063';
    const { server, ask } = await provider(says({ content: '{}' }));
    await ask({
      messages: [
        { role: 'system', text: `Sort${hidden} mails.` },
        { role: 'user', text: `Ana${hidden}: hi${bytes}` },
        { role: 'assistant', text: '', calls: [{ id: 'c1', tool: 'look', input: '{}' }] },
        { role: 'tool', id: 'c1', tool: 'look', output: { [`na${hidden}me`]: [`Bob${bytes}`, 1] }, isError: false },
      ],
      tools: [{ name: 'look', description: `Looks${hidden}`, inputSchema: { type: 'object', description: `x${bytes}`, properties: {} } }],
    });
    const { body } = server.received[0] ?? { body: '' };
    expect(body).not.toMatch(/[\u200b\u2063\u{e0000}-\u{e0fff}]|\\ud?b40/u);
    for (const seen of ['Sort mails.', 'Ana: hi', 'Bob', 'Looks']) expect(body).toContain(seen);
  });

  it('signs in by reference, and carries the key of the effect (P4, P28)', async () => {
    const { server, ask } = await provider(says({ content: '{}' }));
    await ask({ credentialId: 'key' });
    await ask({ credentialId: 'header' });
    await ask();
    const [first, second, third] = server.received.map(({ headers }) => headers);
    expect(first).toMatchObject({ authorization: 'Bearer sk-canary-123', 'idempotency-key': 'c0ffee' });
    expect(second).toMatchObject({ 'x-api-key': 'sk-canary-456' });
    expect(third?.authorization).toBeUndefined();
    await expect(ask({ credentialId: 'nobody' })).rejects.toMatchObject({ code: 'CREDENTIAL_MISSING', wasSent: false });
    expect(server.received).toHaveLength(3);
  });

  it('goes through the one way out (P30)', async () => {
    const { ask } = await provider(says({ content: '{}' }));
    expect(await ask({ baseUrl: 'http://169.254.169.254/v1' })).toMatchObject({
      kind: 'failed',
      reason: 'unreachable',
      outcome: 'failed',
    });
  });
});

describe('the answer of the model driver', { timeout: 120_000 }, () => {
  it('is the text, why it ended and what it cost', async () => {
    const { ask } = await provider(says({ content: '{"a":1}' }));
    expect(await ask()).toEqual({
      kind: 'answered',
      text: '{"a":1}',
      finish: 'stop',
      usage: { inputTokens: 11, outputTokens: 5 },
      tookMs: expect.any(Number) as number,
    });
  });

  it.each<readonly [string, JsonObject, string | undefined, JsonObject]>([
    ['cut off', { content: '{"a":' }, 'length', { text: '{"a":', finish: 'length' }],
    ['filtered', { content: null }, 'content_filter', { text: '', finish: 'refused' }],
    ['a refusal', { content: null, refusal: 'I will not.' }, 'stop', { text: 'I will not.', finish: 'refused' }],
    ['empty', { content: '' }, 'stop', { text: '', finish: 'stop' }],
    [
      'a call of a tool that nobody offered',
      { content: null, tool_calls: [{ id: 't', type: 'function', function: { name: 'delete_all', arguments: '{}' } }] },
      'tool_calls',
      { text: '', finish: 'other' },
    ],
    ['ended in an unheard-of way', { content: 'x' }, 'because', { text: 'x', finish: 'other' }],
  ])('may be %s', async (_what, message, finish, expected) => {
    const { ask } = await provider(says(message, finish));
    expect(await ask()).toMatchObject({ kind: 'answered', ...expected });
  });

  it.each<readonly [string, JsonObject]>([
    ['no count', {}],
    ['counts that are none', { prompt_tokens: -1, completion_tokens: 1.5 }],
  ])('tells no usage where there is %s', async (_what, usage) => {
    const { ask } = await provider(says({ content: '{}' }, 'stop', usage));
    expect(await ask()).toMatchObject({ kind: 'answered', usage: {} });
  });

  it('is not parsed when it is nested beyond all bounds (P20)', async () => {
    const { ask } = await provider(
      (response) => void response.writeHead(200, json).end(`{"choices":[],"more":${'['.repeat(9_000)}${']'.repeat(9_000)}}`),
    );
    expect(await ask()).toMatchObject({
      kind: 'failed',
      outcome: 'unknown',
      message: expect.stringContaining('nested too deep') as unknown,
    });
  });

  it('holds no credential that the model repeats (P31)', async () => {
    const { ask } = await provider(says({ content: '{"key":"sk-canary-123"}' }));
    expect(await ask({ credentialId: 'key' })).toMatchObject({ text: '{"key":"[redacted]"}' });
  });

  it.each<readonly [string, (response: ServerResponse) => void, JsonObject]>([
    ['too many calls', fails(429, { 'retry-after': '7' }), { reason: 'rate-limited', retryAfterMs: 7_000 }],
    ['a wrong key', fails(401), { reason: 'rejected', outcome: 'failed' }],
    ['a question that is refused', fails(400), { reason: 'rejected', outcome: 'failed' }],
    ['a redirect', fails(307, { location: 'http://127.0.0.1:1/' }), { reason: 'unreachable' }],
    ['a provider that is down', fails(503, { 'retry-after': '1' }), { reason: 'unavailable', outcome: 'unknown', retryAfterMs: 1_000 }],
    ['no JSON', (response) => void response.writeHead(200, json).end('<html>'), { reason: 'malformed', outcome: 'unknown' }],
    ['nothing', (response) => void response.writeHead(200, json).end(), { reason: 'malformed' }],
    ['another shape', (response) => void response.writeHead(200, json).end('{"choices":"none"}'), { reason: 'malformed' }],
    ['no choice', (response) => void response.writeHead(200, json).end('{"choices":[]}'), { reason: 'malformed' }],
    ['more than is kept', says({ content: 'x'.repeat(70_000) }), { reason: 'malformed' }],
    ['a broken connection', (response) => void response.socket?.destroy(), { reason: 'unreachable', outcome: 'unknown' }],
  ])('may be %s, and is told without what it says (P31)', async (_what, answer, expected) => {
    const { server, ask } = await provider(answer);
    const result = await ask({ credentialId: 'key' });
    expect(result).toMatchObject({ kind: 'failed', ...expected });
    expect(JSON.stringify(result)).not.toContain('canary');
    expect(server.received).toHaveLength(1); // nothing is repeated here: whoever asked decides
  });

  it('is not waited for longer than the question says, nor longer than anybody wants it (P13)', async () => {
    const { server, ask } = await provider(() => undefined);
    expect(await ask({ timeoutMs: 2_000 })).toMatchObject({ kind: 'failed', reason: 'timeout', outcome: 'unknown' });
    const controller = new AbortController();
    const asked = ask({}, controller.signal);
    await expect.poll(() => server.received.length).toBe(2);
    controller.abort();
    expect(await asked).toMatchObject({ kind: 'failed', reason: 'timeout' });
  });

  it('has an end, though it streams without one (P33)', async () => {
    const { ask } = await provider((response) => {
      response.writeHead(200, json);
      const more = (): void => {
        while (response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', more);
      more();
    });
    expect(await ask()).toMatchObject({ kind: 'failed', reason: 'unreachable', outcome: 'unknown' });
  });

  it('is none where nobody listens', async () => {
    const port = await freePort();
    const driver = createModelDriver({
      dialer: dialer({ allow: [`127.0.0.1:${port}`] }),
      credential: () => Promise.resolve(undefined),
    });
    const result = await perform(driver, { baseUrl: `http://127.0.0.1:${port}` }, new AbortController().signal);
    expect(result).toMatchObject({ kind: 'failed', reason: 'unreachable', outcome: 'failed' });
  });
});

const stock = {
  name: 'stock',
  description: 'How many are left',
  inputSchema: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'], additionalProperties: false },
};
/** A conversation in which a tool was called already, once with an input that is no JSON. */
const conversation: Request['messages'] = [
  { role: 'system', text: 'Help.' },
  { role: 'user', text: 'Is A there, and B?' },
  {
    role: 'assistant',
    text: '',
    calls: [
      { id: 'c1', tool: 'stock', input: '{"sku":"A"}' },
      { id: 'c2', tool: 'stock', input: '{"sku":' },
    ],
  },
  { role: 'tool', id: 'c1', tool: 'stock', output: { left: 3 }, isError: false },
  { role: 'tool', id: 'c2', tool: 'stock', output: 'no JSON', isError: true },
];
const talk: Partial<Request> = { messages: conversation, tools: [stock], output: 'text' };

/** What each provider answers with a call, in its own format, and where it is asked. */
const answers: { readonly [provider in NonNullable<Request['provider']>]: { readonly url: string; readonly body: string } } = {
  'openai-compatible': {
    url: '/v1/chat/completions',
    body: completion(
      { content: 'Looking.', tool_calls: [{ id: 'c3', type: 'function', function: { name: 'stock', arguments: '{"sku":' } }] },
      'tool_calls',
    ),
  },
  openai: {
    url: '/v1/chat/completions',
    body: completion(
      { content: 'Looking.', tool_calls: [{ id: 'c3', type: 'function', function: { name: 'stock', arguments: '{"sku":' } }] },
      'tool_calls',
    ),
  },
  anthropic: {
    url: '/v1/messages',
    body: JSON.stringify({
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'thinking', thinking: 'They want B.', signature: 'signed' },
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 'c3', name: 'stock', input: { sku: 'B' } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 11, output_tokens: 5 },
    }),
  },
  google: {
    url: '/v1/models/small:generateContent',
    body: JSON.stringify({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ text: 'Looking.' }, { functionCall: { name: 'stock', args: { sku: 'B' } }, thoughtSignature: 'signed' }],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 5, totalTokenCount: 16 },
    }),
  },
};
const names = Object.keys(answers) as readonly (keyof typeof answers)[];

describe('tools of a model', { timeout: 120_000 }, () => {
  it.each(names)('are offered to %s and called as data, with the credential of the company alone', async (name) => {
    const { url, body } = answers[name];
    const { server, ask } = await provider((response) => void response.writeHead(200, json).end(body));
    const result = await ask({ ...talk, provider: name, credentialId: 'header' });
    expect(result).toMatchObject({
      kind: 'answered',
      text: 'Looking.',
      finish: 'tools',
      usage: { inputTokens: 11, outputTokens: 5 },
      calls: [{ tool: 'stock', input: expect.stringMatching(/^\{"sku":/) as string }],
    });
    const [sent] = server.received;
    expect([server.received.length, sent?.url]).toEqual([1, url]);
    expect(sent?.headers).toMatchObject({ 'x-api-key': 'sk-canary-456', 'idempotency-key': 'c0ffee' });
    expect(JSON.stringify(sent?.headers)).not.toContain('none');
    expect(sent?.body).toContain('How many are left');
    expect(sent?.body).toContain('"left":3'.replaceAll('"', sent?.body.includes('\\"left') === true ? '\\"' : '"'));
    expect(sent?.body).not.toContain('json_object');
  });

  it.each(['anthropic', 'google'] as const)('go back to %s with what it signed', async (name) => {
    const { server, ask } = await provider((response) => void response.writeHead(200, json).end(answers[name].body));
    const first = (await ask({ ...talk, provider: name })) as Extract<Awaited<ReturnType<typeof ask>>, { kind: 'answered' }>;
    const again: Request['messages'][number] = {
      role: 'assistant',
      text: first.text,
      calls: first.calls ?? [],
      ...(first.kept !== undefined && { kept: first.kept }),
    };
    await ask({
      ...talk,
      provider: name,
      messages: [...conversation, again, { role: 'tool', id: first.calls?.[0]?.id ?? '', tool: 'stock', output: 1, isError: false }],
    });
    expect(server.received[1]?.body).toContain('signed');
  });

  it('are not called by a model that was offered none', async () => {
    const { ask } = await provider((response) => void response.writeHead(200, json).end(answers.anthropic.body));
    expect(await ask({ provider: 'anthropic', messages: conversation.slice(0, 2), output: 'text' })).not.toHaveProperty('calls');
  });

  it.each(names)('fail like any call of %s, which is made once', async (name) => {
    const { server, ask } = await provider(fails(429, { 'retry-after': '7' }));
    expect(await ask({ ...talk, provider: name })).toMatchObject({ kind: 'failed', reason: 'rate-limited', retryAfterMs: 7_000 });
    expect(server.received).toHaveLength(1);
    const html = await provider((response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
    expect(await html.ask({ ...talk, provider: name })).toMatchObject({ kind: 'failed', reason: 'malformed', outcome: 'unknown' });
  });

  it('hold no credential that a model puts into a call (P31)', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'stock', arguments: '{"sku":"sk-canary-123"}' } };
    const { ask } = await provider(says({ content: null, tool_calls: [call] }, 'tool_calls'));
    expect(await ask({ ...talk, credentialId: 'key' })).toMatchObject({ calls: [{ input: '{"sku":"[redacted]"}' }] });
  });

  it('come after the wait that was asked for', async () => {
    const { server } = await provider(says({ content: 'Yes' }));
    const clock = createVirtualClock(0);
    const driver = createModelDriver({ dialer: dialer({ allow: [server.host] }), credential: () => Promise.resolve(undefined), clock });
    const asked = perform(driver, { baseUrl: `http://${server.host}/v1`, afterMs: 2_000 }, new AbortController().signal);
    await expect.poll(() => clock.nextMs()).toBe(2_000);
    clock.advanceBy(1_999);
    expect(server.received).toHaveLength(0);
    clock.advanceBy(1);
    expect(await asked).toMatchObject({ kind: 'answered', text: 'Yes', tookMs: 2_000 });
  });

  it('need the package of their provider', async () => {
    const missing = '@ai-sdk/not-installed';
    await expect(installed(missing, () => import(missing) as Promise<unknown>)).rejects.toThrow(
      'The package @ai-sdk/not-installed is not installed',
    );
  });
});
