import { defineEffect } from '@hilo/engine/contract';
import { z } from 'zod';

const Tokens = z.int().nonnegative();

/**
 * Calls a language model once, without tools, for an answer in JSON. The answer is unchecked text. `refused` means that the model declined
 * to answer; `rejected`, that its provider refused the request.
 */
export const askModel = defineEffect('model.ask', {
  request: z.strictObject({
    /** Where the provider is; it speaks the wire format of OpenAI's chat completions. */
    baseUrl: z.string(),
    model: z.string(),
    /** What signs the call in; the driver alone sees the secret. */
    credentialId: z.string().exactOptional(),
    messages: z.array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), text: z.string() })).min(1),
    maxOutputTokens: z.int().positive(),
    temperature: z.number().exactOptional(),
    timeoutMs: z.int().positive(),
  }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('answered'),
      text: z.string(),
      finish: z.enum(['stop', 'length', 'refused', 'other']),
      /** As the provider counts them. */
      usage: z.strictObject({ inputTokens: Tokens.exactOptional(), outputTokens: Tokens.exactOptional() }),
      tookMs: z.number().nonnegative(),
    }),
    z.strictObject({
      kind: z.literal('failed'),
      reason: z.enum(['timeout', 'unreachable', 'rate-limited', 'rejected', 'unavailable', 'malformed']),
      message: z.string(),
      /** Whether the model may have worked, and been paid for, all the same (P5). */
      outcome: z.enum(['failed', 'unknown']).exactOptional(),
      retryAfterMs: z.int().nonnegative().exactOptional(),
      tookMs: z.number().nonnegative(),
    }),
  ]),
});
