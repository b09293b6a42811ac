/** The one effect by which `ai-task`, `decide` and `agent` ask a language model. */
import { defineEffect, Json } from '@hilo/engine/contract';
import { z } from 'zod';
import { answersToInstructions, samplesOfSchema } from './schema-samples.ts';

const Tokens = z.int().nonnegative();

/** A call of a tool: `input` is the text of the model as it is, which may be no JSON. */
const Call = z.strictObject({ id: z.string(), tool: z.string(), input: z.string() });

/** A part of the conversation with a model. */
export const Part = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'user']), text: z.string() }),
  z.strictObject({
    role: z.literal('assistant'),
    text: z.string(),
    calls: z.array(Call).exactOptional(),
    /** What the provider wants back of its own answer, such as signed thoughts. */
    kept: Json.exactOptional(),
  }),
  z.strictObject({ role: z.literal('tool'), id: z.string(), tool: z.string(), output: Json, isError: z.boolean() }),
]);

export const modelProviders = ['openai-compatible', 'openai', 'anthropic', 'google'] as const;

/**
 * Calls a language model once. The answer is unchecked text, and calls of the tools that were offered. `refused` means that the model
 * declined to answer; `rejected`, that its provider refused the request; `provider-missing`, that the package for the provider is not
 * installed.
 */
export const askModel = defineEffect('model.ask', {
  request: z.strictObject({
    /** The wire format; that of OpenAI's chat completions, which most providers speak, when left out. */
    provider: z.enum(modelProviders).exactOptional(),
    baseUrl: z.string(),
    model: z.string(),
    /** What signs the call in; the driver alone sees the secret. */
    credentialId: z.string().exactOptional(),
    messages: z.array(Part).min(1),
    /** Tools that the model may call; it calls none, when left out. */
    tools: z.array(z.strictObject({ name: z.string(), description: z.string(), inputSchema: Json })).exactOptional(),
    toolChoice: z.enum(['auto', 'required', 'none']).exactOptional(),
    /** Whether the text of the answer is JSON; it is, when left out. */
    output: z.enum(['json', 'text']).exactOptional(),
    /** Whether the text is shown to others while the model writes it; it comes whole, when left out. */
    stream: z.literal(true).exactOptional(),
    /** How long to wait before the call, in milliseconds. */
    afterMs: z.int().min(0).max(20_000).exactOptional(),
    maxOutputTokens: z.int().positive(),
    temperature: z.number().exactOptional(),
    timeoutMs: z.int().positive(),
  }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('answered'),
      text: z.string(),
      calls: z.array(Call).exactOptional(),
      kept: Json.exactOptional(),
      finish: z.enum(['stop', 'length', 'refused', 'tools', 'other']),
      /** As the provider counts them. */
      usage: z.strictObject({ inputTokens: Tokens.exactOptional(), outputTokens: Tokens.exactOptional() }),
      tookMs: z.number().nonnegative(),
    }),
    z.strictObject({
      kind: z.literal('failed'),
      reason: z.enum(['timeout', 'unreachable', 'rate-limited', 'rejected', 'unavailable', 'malformed', 'provider-missing']),
      message: z.string(),
      /** Whether the model may have worked, and been paid for, all the same (P5). */
      outcome: z.enum(['failed', 'unknown']).exactOptional(),
      retryAfterMs: z.int().nonnegative().exactOptional(),
      tookMs: z.number().nonnegative(),
    }),
  ]),
  samples: ({ messages: [first], tools = [] }, { values, text }) => [
    // An exit comes first: with the first sample, a conversation ends.
    ...tools
      .toSorted((one, other) => Number(other.name.startsWith('exit_')) - Number(one.name.startsWith('exit_')))
      .flatMap(({ name, inputSchema }) =>
        samplesOfSchema(inputSchema, values).map((input) => ({
          ...answered,
          text: '',
          calls: callOf(name, input),
          finish: 'tools' as const,
        })),
      ),
    ...answersToInstructions(first?.role === 'system' ? first.text : '', values).map((said) => ({ ...answered, text: said })),
    { ...answered, text: 'This is no JSON' },
    { ...answered, text: '', finish: 'refused' as const },
    { kind: 'failed', reason: 'timeout', message: text, tookMs: 0 } as const,
    { kind: 'failed', reason: 'rejected', message: text, tookMs: 0 } as const,
  ],
});

const answered = { kind: 'answered', finish: 'stop', usage: {}, tookMs: 0 } as const;

const callOf = (tool: string, input: Json): z.output<typeof Call>[] => [{ id: 'call-1', tool, input: JSON.stringify(input) }];
