/** Providers of models, each through its package for the AI SDK: one interface, of which this file alone knows the version. */
import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import { isJsonObject, type Json, type JsonObject, limits, parseForeignJson, seenText } from '@hilo/engine/contract';
import type { askModel } from '@hilo/nodes/effects';
import { z } from 'zod';
import type { DialerFetch } from './dialer-fetch.ts';
import { seenSchema, seenValue } from './seen-text.ts';

/** What all packages return: the interface of the AI SDK for a model. */
type LanguageModel = Pick<ReturnType<OpenAICompatibleProvider['chatModel']>, 'doGenerate' | 'doStream'>;
type CallOptions = Parameters<LanguageModel['doGenerate']>[0];
type Message = CallOptions['prompt'][number];
type Generated = Pick<Awaited<ReturnType<LanguageModel['doGenerate']>>, 'content' | 'finishReason' | 'usage'>;
type Content = Generated['content'][number];

type ModelRequest = z.output<typeof askModel.request>;
type Part = ModelRequest['messages'][number];
export type Answered = Omit<Extract<z.output<typeof askModel.result>, { readonly kind: 'answered' }>, 'tookMs'>;

/** The package of a provider is not installed. */
export class ProviderMissing extends Error {
  constructor(name: string) {
    super(`The package ${name} is not installed: install it beside @hilo/drivers, or use a provider that speaks the format of OpenAI`);
  }
}

/** What a package demands for a key; the header with it is removed before the call. */
const apiKey = 'none';

type Load = (baseURL: string, fetch: DialerFetch['fetch'], model: string) => Promise<LanguageModel>;

/** Each package is loaded by the first call of its provider. All but the first are optional. */
const providers: { readonly [provider in NonNullable<ModelRequest['provider']>]: Load } = {
  async 'openai-compatible'(baseURL, fetch, model) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({ name: 'hilo', baseURL, fetch, includeUsage: true }).chatModel(model);
  },
  async openai(baseURL, fetch, model) {
    const { createOpenAI } = await installed('@ai-sdk/openai', () => import('@ai-sdk/openai'));
    return createOpenAI({ apiKey, baseURL, fetch }).chat(model);
  },
  async anthropic(baseURL, fetch, model) {
    const { createAnthropic } = await installed('@ai-sdk/anthropic', () => import('@ai-sdk/anthropic'));
    return createAnthropic({ apiKey, baseURL, fetch })(model);
  },
  async google(baseURL, fetch, model) {
    const { createGoogleGenerativeAI } = await installed('@ai-sdk/google', () => import('@ai-sdk/google'));
    return createGoogleGenerativeAI({ apiKey, baseURL, fetch })(model);
  },
};

/** @throws {ProviderMissing} when there is no such package */
export async function installed<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') throw new ProviderMissing(name);
    throw error;
  }
}

/** Hears what a model writes, as it comes. */
export interface Follower {
  /** A piece of the text. */
  onText(text: string): void;
  /** A call of a tool begins: the text before it is no reply. */
  onCall(): void;
}

/**
 * Calls the model once, through the package of its provider.
 *
 * @param follower - of an answer that is read while it comes; where left out, it comes whole
 * @throws what the package throws, and {@link ProviderMissing}
 */
export async function generate(request: ModelRequest, fetch: DialerFetch['fetch'], follower?: Follower): Promise<Answered> {
  const { provider = 'openai-compatible', baseUrl, model } = request;
  const loaded = await providers[provider](baseUrl, fetch, model);
  if (follower !== undefined) return generateStreamed(loaded, request, follower);
  const { response, ...generated } = await loaded.doGenerate(createCall(request));
  const { content, finishReason } = generated;
  // What has neither content nor a reason to end is an answer of something else, which a lenient package takes for an empty one.
  const isAnswer = content.length > 0 || finishReason.raw !== undefined || finishReason.unified === 'content-filter';
  if (!isAnswer) throw new Error('This is no answer of a model');
  return readGenerated(request, generated, readRefusal(response?.body));
}

function readGenerated({ tools }: ModelRequest, { content, finishReason, usage }: Generated, refusal: string | undefined): Answered {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const calls = tools === undefined ? [] : readCalls(content);
  const kept = calls.length === 0 ? undefined : keepParts(content);
  const tokens = { inputTokens: usage.inputTokens.total, outputTokens: usage.outputTokens.total };
  return {
    kind: 'answered',
    text: refusal ?? text,
    ...(calls.length > 0 && { calls }),
    ...(kept !== undefined && { kept }),
    finish: refusal !== undefined ? 'refused' : calls.length > 0 ? 'tools' : (finishes[finishReason.unified] ?? 'other'),
    usage: Object.fromEntries(Object.entries(tokens).filter(([, count]) => Tokens.safeParse(count).success)),
  };
}

