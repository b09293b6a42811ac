// A server that speaks for Stripe, held to its published description.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { getPath, type JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { type HttpServer, type Received, startHttp } from '../../drivers/test/local-servers.ts';

const schemas = JSON.parse(readFileSync(new URL('stripe-checkout.schema.json', import.meta.url), 'utf8')) as {
  readonly [name in 'request' | 'session' | 'event']: Parameters<typeof z.fromJSONSchema>[0];
};
const Form = z.fromJSONSchema(schemas.request);
const Session = z.fromJSONSchema(schemas.session);
const Event = z.fromJSONSchema(schemas.event);

/** A server that speaks for Stripe, as far as its published description is used. */
export interface FakeStripe extends HttpServer {
  /** Where a credential has to send its calls. */
  readonly baseUrl: string;
  /** Every form that made a session, or asked for it again, with its idempotency key. */
  readonly forms: readonly { readonly key: string; readonly form: JsonObject }[];
  /** The session that was made for a checkout. @throws {Error} when none was */
  sessionOf(checkoutId: string): JsonObject;
}

export const secretKey = 'sk_test_canary_0123456789';
export const webhookSecret = 'whsec_canary_0123456789';

/** @param instead - answers in place of a session, where it gives true */
export async function startStripe(
  instead: (request: Received, response: ServerResponse) => boolean | Promise<boolean> = () => false,
): Promise<FakeStripe> {
  const forms: { key: string; form: JsonObject }[] = [];
  const sessions = new Map<string, { readonly body: string; readonly session: JsonObject }>();
  const server = await startHttp((request, response) => {
    const answer = (status: number, body: JsonObject): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const problem = (status: number, message: string): void => answer(status, { error: { type: 'invalid_request_error', message } });
    const { method, url, headers, body } = request;
    void Promise.resolve(instead(request, response)).then((isAnswered) => {
      if (isAnswered) return;
      if (method !== 'POST' || url !== '/v1/checkout/sessions') return problem(404, `Unrecognized request URL (${method}: ${url})`);
      if (headers.authorization !== `Bearer ${secretKey}`) return problem(401, 'Invalid API Key provided');
      const key = String(headers['idempotency-key'] ?? '');
      const form = nested(body);
      forms.push({ key, form });
      const wrong = Form.safeParse(form).error;
      if (wrong !== undefined) return problem(400, z.prettifyError(wrong));
      const known = sessions.get(key);
      if (known !== undefined)
        return known.body === body
          ? answer(200, known.session)
          : problem(400, 'Keys for idempotent requests can only be used with the same parameters');
      const session = sessionFor(form, sessions.size + 1);
      sessions.set(key, { body, session });
      return answer(200, session);
    });
  });
  return {
    ...server,
    baseUrl: `http://${server.host}`,
    forms,
    sessionOf(checkoutId) {
      const found = [...sessions.values()].find(({ session }) => session['client_reference_id'] === checkoutId);
      if (found === undefined) throw new Error(`No session was made for ${checkoutId}`);
      return found.session;
    },
  };
}

/** A session as Stripe would answer, judged by its own description. */
function sessionFor(form: JsonObject, number: number): JsonObject {
  const id = `cs_test_${number}`;
  const session = {
    id,
    object: 'checkout.session',
    amount_total: Number(getPath(form, ['line_items', '0', 'price_data', 'unit_amount'])),
    client_reference_id: form['client_reference_id'] ?? null,
    currency: getPath(form, ['line_items', '0', 'price_data', 'currency']) ?? null,
    expires_at: 2_000_000_000,
    livemode: false,
    mode: 'payment',
    payment_status: 'unpaid',
    status: 'open',
    url: `https://checkout.stripe.com/c/pay/${id}`,
  };
  Session.parse(session);
  return session;
}

/** An event of a session, as Stripe sends it. */
export function eventOf(
  type: 'completed' | 'async_payment_succeeded' | 'async_payment_failed' | 'expired',
  session: JsonObject,
  {
    id = `evt_${type}`,
    paymentStatus = 'paid',
    atMs = 0,
  }: { readonly id?: string; readonly paymentStatus?: string; readonly atMs?: number } = {},
): JsonObject {
  const event = {
    id,
    object: 'event',
    api_version: '2025-03-31.basil',
    created: Math.floor(atMs / 1_000),
    data: { object: { ...session, payment_status: paymentStatus, status: type === 'expired' ? 'expired' : 'complete' } },
    livemode: false,
    pending_webhooks: 1,
    request: null,
    type: `checkout.session.${type}`,
  };
  Event.parse(event);
  return event;
}

/** What signs a body at an instant. */
export function stripeSignature(body: string, atMs: number, secret: string = webhookSecret): string {
  const timestamp = Math.floor(atMs / 1_000);
  return `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

/** A form with names in brackets as the object it stands for. */
export function nested(form: string): JsonObject {
  const root: { [name: string]: unknown } = {};
  for (const [name, value] of new URLSearchParams(form)) {
    const steps = name.split(/[[\]]+/).filter((step) => step !== '');
    const place = steps.slice(0, -1).reduce((within, step) => (within[step] ??= {}) as typeof root, root);
    place[steps.at(-1) ?? ''] = value;
  }
  return root as JsonObject;
}
