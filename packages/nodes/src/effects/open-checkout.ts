import { defineEffect } from '@hilo/engine/contract';
import { z } from 'zod';

/**
 * Opens a checkout where the user of the execution can pay. The same effect again is the same checkout (P4). Its id is what
 * its end is signalled with. `refused` says that there will be none; `failed`, that there was no answer to be had.
 */
export const openCheckout = defineEffect('payment.open', {
  request: z.strictObject({
    /** Who takes the money; a test that takes none, where left out (PAY-01). */
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
      /** How long the provider asks to be left alone. */
      retryAfterMs: z.int().nonnegative().exactOptional(),
    }),
  ]),
});
