import type { JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { withPlace } from '../data/open-for-test.ts';
import { describeOverEachStore } from '../rest/each-store.ts';
import { noPayment, openShop, payCanvas, publicUrl, type Shop, shopWorkspace } from './payments-stage.ts';

/** The path of a test's page, behind what a proxy has before it. */
const pathOf = (link: string): string => link.slice(publicUrl.length);
const choose = (shop: Shop, link: string, choice: string) => shop.ask('POST', pathOf(link), { body: `choice=${choice}` });

/** Users of their own, each with a number. */
const users = (count: number): readonly string[] => Array.from({ length: count }, (_none, index) => `52155000000${10 + index}`);

describeOverEachStore('a payment in test mode (PAY-01)', (on) => {
  it.each([
    ['approve', 'approved 1250', 'approved'],
    ['reject', 'rejected', 'rejected'],
  ])(
    'is a page of this service on which somebody may %s',
    (choice, words, status) =>
      on(async (place) => {
        const shop = await openShop(place, await shopWorkspace(payCanvas()));
        await shop.writes('pay');
        const link = await shop.link();
        expect(link).toMatch(/^https:\/\/bots\.example\/hilo\/payments\/test\/pay_[0-9a-f]{32}$/);
        const page = await shop.ask('GET', pathOf(link));
        expect(page.status).toBe(200);
        expect(page.headers.get('content-type')).toMatch(/^text\/html/);
        expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
        expect(page.headers.get('cache-control')).toBe('no-store');
        expect(page.headers.get('referrer-policy')).toBe('no-referrer');
        expect(page.text).toContain('Order &lt;7&gt;');
        expect(page.text.replaceAll('\u00a0', ' ')).toContain('MXN 12.50');
        expect(page.text).toContain('<form method="post">');
        await shop.ask('GET', pathOf(link)); // as a channel does that shows a preview
        expect(await shop.got()).toHaveLength(1);

        const chosen = await choose(shop, link, choice);
        expect({ status: chosen.status, to: chosen.headers.get('location') }).toEqual({ status: 303, to: link.split('/').at(-1) });
        await expect.poll(() => shop.got()).toEqual([expect.stringContaining('Order <7>'), words]);
        const after = await shop.ask('GET', pathOf(link));
        expect(after.text).toContain(`was ${status}`);
        expect(after.text).not.toContain('<form');
        expect(await shop.payments()).toMatchObject([
          { provider: 'test', credentialId: null, status, amount: 1250, currency: 'MXN', url: link },
        ]);
      })(),
    120_000,
  );

  it(
    'ends once, for any choices (P10)',
    on(async (place) => {
      const shop = await openShop(place, await shopWorkspace(payCanvas()));
      await shop.writes('pay');
      const link = await shop.link();
      const choices = ['approve', 'reject', 'approve', 'reject', 'approve'];
      const answers = await Promise.all(choices.map((choice) => choose(shop, link, choice)));
      expect(answers.map(({ status }) => status)).toEqual(choices.map(() => 303));
      await expect.poll(() => shop.got()).toHaveLength(2);
      const [{ status, checkoutId, isLate } = noPayment] = await shop.payments();
      expect(await shop.got()).toEqual([expect.anything(), status === 'approved' ? 'approved 1250' : status]);
      expect(isLate).toBe(false);
      expect(await shop.shows(`/payments/${checkoutId}?companyId=1`)).toMatchObject({ events: [{ status }] });
    }),
    120_000,
  );

  it(
    'that is waited for through a migration ends once, in the words of the version where it is then, also under another name (P37, M8)',
    on(async (place) => {
      const shop = await openShop(place, await shopWorkspace(payCanvas()));
      const all = users(4);
      for (const user of all) await shop.writes('pay', user);
      const links = await Promise.all(all.map((user) => shop.link(user)));
      const renamed = JSON.parse(
        JSON.stringify(payCanvas())
          .replaceAll('"pay","type"', '"checkout","type"')
          .replaceAll('"source":"pay"', '"source":"checkout"')
          .replaceAll('"target":"pay"', '"target":"checkout"')
          .replaceAll('approved {{', 'paid {{'),
      ) as JsonObject;
      await shop.service.importWorkspace({ workspace: await shopWorkspace(renamed) });
      const acme = shop.service.engine.company('1');
      const migration = { workflowId: 'shop', from: 1, to: 2, nodes: { pay: 'checkout' } };
      const { results } = await acme.executions({ workflowId: 'shop', status: 'waiting' });
      const pay = (index: number) => Promise.all([0, 1].map(() => choose(shop, links[index] ?? '', 'approve')));
      // The first two are migrated before they pay, the third meanwhile, the fourth not at all.
      const idOf = (index: number) => results.find(({ state }) => state.origin.userId === all[index])?.executionId ?? '';
      const migrates = (index: number) => acme.migrate(idOf(index), migration, { accept: ['changed'] });
      expect(await Promise.all([migrates(0), migrates(1)])).toMatchObject([{ kind: 'changed' }, { kind: 'changed' }]);
      await Promise.all([pay(0), pay(1), pay(2), migrates(2), pay(3)]);
      await expect
        .poll(async () => (await shop.payments()).map(({ status, isLate }) => [status, isLate]))
        .toEqual(all.map(() => ['approved', false]));
      const words = async (index: number) => (await shop.got(all[index])).slice(1);
      await expect.poll(async () => (await Promise.all([0, 1, 2, 3].map(words))).flat().length).toBe(4);
      expect(await Promise.all([0, 1, 3].map(words))).toEqual([['paid 1250'], ['paid 1250'], ['approved 1250']]);
      expect(['paid 1250', 'approved 1250']).toContain((await words(2)).join());
    }),
    120_000,
  );

  it(
    'is allowed ten times for a node on the Free plan, however many are requested at once (PAY-02)',
    on(async (place) => {
      const shop = await openShop(place, await shopWorkspace(payCanvas()));
      const all = users(14);
      await Promise.all(all.map((userId) => shop.writes('pay', userId)));
      const last = await Promise.all(all.map(async (userId) => (await shop.got(userId)).at(-1) ?? ''));
      expect(last.filter((words) => words.includes('https://'))).toHaveLength(10);
      expect(last.filter((words) => words.startsWith('TEST_LIMIT_REACHED: '))).toHaveLength(4);
      expect(await shop.payments()).toHaveLength(10);
    }),
    120_000,
  );
});

describe('the tests of a configuration', () => {
  it(
    'are counted for each node of each workflow alone, across publishes and versions (PAY-02)',
    withPlace(async (place) => {
      const shop = await openShop(place, await shopWorkspace(payCanvas()));
      for (const userId of users(6)) await shop.writes('pay', userId);
      await shop.service.importWorkspace({ workspace: await shopWorkspace(payCanvas({ description: 'Another' })) });
      for (const userId of users(6)) await shop.writes('pay', userId); // their first ones still wait
      expect(await shop.payments()).toHaveLength(10);
      const other = {
        ...payCanvas(),
        id: 'other',
        nodes: [{ id: 'start', type: 'start', data: { keywords: ['buy'] } }, ...(payCanvas()['nodes'] as readonly []).slice(1)],
      };
      await shop.service.importWorkspace({ workspace: await shopWorkspace(other) });
      await shop.writes('buy');
      expect(await shop.link()).toContain(publicUrl);
    }),
  );

  it.each(['builder', 'growth', 'enterprise'])('have no number on the plan %s', (plan) =>
    withPlace(async (place) => {
      const shop = await openShop(place, await shopWorkspace(payCanvas(), { '/companies/0/plan': plan }));
      for (const userId of users(12)) await shop.writes('pay', userId);
      expect(await shop.payments()).toHaveLength(12);
    })(),
  );

  it(
    'are not counted again for a retried effect, nor at the limit (P4)',
    withPlace(async (place) => {
      const { service, payments } = await openShop(place, await shopWorkspace(payCanvas()));
      const order = {
        companyId: '1',
        workflowId: 'shop',
        nodeId: 'pay',
        executionId: 'e',
        amount: 1,
        currency: 'MXN',
        description: 'x',
        openMs: 1_000,
      };
      const open = (idempotencyKey: string) => service.payments.open(order, { idempotencyKey, timeoutMs: 1_000 });
      const same = await Promise.all([open('a'), open('a'), open('a')]);
      expect(new Set(same.map((opened) => JSON.stringify(opened))).size).toBe(1);
      for (const key of 'bcdefghij') expect(await open(key)).toMatchObject({ kind: 'opened' });
      expect(await open('k')).toMatchObject({ kind: 'refused', cause: 'TEST_LIMIT_REACHED' });
      expect(await open('a')).toEqual(same[0]);
      expect(await open('k')).toMatchObject({ kind: 'refused', cause: 'TEST_LIMIT_REACHED' });
      expect(await payments()).toHaveLength(10);
    }),
  );
});

describe('a test in time', () => {
  it(
    'expires for the workflow and for the page, and cannot be chosen any longer (P11, P13)',
    withPlace(async (place) => {
      const shop = await openShop(place, await shopWorkspace(payCanvas({ timeout: 'PT1H' })));
      await shop.writes('pay');
      const link = await shop.link();
      place.clock.advanceBy(3_599_000);
      expect(await shop.got()).toHaveLength(1);
      place.clock.advanceBy(1_000);
      await expect.poll(() => shop.got()).toEqual([expect.anything(), 'expired']);
      expect((await shop.ask('GET', pathOf(link))).text).toContain('The time for this payment is over');
      expect((await choose(shop, link, 'approve')).status).toBe(303);
      expect(await shop.payments()).toMatchObject([{ status: 'expired', changedAt: null }]);
      expect(await shop.got()).toHaveLength(2);
    }),
  );

  it(
    'that is approved after its execution was cancelled is kept as late, and leads nowhere',
    withPlace(async (place) => {
      const shop = await openShop(place, await shopWorkspace(payCanvas()));
      await shop.writes('pay');
      const link = await shop.link();
      const [{ executionId } = noPayment] = await shop.payments();
      await shop.service.engine.cancel('1', executionId, 'enough');
      await choose(shop, link, 'approve');
      await expect.poll(async () => (await shop.payments())[0]).toMatchObject({ status: 'approved', isLate: true });
      expect(await shop.got()).toHaveLength(1);
      expect(place.log.lines).toContainEqual({
        level: 'warn',
        fields: { companyId: '1', executionId, checkoutId: link.split('/').at(-1) },
        message: 'A payment was approved after its wait had ended',
      });
    }),
  );

  it(
    'resumes the execution even when the process ended between the choice and the signal (P1, P25)',
    withPlace(async (place) => {
      const shop = await openShop(place, await shopWorkspace(payCanvas()));
      await shop.writes('pay');
      const link = await shop.link();
      await shop.service.close();
      const silent = await place.open({}, { runs: false });
      await silent.payments?.chooseTest(link.split('/').at(-1) ?? '', 'approved');
      await silent.close();
      const again = await openShop(place, undefined);
      await expect
        .poll(() => {
          place.clock.advanceBy(1_000);
          return again.got();
        })
        .toEqual([expect.anything(), 'approved 1250']);
    }),
  );
});
