import type { JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { eventOf, secretKey, startStripe, stripeSignature } from '../../../integrations/test/fake-stripe.ts';
import { withPlace } from '../data/open-for-test.ts';
import { describeOverEachStore } from '../rest/each-store.ts';
import { accountWith, noPayment, openShop, payCanvas, shopWorkspace, withStripe } from './payments-stage.ts';
import { answered, type Instead, success, withShop } from './stripe-stage.ts';

describeOverEachStore('a payment by Stripe', (on) => {
  it(
    'is a page of Stripe, and ends by a signed event',
    on(
      withShop(async ({ shop, stripe, session }) => {
        await shop.writes('pay');
        expect(await shop.link()).toBe('https://checkout.stripe.com/c/pay/cs_test_1');
        const [payment] = await shop.payments();
        expect(payment).toMatchObject({ provider: 'stripe', credentialId: 'stripe', status: 'open', reference: 'cs_test_1', isLate: null });
        expect(stripe.forms).toMatchObject([
          { form: { client_reference_id: payment?.checkoutId, success_url: 'https://bots.example/hilo/payments/returned' } },
        ]);
        expect((await shop.ask('GET', '/payments/returned')).text).toContain('go back to the conversation');
        expect(await shop.got()).toHaveLength(1);
        expect(answered(await shop.told(eventOf('completed', await session())))).toEqual(success);
        await expect.poll(() => shop.got()).toEqual([expect.anything(), 'approved 1250']);
        expect(await shop.payments()).toMatchObject([{ status: 'approved', isLate: false }]);
      }),
    ),
    120_000,
  );

  it(
    'applies an event once, however often and concurrently it comes (P10)',
    on(
      withShop(async ({ shop, session }) => {
        await shop.writes('pay');
        const event = eventOf('completed', await session());
        const answers = await Promise.all(Array.from({ length: 6 }, () => shop.told(event)));
        const bodies = answers.map((answer) => answered(answer));
        expect(bodies.filter(({ body }) => JSON.stringify(body) === '{"success":true}')).toHaveLength(1);
        expect(bodies.filter(({ body }) => JSON.stringify(body) === '{"success":true,"duplicate":true}')).toHaveLength(5);
        await expect.poll(() => shop.got()).toEqual([expect.anything(), 'approved 1250']);
        expect(answered(await shop.told(event))).toMatchObject({ body: { duplicate: true } });
        expect(await shop.got()).toHaveLength(2);
      }),
    ),
    120_000,
  );

  it(
    'has one end: later events are stored beside it',
    on(
      withShop(async ({ shop, session }) => {
        await shop.writes('pay');
        const [first, second] = [eventOf('async_payment_failed', await session()), eventOf('async_payment_succeeded', await session())];
        const answers = await Promise.all([shop.told(first), shop.told(second)]);
        expect(answers.map(answered)).toEqual([success, success]);
        await expect.poll(() => shop.got()).toHaveLength(2);
        const [{ status, checkoutId } = noPayment] = await shop.payments();
        expect(await shop.got()).toEqual([expect.anything(), status === 'approved' ? 'approved 1250' : 'rejected']);
        const { events } = (await shop.shows(`/payments/${checkoutId}?companyId=1`)) as { events: readonly { status: string }[] };
        expect(events.map((event) => event.status).toSorted((a, b) => a.localeCompare(b))).toEqual(['approved', 'rejected']);
      }),
    ),
    120_000,
  );
});

describe('an event of Stripe', () => {
  it(
    'that reports a payment in progress does not end the wait when "pending" is not connected',
    withPlace(
      withShop(async ({ shop, session }) => {
        await shop.writes('pay');
        await shop.told(eventOf('completed', await session(), { paymentStatus: 'unpaid' }));
        await expect.poll(async () => (await shop.payments())[0]).toMatchObject({ status: 'pending', isLate: false });
        expect(await shop.got()).toHaveLength(1);
        await shop.told(eventOf('async_payment_succeeded', await session()));
        await expect.poll(() => shop.got()).toEqual([expect.anything(), 'approved 1250']);
      }),
    ),
  );

  it(
    'that ends a payment after the flow left by "pending" is stored as late, and resumes nothing',
    withPlace(
      withShop(
        async ({ shop, session }) => {
          await shop.writes('pay');
          await shop.told(eventOf('completed', await session(), { paymentStatus: 'unpaid' }));
          await expect.poll(() => shop.got()).toEqual([expect.anything(), 'pending']);
          await shop.told(eventOf('async_payment_succeeded', await session()));
          await expect.poll(async () => (await shop.payments())[0]).toMatchObject({ status: 'approved', isLate: true });
          expect(await shop.got()).toHaveLength(2);
        },
        { canvas: payCanvas(withStripe, ['pending', 'expired', 'error']) },
      ),
    ),
  );

  it(
    'that approves after the time is over is kept as late, and leads nowhere (P11)',
    withPlace(
      withShop(
        async ({ shop, session, place }) => {
          await shop.writes('pay');
          place.clock.advanceBy(60_000);
          await expect.poll(() => shop.got()).toEqual([expect.anything(), 'expired']);
          expect(answered(await shop.told(eventOf('completed', await session())))).toEqual(success);
          await expect.poll(async () => (await shop.payments())[0]).toMatchObject({ status: 'approved', isLate: true });
          const { results } = await shop.service.store.executions.list('1', { limit: 9 });
          expect(results.map(({ state }) => state.status)).toEqual(['completed']);
          expect(await shop.got()).toHaveLength(2);
        },
        { canvas: payCanvas({ ...withStripe, timeout: 'PT1M' }) },
      ),
    ),
  );

  it(
    'of a session that expired ends the wait',
    withPlace(
      withShop(async ({ shop, session }) => {
        await shop.writes('pay');
        await shop.told(eventOf('expired', await session()));
        await expect.poll(() => shop.got()).toEqual([expect.anything(), 'expired']);
      }),
    ),
  );

  it('is applied even before Stripe’s own answer', () => {
    let tell: ((body: string) => Promise<unknown>) | undefined;
    const early: Instead = async ({ body }) => {
      const checkoutId = new URLSearchParams(body).get('client_reference_id') ?? '';
      const paid = { amount_total: 1250, currency: 'mxn' };
      const session = { id: 'cs_test_1', object: 'checkout.session', client_reference_id: checkoutId, mode: 'payment', url: null, ...paid };
      await tell?.(JSON.stringify({ ...eventOf('completed', { ...session, livemode: false, expires_at: 1 }) }));
      return false;
    };
    return withPlace(
      withShop(
        async ({ shop, place }) => {
          const answers: unknown[] = [];
          tell = async (body) => answers.push(answered(await shop.told(JSON.parse(body) as JsonObject)));
          await shop.writes('pay');
          expect(answers).toEqual([success]);
          await expect
            .poll(() => {
              place.clock.advanceBy(1_000);
              return shop.got();
            })
            .toEqual([expect.stringContaining('https://checkout.stripe.com/'), 'approved 1250']);
        },
        { instead: early },
      ),
    )();
  });

  it(
    'that approves another amount than requested approves nothing, and is logged',
    withPlace(
      withShop(async ({ shop, session, place }) => {
        await shop.writes('pay');
        const asked = await session();
        const wrong = [{ amount_total: 1249 }, { amount_total: 0 }, { amount_total: null }, { currency: 'jpy' }, { currency: null }];
        for (const [n, paid] of wrong.entries())
          expect(answered(await shop.told(eventOf('completed', { ...asked, ...paid }, { id: `evt_${n}` })))).toMatchObject({
            body: { ignored: true },
          });
        expect(await shop.payments()).toMatchObject([{ status: 'open' }]);
        expect(await shop.got()).toHaveLength(1);
        expect(place.log.lines.filter(({ message }) => message.includes('over another amount'))).toHaveLength(wrong.length);
        await shop.told(eventOf('completed', asked, { id: 'evt_right' }));
        await expect.poll(() => shop.got()).toEqual([expect.anything(), 'approved 1250']);
      }),
    ),
  );

  it(
    'about an unknown payment is answered, so that it is not repeated, and changes nothing',
    withPlace(
      withShop(async ({ shop, session }) => {
        await shop.writes('pay');
        const mine = await session();
        const ignored = { status: 200, body: { success: true, ignored: true } };
        for (const theirs of [
          { ...mine, client_reference_id: 'cart-7' },
          { ...mine, client_reference_id: null },
          { ...mine, id: 'cs_test_another' },
        ])
          expect(answered(await shop.told(eventOf('completed', theirs)))).toEqual(ignored);
        expect(answered(await shop.told({ id: 'evt_9', type: 'invoice.paid', data: { object: {} } }))).toEqual(ignored);
        expect(await shop.payments()).toMatchObject([{ status: 'open' }]);
      }),
    ),
  );

  it(
    'is for the account that signed it: another account of the company, or of another, ends nothing (P28)',
    withPlace(async (place) => {
      const stripe = await startStripe();
      try {
        const workspace = await shopWorkspace(payCanvas(withStripe), {
          '/companies/0/credentials/-': accountWith(stripe),
          '/companies/0/credentials/2': { ...accountWith(stripe, 'second'), webhookSecret: 'whsec_second_0123456789' },
          '/companies/1/credentials': [accountWith(stripe)],
        });
        const shop = await openShop(place, workspace, stripe);
        await shop.writes('pay');
        const event = eventOf('completed', stripe.sessionOf((await shop.payments())[0]?.checkoutId ?? ''));
        const second = stripeSignature(JSON.stringify(event), place.clock.now(), 'whsec_second_0123456789');
        expect(answered(await shop.told(event, { credentialId: 'second', signature: second }))).toMatchObject({ body: { ignored: true } });
        expect(answered(await shop.told(event, { companyId: '2' }))).toMatchObject({ body: { ignored: true } });
        expect(await shop.payments()).toMatchObject([{ status: 'open' }]);
      } finally {
        await stripe.close();
      }
    }),
  );

  it(
    'with a wrong signature is refused, whatever it names (P27, T5)',
    withPlace(
      withShop(async ({ shop, session, place }) => {
        await shop.writes('pay');
        const event = eventOf('completed', await session());
        const body = JSON.stringify(event);
        const right = stripeSignature(body, place.clock.now());
        const path = '/payments/callbacks/1/stripe';
        const nobody = '/payments/callbacks/1/nobody';
        const rows: readonly (readonly [string, string, string, string | undefined, number])[] = [
          ['no signature', path, body, undefined, 401],
          ['no signature, of nobody', nobody, body, undefined, 401],
          ['no signature, and no JSON', path, '{', undefined, 401],
          ['an empty signature', path, body, '', 401],
          ['another secret', path, body, stripeSignature(body, place.clock.now(), 'whsec_another'), 401],
          ['the key of the account', path, body, stripeSignature(body, place.clock.now(), secretKey), 401],
          ['another body', path, `${body} `, right, 401],
          ['six minutes ago', path, body, stripeSignature(body, place.clock.now() - 360_000), 401],
          ['an account of nobody', nobody, body, right, 401],
          ['a company of nobody', '/payments/callbacks/9/stripe', body, right, 401],
          ['a credential that is no account', '/payments/callbacks/1/orders-basic', body, right, 401],
          ['no JSON', path, '{', stripeSignature('{', place.clock.now()), 400],
          ['no event', path, '[]', stripeSignature('[]', place.clock.now()), 400],
          ['too large', path, 'x'.repeat(1_100_000), right, 413],
        ];
        for (const [what, address, sent, signature, status] of rows) {
          const headers = signature === undefined ? {} : { 'stripe-signature': signature };
          const answer = await shop.ask('POST', address, { headers, body: sent });
          const error = status === 401 ? 'UNAUTHORIZED' : 'INVALID_REQUEST';
          expect({ what, status: answer.status, body: JSON.parse(answer.text) as unknown }).toEqual({
            what,
            status,
            body: { error, message: expect.any(String) as unknown },
          });
        }
        expect((await shop.ask('GET', path)).status).toBe(404);
        expect(await shop.payments()).toMatchObject([{ status: 'open' }]);
        expect((await shop.told(event)).status).toBe(200);
      }),
    ),
  );
});
