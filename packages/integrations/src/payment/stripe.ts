import { z } from 'zod';
import { type Dialer, type DialerResponse, isDialerError } from '@hilo/drivers';
import { type DialerError, parseJson, withholdingSecrets } from '@hilo/drivers/kit';
import type { CheckoutAnswer, CheckoutRequest, PaymentProvider } from './payment-provider.ts';
import { readStripeCredential, verifyStripeCallback } from './stripe-callback.ts';

/**
 * Stripe's hosted payment page: Checkout Sessions in the mode `payment`, and the events of their ends. The webhook endpoint needs
 * `checkout.session.completed`, `…async_payment_succeeded`, `…async_payment_failed` and `…expired`. One call through our dialer, instead
 * of Stripe's package, which retries by itself and has its own connections.
 */
export const createStripeProvider = ({ dialer }: { readonly dialer: Dialer }): PaymentProvider => ({
  signatureHeader: 'stripe-signature',
  async createCheckout(request, { credential, companyId, idempotencyKey, timeoutMs, signal }) {
    const account = readStripeCredential(credential);
    if (account === undefined) return refusal('CREDENTIAL_INVALID', 'The credential is no account with Stripe');
    const { secretKey, baseUrl } = account;
    try {
      const answer = await dialer.request({
        method: 'POST',
        url: `${baseUrl.replace(/(?<!\/)\/+$/, '')}/v1/checkout/sessions`,
        headers: {
          authorization: `Bearer ${secretKey}`,
          'content-type': 'application/x-www-form-urlencoded',
          'idempotency-key': idempotencyKey,
        },
        body: sessionForm(request).toString(),
        timeoutMs,
        maxBytes,
        maxRedirects: 0,
        signal,
        scope: companyId,
      });
      return readAnswer(answer, withholdingSecrets([secretKey]).text);
    } catch (error) {
      if (isDialerError(error)) return unreachable(error);
      throw error;
    }
  },
  verifyCallback: verifyStripeCallback,
});

/** The most bytes of an answer: a session is some kilobytes. */
const maxBytes = 256 * 1024;
const minuteMs = 60_000;

/**
 * Stripe's shortest expiry of a session is half an hour. An hour leaves a retried node time to request the same session: another request
 * under the same key would be refused.
 */
const minOpenMs = 60 * minuteMs;
/** Its longest expiry is a day, which is also its default. */
const maxOpenMs = 24 * 60 * minuteMs;

/** A session as Stripe's interface wants it: names in brackets, the currency in small letters, instants in seconds. */
function sessionForm(request: CheckoutRequest): URLSearchParams {
  const { checkoutId, amount, currency, description, createdAtMs, expiresAtMs, returnUrl } = request;
  const openMs = Math.max(expiresAtMs - createdAtMs, minOpenMs);
  return new URLSearchParams({
    mode: 'payment',
    client_reference_id: checkoutId,
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': currency.toLowerCase(),
    'line_items[0][price_data][unit_amount]': String(amount),
    'line_items[0][price_data][product_data][name]': description.toWellFormed(),
    success_url: returnUrl,
    cancel_url: returnUrl,
    ...(openMs < maxOpenMs && { expires_at: String(Math.ceil((createdAtMs + openMs) / 1_000)) }),
  });
}

const Session = z.object({ id: z.string().min(1).max(255), url: z.url({ protocol: /^https?$/ }).max(2_048) });
const Problem = z.object({ error: z.object({ message: z.string() }) });

function readAnswer({ status, body, retryAfterMs }: DialerResponse, withhold: (text: string) => string): CheckoutAnswer {
  const json = parseJson(Buffer.from(body).toString('utf8'));
  if (status >= 200 && status < 300) {
    const { data } = Session.safeParse(json);
    if (data !== undefined) return { kind: 'created', reference: withhold(data.id), url: withhold(data.url) };
    return failed('unavailable', 'Stripe answered with something that is no session', 'unknown');
  }
  const said = Problem.safeParse(json).data?.error.message;
  const message = `Stripe answered ${status}${said === undefined ? '' : `: ${withhold(said).slice(0, maxMessageChars)}`}`;
  if (status === 401 || status === 403) return refusal('CREDENTIAL_INVALID', message);
  if (status === 429) return failed('unavailable', message, 'failed', retryAfterMs);
  // 409: another request with this key is under way; it is the same one (P4).
  if (status >= 400 && status < 500 && status !== 409) return refusal('PAYMENT_REFUSED', message);
  return failed('unavailable', message, 'unknown', retryAfterMs);
}

const maxMessageChars = 500;

const unreachable = ({ code, message, wasSent, retryAfterMs }: DialerError): CheckoutAnswer =>
  failed(code === 'TIMEOUT' ? 'timeout' : 'unavailable', `${message} (${code})`, wasSent ? 'unknown' : 'failed', retryAfterMs);

const refusal = (cause: 'CREDENTIAL_INVALID' | 'PAYMENT_REFUSED', message: string): CheckoutAnswer => ({ kind: 'refused', cause, message });

const failed = (
  reason: 'timeout' | 'unavailable',
  message: string,
  outcome: 'failed' | 'unknown',
  retryAfterMs?: number,
): CheckoutAnswer => ({ kind: 'failed', reason, message, outcome, ...(retryAfterMs !== undefined && { retryAfterMs }) });
