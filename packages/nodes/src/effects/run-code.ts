import { defineEffect, Json } from '@hilo/engine/contract';
import { z } from 'zod';

/**
 * Runs JavaScript of a canvas in a sandbox. It computes and has no side effects, so that a failed run may be repeated. `broken` means that
 * the code itself failed, `result` that it returned something other than JSON.
 */
export const runCode = defineEffect('code.run', {
  request: z.strictObject({
    /** The body of a function of `input`. */
    source: z.string(),
    input: z.record(z.string(), Json),
    /** The time that the code sees, in milliseconds since the Unix epoch. */
    nowMs: z.number(),
    /** What its random numbers derive from: 32 bits. */
    seed: z.int().nonnegative(),
    timeoutMs: z.int().positive(),
    memoryMb: z.int().positive(),
  }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('returned'), value: Json }),
    z.strictObject({
      kind: z.literal('failed'),
      reason: z.enum(['broken', 'timeout', 'memory', 'result', 'unavailable']),
      message: z.string(),
      /** The line of the source, from 1. */
      line: z.int().positive().exactOptional(),
      /** How long to wait before another try. */
      retryAfterMs: z.int().nonnegative().exactOptional(),
    }),
  ]),
  samples: (_request, { values, text }) =>
    [
      ...values.map((value) => ({ kind: 'returned', value }) as const),
      { kind: 'failed', reason: 'broken', message: text },
      { kind: 'failed', reason: 'timeout', message: text },
    ] as const,
});
