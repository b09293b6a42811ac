import type { JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';

/** A company's account with Stripe, as `credential` of kind `stripe` keeps it. */
const StripeCredential = z.object({
  kind: z.literal('stripe'),
  /** What calls are made with: `sk_…` or `rk_…`. */
  secretKey: z.string().min(1),
  /** What the endpoint's events are signed with: `whsec_…`. */
  webhookSecret: z.string().min(1),
  baseUrl: z.string().default('https://api.stripe.com'),
});
export type StripeCredential = z.output<typeof StripeCredential>;

/** `undefined` for what is no account with Stripe. */
export const readStripeCredential = (credential: JsonObject | undefined): StripeCredential | undefined =>
  StripeCredential.safeParse(credential).data;
