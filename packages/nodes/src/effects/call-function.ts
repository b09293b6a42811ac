import { defineEffect, Json } from '@hilo/engine/contract';
import { z } from 'zod';

/**
 * Calls a deployed function of the company. `threw` means that the function itself failed; `crash` and `memory`, that its process ended
 * before it answered.
 */
export const callFunction = defineEffect('function.call', {
  request: z.strictObject({
    functionId: z.string(),
    body: Json,
    /** The tool of the function to call, where it has several. */
    tool: z.string().exactOptional(),
    /** For the whole call, the start of the function counted. */
    timeoutMs: z.int().positive(),
  }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('returned'), value: Json }),
    z.strictObject({
      kind: z.literal('failed'),
      reason: z.enum(['not-found', 'threw', 'timeout', 'crash', 'memory', 'unavailable']),
      message: z.string(),
      /** Whether the function may have done its work all the same (P5). */
      outcome: z.enum(['failed', 'unknown']).exactOptional(),
      /** The requested pause before another call. */
      retryAfterMs: z.int().nonnegative().exactOptional(),
    }),
  ]),
  samples: (_request, { values, text }) =>
    [
      ...values.map((value) => ({ kind: 'returned', value }) as const),
      { kind: 'failed', reason: 'threw', message: text },
      { kind: 'failed', reason: 'timeout', message: text },
    ] as const,
});
