import { describe, expect, it } from 'vitest';
import { withPlace } from '../data/open-for-test.ts';
import { adminToken, noPayment, openShop, payCanvas, publicUrl, type Shop, shopOf, shopWorkspace } from './payments-stage.ts';

/** The path of a test's page, behind what a proxy has before it. */
const pathOf = (link: string): string => link.slice(publicUrl.length);
const choose = (shop: Shop, link: string, choice: string) => shop.ask('POST', pathOf(link), { body: `choice=${choice}` });

describe('the page of a test', () => {
  it(
    'refuses an invalid choice, and is 404 at any other address (P27, P33)',
    withPlace(async (place) => {
      const shop = await openShop(place, await shopWorkspace(payCanvas()));
      await shop.writes('pay');
      const path = pathOf(await shop.link());
      const nobody = `/payments/test/pay_${'0'.repeat(32)}`;
      const rows: readonly (readonly [string, string, string | Uint8Array | undefined, number, string])[] = [
        ['POST', path, '', 400, 'INVALID_REQUEST'],
        ['POST', path, 'choice=APPROVE', 400, 'INVALID_REQUEST'],
        ['POST', path, 'choice=pending', 400, 'INVALID_REQUEST'],
        ['POST', path, '{"choice":"approve"}', 400, 'INVALID_REQUEST'],
        ['POST', path, Uint8Array.of(0xff), 400, 'INVALID_REQUEST'],
        ['POST', path, 'x'.repeat(1_100_000), 413, 'INVALID_REQUEST'],
        ['PUT', path, 'choice=approve', 404, 'NOT_FOUND'],
        ['GET', nobody, undefined, 404, 'PAYMENT_NOT_FOUND'],
        ['POST', nobody, 'choice=approve', 404, 'PAYMENT_NOT_FOUND'],
        ['POST', nobody, 'x'.repeat(1_100_000), 404, 'PAYMENT_NOT_FOUND'],
        ['GET', '/payments/test/', undefined, 404, 'NOT_FOUND'],
        ['GET', '/payments/test/%00%ff', undefined, 404, 'PAYMENT_NOT_FOUND'],
        ['GET', `/payments/test/${'x'.repeat(5_000)}`, undefined, 404, 'PAYMENT_NOT_FOUND'],
        ['GET', '/payments', undefined, 404, 'NOT_FOUND'],
      ];
      for (const [method, address, body, status, error] of rows) {
        const answer = await shop.ask(method, address, body === undefined ? {} : { body });
        expect({ method, address, status: answer.status, ...(JSON.parse(answer.text) as object) }).toMatchObject({ status, error });
      }
      expect(await shop.payments()).toMatchObject([{ status: 'open' }]);
    }),
  );

  it(
    'answers for another company as for an unknown one (P28)',
    withPlace(async (place) => {
      const shop = await openShop(place, await shopWorkspace(payCanvas()));
      await shop.writes('pay');
      const [{ checkoutId } = noPayment] = await shop.payments();
      expect(await shop.service.payments.find('2', checkoutId)).toBeUndefined();
      expect((await shop.service.payments.list('2', { limit: 10 })).results).toEqual([]);
      await expect(shop.shows(`/payments/${checkoutId}?companyId=2`)).rejects.toThrow('404');
    }),
  );

  it(
    'has links to where the service listens, where no address is set',
    withPlace(async (place) => {
      const service = await place.open({ host: '::1', port: 3_000 });
      await service.importWorkspace({ workspace: await shopWorkspace(payCanvas()) });
      const shop = shopOf(service);
      await shop.writes('pay');
      expect((await shop.got()).at(-1)).toContain('http://[::1]:3000/payments/test/pay_');
      service.listensAt('http://127.0.0.1:4567');
      await shop.writes('pay', '5215500000001');
      expect((await shop.got('5215500000001')).at(-1)).toContain('http://127.0.0.1:4567/payments/test/pay_');
    }),
  );
});

describe('the interface of payments', () => {
  it(
    'is described, and closed without the token of management (P27, VER-01)',
    withPlace(async (place) => {
      const shop = await openShop(place, await shopWorkspace(payCanvas()));
      const headers = { authorization: `Bearer ${adminToken}` };
      const { paths, components } = JSON.parse((await shop.ask('GET', '/openapi.json', { headers })).text) as {
        paths: { [path: string]: { [method: string]: { security?: unknown } } };
        components: { securitySchemes: object };
      };
      expect(Object.keys(paths)).toEqual(
        expect.arrayContaining([
          '/payments/callbacks/{companyId}/{credentialId}',
          '/payments/test/{checkoutId}',
          '/payments/returned',
          '/admin/v1/payments',
          '/admin/v1/payments/{checkoutId}',
        ]),
      );
      expect(paths['/payments/callbacks/{companyId}/{credentialId}']?.['post']?.security).toEqual([{ stripeSignature: [] }]);
      expect(components.securitySchemes).toHaveProperty('stripeSignature');
      for (const path of ['/admin/v1/payments', '/admin/v1/payments/pay_1']) expect((await shop.ask('GET', path)).status).toBe(401);
      await expect(shop.shows('/payments?companyId=1&cursor=x')).rejects.toThrow('422');
      await expect(shop.shows('/payments?companyId=1&cursor=executions-42')).rejects.toThrow('422');
      await shop.writes('pay');
      await shop.writes('pay', '5215500000001');
      const first = (await shop.shows('/payments?companyId=1&limit=1')) as { results: readonly object[]; nextCursor: string };
      const second = await shop.shows(`/payments?companyId=1&limit=1&cursor=${first.nextCursor}`);
      expect([...first.results, ...(second['results'] as readonly object[])]).toEqual(await shop.payments());
      expect(second['nextCursor']).toBeNull();
    }),
  );
});

describe('the history of a payment', () => {
  it(
    'has the request and its events',
    withPlace(async (place) => {
      const shop = await openShop(place, await shopWorkspace(payCanvas()));
      await shop.writes('pay');
      const link = await shop.link();
      const checkoutId = link.split('/').at(-1) ?? '';
      await choose(shop, link, 'approve');
      await expect.poll(() => shop.got()).toHaveLength(2);
      const [{ executionId } = noPayment] = await shop.payments();
      const { entries } = await shop.shows(`/executions/${executionId}/history?companyId=1`);
      expect(entries).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            nodeId: 'pay',
            effect: expect.objectContaining({
              type: 'payment.open',
              request: { amount: 1250, currency: 'MXN', description: 'Order <7>', openMs: 86_400_000, timeoutMs: 30_000 },
            }) as unknown,
          }),
          expect.objectContaining({
            nodeId: 'pay',
            port: 'approved',
            writes: [{ path: '$context.payment', value: { checkoutId, url: link, amount: 1250, currency: 'MXN', status: 'approved' } }],
          }),
        ]),
      );
      expect(await shop.shows(`/payments?companyId=1&executionId=${executionId}`)).toMatchObject({
        results: [{ checkoutId, isLate: false }],
      });
      expect(await shop.shows('/payments?companyId=1&workflowId=nobody')).toEqual({ results: [], nextCursor: null });
    }),
  );
});
