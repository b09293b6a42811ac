import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { parseJson } from '@hilo/drivers/kit';
import type { Callback, CallbackRequest, PaymentStatus } from './payment-provider.ts';

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

/** `undefined` for anything but an account with Stripe. */
export const readStripeCredential = (credential: JsonObject | undefined): StripeCredential | undefined =>
  StripeCredential.safeParse(credential).data;

/** How old, or how far ahead, a callback may be: what Stripe's own libraries allow. */
const toleranceMs = 300_000;

/** Secrets that are being changed sign side by side; more than these is noise. */
const maxSignatures = 16;

/**
 * Judges a callback by its `Stripe-Signature: t=…,v1=…`: the HMAC-SHA256, under the endpoint's secret, of the timestamp, a
 * point and the body.
 */
export function verifyStripeCallback({ signature, body, credential, nowMs }: CallbackRequest): Callback {
  const secret = readStripeCredential(credential)?.webhookSecret;
  const { timestamp, signatures } = parseSignature(signature);
  if (secret === undefined || timestamp === undefined) return { kind: 'forged' };
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  if (!signatures.some((given) => timingSafeEqual(given, expected))) return { kind: 'forged' };
  return Math.abs(nowMs - Number(timestamp) * 1_000) <= toleranceMs ? readEvent(body) : { kind: 'forged' };
}

/** The timestamp as it is signed, and the signatures of the one scheme that counts. */
function parseSignature(header: string): { readonly timestamp: string | undefined; readonly signatures: readonly Buffer[] } {
  const parts = header.split(',').map((part) => part.trim());
  const timestamp = parts.flatMap((part) => /^t=(\d{1,12})$/.exec(part)?.[1] ?? []).at(-1);
  const signatures = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/.exec(part)?.[1] ?? []).slice(0, maxSignatures);
  return { timestamp, signatures: signatures.map((hex) => Buffer.from(hex, 'hex')) };
}

const Session = z.object({
  id: z.string().min(1).max(255),
  client_reference_id: z.string().nullish(),
  payment_status: z.string().nullish(),
  amount_total: z.int().nullish(),
  currency: z.string().nullish(),
});

const Event = z.object({ id: z.string().min(1).max(255), type: z.string(), data: z.object({ object: z.unknown() }) });

function readEvent(body: Uint8Array): Callback {
  const { data: event } = Event.safeParse(parseJson(Buffer.from(body).toString('utf8')));
  if (event === undefined) return { kind: 'unreadable' };
  if (!event.type.startsWith('checkout.session.')) return { kind: 'other' };
  const { data: session } = Session.safeParse(event.data.object);
  if (session === undefined) return { kind: 'unreadable' };
  const status = classifyStatus(event.type, session.payment_status);
  const checkoutId = session.client_reference_id ?? '';
  if (status === undefined || checkoutId === '') return { kind: 'other' };
  const [amount, currency] = [session.amount_total ?? undefined, session.currency?.toUpperCase()];
  return { kind: 'event', eventId: event.id, checkoutId, reference: session.id, status, amount, currency };
}

/** A session may be complete before the money has arrived: then another event reports how that ended. */
function classifyStatus(type: string, paymentStatus: string | null | undefined): PaymentStatus | undefined {
  switch (type) {
    case 'checkout.session.completed':
      return paymentStatus === 'paid' || paymentStatus === 'no_payment_required' ? 'approved' : 'pending';
    case 'checkout.session.async_payment_succeeded':
      return 'approved';
    case 'checkout.session.async_payment_failed':
      return 'rejected';
    case 'checkout.session.expired':
      return 'expired';
    default:
      return undefined;
  }
}
