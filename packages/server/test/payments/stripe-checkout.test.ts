import { createHmac } from 'node:crypto';
import type { JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { eventOf, secretKey, startStripe, webhookSecret } from '../../../integrations/test/fake-stripe.ts';
import { withPlace } from '../data/open-for-test.ts';
import { accountWith, noPayment, openShop, payCanvas, shopWorkspace, withStripe } from './payments-stage.ts';
import { withShop } from './stripe-stage.ts';

describe('a checkout of Stripe', () => {
  const order = {
    companyId: '1',
    workflowId: 'shop',
    nodeId: 'pay',
    executionId: 'e',
    credentialId: 'stripe',
    amount: 1250,
    currency: 'MXN',
    description: 'Order 7',
    openMs: 7_200_000,
  };

  it(
    'is requested once for each effect, and then stored (P4)',
    withPlace(
      withShop(async ({ shop, stripe, place }) => {
        const open = () => shop.service.payments.open(order, { idempotencyKey: 'key-1', timeoutMs: 5_000 });
        const first = await open();
        place.clock.advanceBy(60_000);
        expect(await open()).toEqual(first);
        expect(stripe.forms.map(({ key }) => key)).toEqual(['key-1']);
      }),
    ),
  );

  it('is the requested one, even when the answer was lost (P2, P5)', () => {
    let calls = 0;
    return withPlace(
      withShop(
        async ({ shop, stripe, place }) => {
          const open = () => shop.service.payments.open(order, { idempotencyKey: 'key-1', timeoutMs: 5_000 });
          expect(await open()).toMatchObject({ kind: 'failed', reason: 'unavailable', outcome: 'unknown' });
          place.clock.advanceBy(1_200_000);
          expect(await open()).toMatchObject({ kind: 'opened' });
          expect(stripe.received.map(({ body }) => body)[1]).toBe(stripe.received[0]?.body);
          expect(await shop.payments()).toHaveLength(1);
          place.clock.advanceBy(7_200_000);
          expect(await open()).toMatchObject({ kind: 'opened' });
        },
        {
          instead: (_request, response) => {
            calls += 1;
            if (calls === 1) response.destroy();
            return calls === 1;
          },
        },
      ),
    )();
  });

  it(
    'is not requested when the time to pay is over',
    withPlace(
      withShop(
        async ({ shop, stripe, place }) => {
          const open = () => shop.service.payments.open(order, { idempotencyKey: 'key-1', timeoutMs: 5_000 });
          expect(await open()).toMatchObject({ kind: 'failed' });
          place.clock.advanceBy(7_200_000);
          expect(await open()).toMatchObject({ kind: 'refused', cause: 'CHECKOUT_EXPIRED' });
          expect(stripe.received).toHaveLength(1);
        },
        {
          instead: (_request, response) => {
            response.writeHead(500).end();
            return true;
          },
        },
      ),
    ),
  );

  it.each([
    [
      400,
      { error: { message: `Amount too small, for ${secretKey}` } },
      'PAYMENT_REFUSED: Stripe answered 400: Amount too small, for [redacted]',
    ],
    [401, { error: { message: 'Invalid API Key provided' } }, 'CREDENTIAL_INVALID: Stripe answered 401: Invalid API Key provided'],
    [503, {}, 'PAYMENT_UNAVAILABLE: Stripe answered 503'],
  ])('that is answered %i leads to error, without a link and without a secret (P31)', (status, body, words) =>
    withPlace(
      withShop(
        async ({ shop, place }) => {
          await shop.writes('pay');
          expect(await shop.got()).toEqual([words]);
          expect(await shop.payments()).toMatchObject([{ status: 'requested', url: null }]);
          const everything = JSON.stringify([place.log.lines, await shop.payments()]);
          for (const secret of [secretKey, webhookSecret]) expect(everything).not.toContain(secret);
        },
        {
          instead: (_request, response) => {
            response.writeHead(status).end(JSON.stringify(body));
            return true;
          },
        },
      ),
    )(),
  );

  it.each([
    ['orders-basic', 'CREDENTIAL_INVALID'],
    ['nobody', 'CREDENTIAL_MISSING'],
  ])('is not to be had with the credential %s', (credentialId, cause) =>
    withPlace(
      withShop(async ({ shop }) => {
        const answer = await shop.service.payments.open({ ...order, credentialId }, { idempotencyKey: 'k', timeoutMs: 1_000 });
        expect(answer).toMatchObject({ kind: 'refused', cause });
      }),
    )(),
  );

  it(
    'ends the test mode of its node, whose tests stay counted (PAY-03)',
    withPlace(async (place) => {
      const stripe = await startStripe();
      try {
        const credentials = { '/companies/0/credentials/-': accountWith(stripe) };
        const tests = await shopWorkspace(payCanvas(), credentials);
        const shop = await openShop(place, tests, stripe);
        const users = Array.from({ length: 14 }, (_none, index) => `52155000000${10 + index}`);
        for (const userId of users.slice(0, 10)) await shop.writes('pay', userId);
        await shop.service.importWorkspace({ workspace: await shopWorkspace(payCanvas(withStripe), credentials) });
        for (const userId of users.slice(10, 13)) await shop.writes('pay', userId);
        expect(stripe.forms).toHaveLength(3);
        await shop.service.importWorkspace({ workspace: tests });
        await shop.writes('pay', users[13]);
        expect(await shop.got(users[13])).toEqual([expect.stringContaining('TEST_LIMIT_REACHED')]);
        expect((await shop.payments()).map(({ provider }) => provider)).toEqual([
          ...Array.from({ length: 3 }, () => 'stripe'),
          ...Array.from({ length: 10 }, () => 'test'),
        ]);
      } finally {
        await stripe.close();
      }
    }),
  );

  it(
    'belongs to an account whose secrets are encrypted, and never exported (P31)',
    withPlace(
      withShop(async ({ shop, stripe }) => {
        const exported = JSON.stringify(await shop.service.exportWorkspace());
        expect(exported).toContain(`"kind":"stripe","baseUrl":"${stripe.baseUrl}"`);
        for (const secret of [secretKey, webhookSecret]) expect(exported).not.toContain(secret);
        expect(shop.service.companies.secrets()).toEqual(expect.arrayContaining([secretKey, webhookSecret]));
      }),
    ),
  );

  it('is never approved by a caller with its address and a wrong secret', () =>
    withPlace(
      withShop(async ({ shop, session, place }) => {
        await shop.writes('pay');
        const [{ checkoutId } = noPayment] = await shop.payments();
        expect((await shop.ask('POST', `/payments/test/${checkoutId}`, { body: 'choice=approve' })).status).toBe(404);
        const body = JSON.stringify(eventOf('completed', await session()));
        const timestamp = Math.floor(place.clock.now() / 1_000);
        const unsalted = createHmac('sha256', webhookSecret).update(body).digest('hex');
        expect((await shop.told(JSON.parse(body) as JsonObject, { signature: `t=${timestamp},v1=${unsalted}` })).status).toBe(401);
        expect(await shop.payments()).toMatchObject([{ status: 'open' }]);
      }),
    )());
});
