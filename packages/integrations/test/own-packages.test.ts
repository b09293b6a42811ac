/**
 * The doubles of providers are asked by the package that each provider publishes itself. What that package reads of a double is what the
 * provider would have said: a double of a wrong shape proves nothing of the drivers that other tests drive with it.
 */
import type { ServerResponse } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawn } from '../../../scripts/vitest/part-of.ts';
import { type HttpServer, startHttp } from '../../drivers/test/local-servers.ts';
import { shapes, streams } from './provider-doubles.ts';

/** What a package reads of an answer. */
interface Read {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly refused: boolean;
  readonly tokens: readonly [input: number | undefined, output: number | undefined];
}

/** A provider as its own package asks it: for an answer, and for a stream of one. */
interface OwnPackage {
  readonly ask: (baseUrl: string) => Promise<Read>;
  readonly stream: (baseUrl: string) => Promise<Pick<Read, 'text' | 'calls'>>;
}

const key = 'sk-canary-123';
const question = 'Is A there?';
const parameters = { type: 'object' as const, properties: { sku: { type: 'string' } } };

const openAi = (baseUrl: string): OpenAI => new OpenAI({ apiKey: key, baseURL: baseUrl, maxRetries: 0 });
const chat: OwnPackage = {
  async ask(baseUrl) {
    const { choices, usage } = await openAi(baseUrl).chat.completions.create({
      model: 'small',
      messages: [{ role: 'user', content: question }],
      tools: [{ type: 'function', function: { name: 'stock', parameters } }],
    });
    const [choice] = choices;
    const calls = choice?.message.tool_calls ?? [];
    return {
      text: choice?.message.content ?? '',
      calls: calls.flatMap((call) =>
        call.type === 'function' ? [{ name: call.function.name, input: JSON.parse(call.function.arguments) as unknown }] : [],
      ),
      refused: choice?.finish_reason === 'content_filter' || (choice?.message.refusal ?? null) !== null,
      tokens: [usage?.prompt_tokens, usage?.completion_tokens],
    };
  },
  async stream(baseUrl) {
    const runner = openAi(baseUrl).chat.completions.stream({ model: 'small', messages: [{ role: 'user', content: question }] });
    const { choices } = await runner.finalChatCompletion();
    const [choice] = choices;
    return {
      text: choice?.message.content ?? '',
      calls: (choice?.message.tool_calls ?? []).flatMap((call) =>
        call.type === 'function' ? [{ name: call.function.name, input: JSON.parse(call.function.arguments) as unknown }] : [],
      ),
    };
  },
};

const anthropic = (baseUrl: string): Anthropic => new Anthropic({ apiKey: key, baseURL: baseUrl.replace(/\/v1$/, ''), maxRetries: 0 });
const messages = {
  model: 'small',
  max_tokens: 64,
  messages: [{ role: 'user' as const, content: question }],
  tools: [{ name: 'stock', input_schema: parameters }],
};
const readBlocks = (content: readonly Anthropic.ContentBlock[]): Pick<Read, 'text' | 'calls'> => ({
  text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
  calls: content.flatMap((block) => (block.type === 'tool_use' ? [{ name: block.name, input: block.input }] : [])),
});

const google = (baseUrl: string): GoogleGenAI =>
  new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: baseUrl.replace(/\/v1$/, ''), apiVersion: 'v1' } });
const contents = {
  model: 'small',
  contents: question,
  config: { tools: [{ functionDeclarations: [{ name: 'stock', parametersJsonSchema: parameters }] }] },
};

/** The double of `openai-compatible` is that of `openai`, whose interface those providers have. */
const packages = {
  openai: chat,
  anthropic: {
    async ask(baseUrl) {
      const { content, stop_reason, usage } = await anthropic(baseUrl).messages.create(messages);
      return { ...readBlocks(content), refused: stop_reason === 'refusal', tokens: [usage.input_tokens, usage.output_tokens] };
    },
    stream: async (baseUrl) => readBlocks((await anthropic(baseUrl).messages.stream(messages).finalMessage()).content),
  },
  google: {
    async ask(baseUrl) {
      const answer = await google(baseUrl).models.generateContent(contents);
      const [candidate] = answer.candidates ?? [];
      return {
        text: (candidate?.content?.parts ?? []).map(({ text = '' }) => text).join(''),
        calls: (answer.functionCalls ?? []).map(({ name = '', args }) => ({ name, input: args })),
        refused: String(candidate?.finishReason) === 'SAFETY' || answer.promptFeedback?.blockReason !== undefined,
        tokens: [answer.usageMetadata?.promptTokenCount, answer.usageMetadata?.candidatesTokenCount],
      };
    },
    async stream(baseUrl) {
      const read: { text: string; readonly calls: { readonly name: string; readonly input: unknown }[] } = { text: '', calls: [] };
      let isWhole = false;
      for await (const part of await google(baseUrl).models.generateContentStream(contents)) {
        read.text += (part.candidates?.[0]?.content?.parts ?? []).map(({ text = '' }) => text).join('');
        read.calls.push(...(part.functionCalls ?? []).map(({ name = '', args }) => ({ name, input: args as unknown })));
        isWhole ||= part.candidates?.[0]?.finishReason !== undefined;
      }
      // This provider has no mark of the end but the reason why it ended.
      if (!isWhole) throw new Error('The stream ended before the answer did');
      return read;
    },
  },
} satisfies { readonly [provider: string]: OwnPackage };
const names = Object.keys(packages) as readonly (keyof typeof packages)[];

