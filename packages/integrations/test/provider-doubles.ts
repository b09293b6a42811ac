/**
 * The doubles of providers of models: what each answers over HTTP, in its own published shape. Tests ask them by the drivers of Hilo, and
 * by the package that each provider publishes itself, which reads the same of them.
 */
import type { JsonObject } from '@hilo/engine/contract';
import type { askModel } from '@hilo/nodes/effects';
import type { z } from 'zod';

export type Provider = NonNullable<z.output<typeof askModel.request>['provider']>;

/** What the model says and calls, and why it ended, in the words of {@link shapes}. */
export interface Said {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: JsonObject }[];
  readonly end: 'stop' | 'length' | 'tools' | 'filtered';
}

/** How a provider writes an answer, a refusal of the request, and the pieces of a stream that ends in an error. */
export interface Shape {
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

export const shapes: { readonly [provider in Provider]: Shape } = {
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
const event = (data: JsonObject): string => `data: ${JSON.stringify(data)}\n\n`;
const named = (data: JsonObject & { readonly type: string }): string => `event: ${data.type}\n${event(data)}`;

/** A chunk of a chat completion. */
export const chunk = (delta: JsonObject, finish: string | null = null, more: JsonObject = {}): string =>
  event({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  });
const counted = { usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 } };
/** The end of a stream of chunks. */
export const done = 'data: [DONE]\n\n';

/** What each provider sends for a reply, and for a call after some words. */
export interface Double {
  readonly path: string;
  readonly says: (...texts: readonly string[]) => readonly string[];
  readonly calls: (text: string) => readonly string[];
}

/** Chat completions, which most providers speak. */
export const completions: Double = {
  path: '/v1/chat/completions',
  says: (...texts) => [...texts.map((content) => chunk({ role: 'assistant', content })), chunk({}, 'stop', counted), done],
  calls: (content) => [
    chunk({ role: 'assistant', content }),
    chunk({ tool_calls: [{ index: 0, id: 'c3', type: 'function', function: { name: 'stock', arguments: '{"sku"' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: ':"B"}' } }] }),
    chunk({}, 'tool_calls', counted),
    done,
  ],
};
const begin = named({
  type: 'message_start',
  message: {
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 11, output_tokens: 1 },
  },
});
const block = (index: number, content: JsonObject, ...deltas: readonly JsonObject[]): readonly string[] => [
  named({ type: 'content_block_start', index, content_block: content }),
  ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
  named({ type: 'content_block_stop', index }),
];
const end = (reason: string): readonly string[] => [
  named({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 5 } }),
  named({ type: 'message_stop' }),
];
const part = (parts: readonly JsonObject[], finish?: string): string =>
  event({
    candidates: [{ content: { role: 'model', parts }, ...(finish !== undefined && { finishReason: finish }) }],
    usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 5, totalTokenCount: 16 },
  });

export const streams: { readonly [provider in Provider]: Double } = {
  'openai-compatible': completions,
  openai: completions,
  anthropic: {
    path: '/v1/messages',
    says: (...texts) => [
      begin,
      ...block(0, { type: 'text', text: '' }, ...texts.map((text) => ({ type: 'text_delta', text }))),
      ...end('end_turn'),
    ],
    calls: (text) => [
      begin,
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'They want B.' },
        { type: 'signature_delta', signature: 'signed' },
      ),
      ...block(1, { type: 'text', text: '' }, { type: 'text_delta', text }),
      ...block(
        2,
        { type: 'tool_use', id: 'c3', name: 'stock', input: {} },
        { type: 'input_json_delta', partial_json: '{"sku"' },
        { type: 'input_json_delta', partial_json: ':"B"}' },
      ),
      ...end('tool_use'),
    ],
  },
  google: {
    path: '/v1/models/small:streamGenerateContent?alt=sse',
    says: (...texts) => texts.map((text, index) => part([{ text }], index === texts.length - 1 ? 'STOP' : undefined)),
    calls: (text) => [
      part([{ text }]),
      part([{ functionCall: { name: 'stock', args: { sku: 'B' } }, thoughtSignature: 'signed' }], 'STOP'),
    ],
  },
};
