import type { JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundDestinations } from '../../drivers/src/index.ts';
import { createStripeProvider } from '../src/index.ts';
import { dialer, during } from '../../drivers/test/dialers.ts';
import { eventOf, nested, secretKey, startStripe, stripeSignature, webhookSecret } from './fake-stripe.ts';
import { freePort } from '../../stores/test/free-port.ts';
import { startHttp, startTcp } from '../../drivers/test/local-servers.ts';

const nowMs = 1_930_000_000_000;
const hourMs = 3_600_000;
const request = {
  checkoutId: 'pay_1',
  amount: 1250,
  currency: 'MXN',
  description: 'Order 7 & more: ñ',
  createdAtMs: nowMs,
  expiresAtMs: nowMs + 2 * hourMs,
  returnUrl: 'https://bots.example/payments/returned',
};
const account = (baseUrl: string): JsonObject => ({ id: 'stripe', kind: 'stripe', secretKey, webhookSecret, baseUrl });
const context = (baseUrl: string) => ({
  credential: account(baseUrl),
  companyId: '1',
  idempotencyKey: 'key-1',
  timeoutMs: 5_000,
});

const providerFor = (host: string) => createStripeProvider({ dialer: boundDestinations(dialer({ allow: [host] })) });

describe('a checkout of Stripe', () => {
  it('is asked for in the form of its published description, under the key of the effect (P4)', async () => {
    const stripe = await during(startStripe());
    const answer = await providerFor(stripe.host).createCheckout(request, context(stripe.baseUrl));
    expect(answer).toEqual({ kind: 'created', reference: 'cs_test_1', url: 'https://checkout.stripe.com/c/pay/cs_test_1' });
    expect(stripe.forms).toEqual([
      {
        key: 'key-1',
        form: {
          mode: 'payment',
          client_reference_id: 'pay_1',
          success_url: request.returnUrl,
          cancel_url: request.returnUrl,
          expires_at: String((nowMs + 2 * hourMs) / 1_000),
          line_items: {
            0: {
              quantity: '1',
              price_data: { currency: 'mxn', unit_amount: '1250', product_data: { name: 'Order 7 & more: ñ' } },
            },
          },
        },
      },
    ]);
    expect(stripe.received[0]?.headers).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': 'key-1' });
  });

  it('is the same when it is asked for again', async () => {
    const stripe = await during(startStripe());
    const provider = providerFor(stripe.host);
    const answers = await Promise.all([1, 2, 3].map(() => provider.createCheckout(request, context(stripe.baseUrl))));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it.each([
    [60_000, 1],
    [hourMs, 1],
    [23 * hourMs, 23],
    [24 * hourMs, undefined],
    [72 * hourMs, undefined],
  ])('that is waited for %i ms is open for %s hours: Stripe takes half an hour to a day', async (openMs, hours) => {
    const stripe = await during(startStripe());
    await providerFor(stripe.host).createCheckout({ ...request, expiresAtMs: nowMs + openMs }, context(stripe.baseUrl));
    expect(stripe.forms[0]?.form['expires_at']).toBe(hours === undefined ? undefined : String((nowMs + hours * hourMs) / 1_000));
  });

  it('is described in any words', async () => {
    const stripe = await during(startStripe());
    const provider = providerFor(stripe.host);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 50 }), fc.nat(), async (description, run) => {
        const answer = await provider.createCheckout({ ...request, description }, { ...context(stripe.baseUrl), idempotencyKey: `${run}` });
        const { body } = stripe.received.at(-1) ?? { body: '' };
        const lines = nested(body)['line_items'] as { readonly 0: { readonly price_data: { readonly product_data: JsonObject } } };
        expect(lines[0].price_data.product_data['name']).toBe(description.toWellFormed());
        expect(answer.kind === 'created' || answer.kind === 'refused').toBe(true); // the same number under other words is refused
      }),
      { numRuns: 20 },
    );
  });

  const answering = (status: number, body: unknown, headers = {}) =>
    during(
      startHttp((_request, response) => response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))),
    );
  const problem = { error: { message: `Amount must be at least 10, said to ${secretKey}` } };

  it.each([
    [
      400,
      problem,
      { kind: 'refused', cause: 'PAYMENT_REFUSED', message: 'Stripe answered 400: Amount must be at least 10, said to [redacted]' },
    ],
    [402, {}, { kind: 'refused', cause: 'PAYMENT_REFUSED', message: 'Stripe answered 402' }],
    [401, problem, { kind: 'refused', cause: 'CREDENTIAL_INVALID' }],
    [403, 'no', { kind: 'refused', cause: 'CREDENTIAL_INVALID', message: 'Stripe answered 403' }],
    [409, problem, { kind: 'failed', reason: 'unavailable', outcome: 'unknown' }],
    [429, problem, { kind: 'failed', reason: 'unavailable', outcome: 'failed', retryAfterMs: 3_000 }],
    [500, '<html>', { kind: 'failed', reason: 'unavailable', outcome: 'unknown', message: 'Stripe answered 500' }],
    [302, '', { kind: 'failed', reason: 'unavailable' }],
    [200, '', { kind: 'failed', outcome: 'unknown', message: 'Stripe answered with something that is no session' }],
    [200, '[1', { kind: 'failed', outcome: 'unknown' }],
    [200, { id: 'cs_1', url: null }, { kind: 'failed', outcome: 'unknown' }],
    [200, { id: 'cs_1', url: 'javascript:alert(1)' }, { kind: 'failed', outcome: 'unknown' }],
    [200, { id: '', url: 'https://checkout.stripe.com/' }, { kind: 'failed', outcome: 'unknown' }],
  ])('that is answered %i %j is none', async (status, body, expected) => {
    const server = await answering(status, body, { 'retry-after': '3', ...(status === 302 && { location: 'https://elsewhere.example/' }) });
    const answer = await providerFor(server.host).createCheckout(request, context(`http://${server.host}`));
    expect(answer).toMatchObject(expected);
    expect(JSON.stringify(answer)).not.toContain(secretKey);
  });

  it('says whether there may be one all the same, when nobody answers (P5)', async () => {
    const silent = await during(startTcp(() => {}));
    expect(await providerFor(silent.host).createCheckout(request, { ...context(`http://${silent.host}`), timeoutMs: 2_000 })).toMatchObject(
      {
        kind: 'failed',
        reason: 'timeout',
        outcome: 'unknown',
      },
    );
    const nobody = `127.0.0.1:${await freePort()}`;
    expect(await providerFor(nobody).createCheckout(request, context(`http://${nobody}`))).toMatchObject({
      kind: 'failed',
      reason: 'unavailable',
      outcome: 'failed',
    });
  });

  it('goes through the one door: an address that is not allowed is not called (P30)', async () => {
    const stripe = await during(startStripe());
    const answer = await providerFor('127.0.0.1:1').createCheckout(request, context(stripe.baseUrl));
    expect(answer).toMatchObject({ kind: 'failed', outcome: 'failed', message: expect.stringContaining('EGRESS_REFUSED') as unknown });
    expect(stripe.received).toEqual([]);
  });

  it.each([{}, { kind: 'basic' }, { kind: 'stripe', secretKey: '', webhookSecret: 'x' }])(
    'is not asked for with %j',
    async (credential) => {
      const answer = await providerFor('127.0.0.1:1').createCheckout(request, { ...context(''), credential });
      expect(answer).toMatchObject({ kind: 'refused', cause: 'CREDENTIAL_INVALID' });
    },
  );
});