/** What the server of this file answers next. */
let answering: (response: ServerResponse) => void = () => undefined;
let server: HttpServer;
let baseUrl = '';
beforeAll(async () => {
  server = await startHttp((_request, response) => {
    response.shouldKeepAlive = false;
    answering(response);
  });
  baseUrl = `http://${server.host}/v1`;
});
afterAll(() => server.close());

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };
const sends =
  (body: object | string, status = 200, headers: { readonly [name: string]: string } = json) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
const writes =
  (pieces: readonly string[], isCut = false) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(pieces.join(''), () => (isCut ? response.socket?.destroy() : response.end()));
  };

const call = { name: 'stock', input: { sku: 'A' } };

describe.each(drawn(names, 2))('the double of %s, as its own package reads it', (name) => {
  const { answer, refusal, error, brokenStream } = shapes[name];
  const { ask, stream } = packages[name];

  it.each([
    ['a text', answer({ text: 'Three.', end: 'stop' }), { text: 'Three.', calls: [], refused: false, tokens: [11, 5] }],
    ['a text cut off', answer({ text: 'Thr', end: 'length' }), { text: 'Thr', calls: [], refused: false }],
    ['a call', answer({ calls: [call], end: 'tools' }), { text: '', calls: [call], refused: false, tokens: [11, 5] }],
    [
      'two calls after a text',
      answer({ text: 'So.', calls: [call, call], end: 'tools' }),
      { text: 'So.', calls: [call, call], refused: false },
    ],
    ['a filtered text', answer({ text: '', end: 'filtered' }), { calls: [], refused: true }],
    ['a refusal', refusal, { calls: [], refused: true }],
  ])('answers %s', async (_what, body, expected) => {
    answering = sends(body);
    expect(await ask(baseUrl)).toMatchObject(expected);
  });

  it.each([
    ['a limit with the seconds to wait', 429, { ...json, 'retry-after': '7' }],
    ['a limit without', 429, json],
    ['a wrong key', 401, json],
    ['no such model', 404, json],
    ['a fault of its own', 500, json],
    ['too much to do', 529, json],
  ])('refuses with %s', async (_what, status, headers) => {
    answering = sends(error(status), status, headers);
    const refused: unknown = await ask(baseUrl).catch((reason: unknown) => reason);
    expect(refused).toMatchObject({ status, message: expect.stringContaining('is over its limit') as unknown });
  });

  it.each<readonly [string, (response: ServerResponse) => void]>([
    ['a page of what stands before it', sends('<html>Just a moment…</html>', 502, html)],
    ['half an answer', sends(JSON.stringify(answer({ text: 'Three.', end: 'stop' })).slice(0, 60))],
    ['nothing', (response) => void response.socket?.destroy()],
  ])('fails with %s', async (_what, broken) => {
    answering = broken;
    await expect(ask(baseUrl)).rejects.toBeInstanceOf(Error);
  });

  it('streams a text, and a call after words', async () => {
    answering = writes(streams[name].says('Three ', 'are left.'));
    expect(await stream(baseUrl)).toMatchObject({ text: 'Three are left.', calls: [] });
    answering = writes(streams[name].calls('Looking.'));
    expect(await stream(baseUrl)).toMatchObject({ text: 'Looking.', calls: [{ name: 'stock', input: { sku: 'B' } }] });
  });

  it('streams nothing whole that is cut off or ends in an error', async () => {
    const pieces = streams[name].says('Three ', 'are left.');
    for (let count = 0; count < pieces.length - 1; count += 1) {
      answering = writes(pieces.slice(0, count), true);
      await expect(stream(baseUrl)).rejects.toBeInstanceOf(Error);
    }
    answering = writes([brokenStream]);
    await expect(stream(baseUrl)).rejects.toBeInstanceOf(Error);
  });
});