/** The same answer, read while it comes. @throws where the stream ends before the provider has said how the answer ends */
async function generateStreamed(loaded: LanguageModel, request: ModelRequest, { onText, onCall }: Follower): Promise<Answered> {
  const { stream } = await loaded.doStream({ ...createCall(request), includeRawChunks: true });
  const thoughts = new Map<string, Extract<Content, { readonly type: 'reasoning' }>>();
  const calls: Content[] = [];
  let [text, refusal] = ['', ''];
  for await (const part of stream) {
    switch (part.type) {
      case 'raw':
        refusal += RefusalDelta.safeParse(part.rawValue).data?.choices[0]?.delta.refusal ?? '';
        break;
      case 'text-delta':
        text += part.delta;
        if (text.length > limits.valueBytes) throw new Error('The model wrote more than is kept');
        onText(part.delta);
        break;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end': {
        const { text: before = '', providerMetadata: known } = thoughts.get(part.id) ?? {};
        const providerMetadata = part.providerMetadata ?? known;
        const thought = before + (part.type === 'reasoning-delta' ? part.delta : '');
        thoughts.set(part.id, { type: 'reasoning', text: thought, ...(providerMetadata !== undefined && { providerMetadata }) });
        break;
      }
      case 'tool-input-start':
      case 'tool-call':
        onCall();
        if (part.type === 'tool-call') calls.push(part);
        break;
      case 'error':
        throw part.error;
      case 'finish': {
        if (part.finishReason.raw === undefined) throw new Error('The stream was cut off');
        const content = [...thoughts.values(), { type: 'text' as const, text }, ...calls];
        return readGenerated(
          request,
          { content, finishReason: part.finishReason, usage: part.usage },
          refusal === '' ? undefined : refusal,
        );
      }
      default:
    }
  }
  throw new Error('The stream was cut off');
}

function createCall({ messages, tools, toolChoice, output, maxOutputTokens, temperature }: ModelRequest): CallOptions {
  const offered = tools?.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    name,
    description: description && seenText(description),
    inputSchema: isJsonObject(inputSchema) ? { ...seenSchema(inputSchema) } : {},
  }));
  return {
    prompt: joinTools(messages.map(createMessage)),
    maxOutputTokens,
    ...(output !== 'text' && { responseFormat: { type: 'json' } }),
    ...(offered !== undefined && offered.length > 0 && { tools: offered, toolChoice: { type: toolChoice ?? 'auto' } }),
    ...(temperature !== undefined && { temperature }),
  };
}

function createMessage(part: Part): Message {
  switch (part.role) {
    case 'system':
      return { role: 'system', content: seenText(part.text) };
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: seenText(part.text) }] };
    case 'assistant': {
      const kept = Kept.safeParse(part.kept).data ?? { thoughts: [], calls: {} };
      return {
        role: 'assistant',
        content: [
          ...kept.thoughts.map(({ text, options }) => ({ type: 'reasoning' as const, text, providerOptions: options })),
          ...(part.text === '' && part.calls !== undefined ? [] : [{ type: 'text' as const, text: part.text }]),
          ...(part.calls ?? []).map(({ id, tool, input }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: tool,
            input: readInput(input),
            ...(kept.calls[id] !== undefined && { providerOptions: kept.calls[id] }),
          })),
        ],
      };
    }
    case 'tool': {
      const output = { type: part.isError ? ('error-json' as const) : ('json' as const), value: seenValue(part.output) };
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId: part.id, toolName: part.tool, output }] };
    }
  }
}

/** Outputs that follow each other are one message: a provider wants those of all calls of an answer at once. */
function joinTools(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === 'tool' && last?.role === 'tool')
      joined[joined.length - 1] = { ...last, content: [...last.content, ...message.content] };
    else joined.push(message);
  }
  return joined;
}

/** The input of an earlier call. One that was no JSON object is shown as an empty one: its output says what was wrong. */
function readInput(input: string): JsonObject {
  const value = parseForeignJson(input, limits);
  return isJsonObject(value) ? value : {};
}

const readCalls = (content: readonly Content[]): NonNullable<Answered['calls']> =>
  content.flatMap((part) => (part.type === 'tool-call' ? [{ id: part.toolCallId, tool: part.toolName, input: part.input }] : []));

const Options = z.record(z.string(), z.record(z.string(), z.json()));
/** The parts of an answer that its provider wants back. */
const Kept = z.object({
  thoughts: z.array(z.object({ text: z.string(), options: Options })),
  calls: z.record(z.string(), Options),
});

/** More than this is not kept: the model then thinks anew. */
const maxKeptBytes = 16 * 1024;

function keepParts(content: readonly Content[]): Json | undefined {
  const kept = Kept.safeParse({
    thoughts: content.flatMap((part) =>
      part.type === 'reasoning' && part.providerMetadata !== undefined ? [{ text: part.text, options: part.providerMetadata }] : [],
    ),
    calls: Object.fromEntries(
      content.flatMap((part) =>
        part.type === 'tool-call' && part.providerMetadata !== undefined ? [[part.toolCallId, part.providerMetadata]] : [],
      ),
    ),
  }).data;
  if (kept === undefined || (kept.thoughts.length === 0 && Object.keys(kept.calls).length === 0)) return undefined;
  return Buffer.byteLength(JSON.stringify(kept)) > maxKeptBytes ? undefined : kept;
}

const Tokens = z.int().nonnegative();

const finishes: { readonly [reason: string]: Answered['finish'] | undefined } = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'refused',
};

const RefusalDelta = z.object({ choices: z.array(z.object({ delta: z.object({ refusal: z.string() }) })).min(1) });
const Refusal = z.object({ choices: z.array(z.object({ message: z.object({ refusal: z.string().min(1) }) })).min(1) });

/** The model's refusal, which the package for OpenAI's format does not report. */
const readRefusal = (body: unknown): string | undefined => Refusal.safeParse(body).data?.choices[0]?.message.refusal;