describe('a callback of Stripe', () => {
  const provider = createStripeProvider({
    dialer: { request: () => Promise.reject(new Error('Nothing is called')), close: async () => {} },
  });
  const credential = account('https://api.stripe.com');
  const session = {
    id: 'cs_1',
    object: 'checkout.session',
    amount_total: 1250,
    client_reference_id: 'pay_1',
    currency: 'eur',
    expires_at: 1,
    livemode: false,
    mode: 'payment',
    url: null,
  };
  const judged = (body: string, signature: string, more: { readonly credential?: JsonObject | undefined; readonly nowMs?: number } = {}) =>
    provider.verifyCallback({ signature, body: Buffer.from(body), credential, nowMs, ...more });
  const signed = (event: JsonObject) => judged(JSON.stringify(event), stripeSignature(JSON.stringify(event), nowMs));

  it('is known by a signature that Stripe’s own library makes', () => {
    // Made by webhooks.generateTestHeaderString of stripe 23.1.0.
    const body = '{"id":"evt_1","type":"checkout.session.completed","note":"café"}';
    const signature = 't=1930000000,v1=847c0e852636a848557b0c2d4df755ffffdac9f6bdca526f34ab15127e6febdc';
    expect(judged(body, signature, { credential: { ...credential, webhookSecret: 'whsec_test_secret' } }).kind).toBe('unreadable');
    expect(judged(body, signature).kind).toBe('forged');
  });

  it.each([
    ['completed', 'paid', 'approved'],
    ['completed', 'no_payment_required', 'approved'],
    ['completed', 'unpaid', 'pending'],
    ['async_payment_succeeded', 'paid', 'approved'],
    ['async_payment_failed', 'unpaid', 'rejected'],
    ['expired', 'unpaid', 'expired'],
  ] as const)('of the type %s that is %s says %s', (type, paymentStatus, status) => {
    expect(signed(eventOf(type, session, { id: 'evt_1', paymentStatus }))).toEqual({
      kind: 'event',
      eventId: 'evt_1',
      checkoutId: 'pay_1',
      reference: 'cs_1',
      status,
      amount: 1250,
      currency: 'EUR',
    });
  });

  it.each([
    ['another type', { ...eventOf('completed', session), type: 'invoice.paid' }, 'other'],
    ['a type to come', { ...eventOf('completed', session), type: 'checkout.session.tomorrow' }, 'other'],
    ['a session of somebody else', eventOf('completed', { ...session, client_reference_id: null }), 'other'],
    ['no session', { ...eventOf('completed', session), data: { object: 1 } }, 'unreadable'],
    ['no data', { id: 'evt_1', type: 'checkout.session.completed' }, 'unreadable'],
    ['no id', { ...eventOf('completed', session), id: '' }, 'unreadable'],
  ])('with %s is %s', (_what, event, kind) => {
    expect(signed(event as JsonObject).kind).toBe(kind);
  });

  const body = JSON.stringify(eventOf('completed', session));
  const right = stripeSignature(body, nowMs);
  const at = (seconds: number) => stripeSignature(body, nowMs + seconds * 1_000);
  it.each([
    ['nothing', ''],
    ['no timestamp', right.replace(/^t=\d+,/, '')],
    ['another timestamp', right.replace(/^t=\d+/, `t=${nowMs / 1_000 + 1}`)],
    ['a timestamp twice', `${right},t=${nowMs / 1_000 + 1}`],
    ['no number', right.replace(/^t=\d+/, 't=now')],
    ['the older scheme', right.replace('v1=', 'v0=')],
    ['half of it', right.slice(0, -32)],
    ['capitals', right.toUpperCase()],
    ['another secret', stripeSignature(body, nowMs, 'whsec_another')],
    ['an empty secret', stripeSignature(body, nowMs, '')],
    ['another body', stripeSignature(`${body} `, nowMs)],
    ['301 seconds ago', at(-301)],
    ['301 seconds ahead', at(301)],
  ])('that is signed with %s is forged (T5)', (_what, signature) => {
    expect(judged(body, signature).kind).toBe('forged');
  });

  it.each([
    ['300 seconds ago', at(-300)],
    ['300 seconds ahead', at(300)],
    ['two secrets, while one is changed for the other', `${stripeSignature(body, nowMs, 'whsec_old')},${right.replace(/^t=\d+,/, '')}`],
    ['blanks', right.replace(',', ', ')],
  ])('that is signed with %s is taken', (_what, signature) => {
    expect(judged(body, signature).kind).toBe('event');
  });

  it('for an account that nobody has is forged, whatever it is signed with', () => {
    for (const nobody of [undefined, {}, { kind: 'basic', password: webhookSecret }])
      expect(judged(body, right, { credential: nobody }).kind).toBe('forged');
  });

  it('is forged with any other header, and never throws', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^t=\d{1,13}(,v[01]=[0-9a-f]{60,68}){0,20}$/)),
        fc.uint8Array(),
        (signature, bytes) => {
          expect(provider.verifyCallback({ signature, body: bytes, credential, nowMs }).kind).toBe('forged');
        },
      ),
    ));
});
