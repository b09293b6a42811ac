import { defineEffect } from '@hilo/engine/contract';
import { z } from 'zod';

/**
 * Opens a checkout in which the user of the execution can pay. The same effect is the same checkout (P4). Its id is the correlation of the
 * signal at its end. `refused` means that there will be none; `failed`, that there was no answer.
 */
export const openCheckout = defineEffect('payment.open', {
  request: z.strictObject({
    /** The credential of the account that is paid; a test without money when left out (PAY-01). */
    credentialId: z.string().exactOptional(),
    /** In the smallest unit of the currency, such as cents. */
    amount: z.int().positive(),
    /** ISO 4217. */
    currency: z.string(),
    description: z.string(),
    /** How long it may be paid. */
    openMs: z.int().positive(),
    /** For the whole call of the provider. */
    timeoutMs: z.int().positive(),
  }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('opened'), checkoutId: z.string(), url: z.string() }),
    z.strictObject({ kind: z.literal('refused'), cause: z.string(), message: z.string() }),
    z.strictObject({
      kind: z.literal('failed'),
      reason: z.enum(['timeout', 'unavailable']),
      message: z.string(),
      /** Whether there may be a checkout all the same (P5). */
      outcome: z.enum(['failed', 'unknown']),
      /** The pause that the provider requests. */
      retryAfterMs: z.int().nonnegative().exactOptional(),
    }),
  ]),
  samples: (_request, { text }) =>
    [
      { kind: 'opened', checkoutId: 'checkout-1', url: 'https://pay.example/checkout-1' },
      { kind: 'refused', cause: 'TEST_LIMIT_REACHED', message: text },
      { kind: 'failed', reason: 'timeout', message: text, outcome: 'unknown' },
    ] as const,
});
