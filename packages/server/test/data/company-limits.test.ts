// Limits of a company: up to each, everything is accepted; above it, 429 with when to come again, a metric, and nothing written.
import { createVirtualClock } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { permissions } from '../../src/platform/http/context.ts';
import type { CompanyLimits } from '../../src/platform/tables/companies.ts';
import { createShares, withShare } from '../../src/tenants/company-limits.ts';
import { withPlace } from './open-for-test.ts';

const canvas = (id: string, wait: boolean) => ({
  schemaVersion: 1,
  id,
  name: id,
  nodes: [
    { id: 'in', type: 'webhook', data: { variableName: 'order', methods: ['POST'] } },
    ...(wait ? [{ id: 'pause', type: 'delay', data: { duration: 'PT1H' } }] : []),
    { id: 'done', type: 'end' },
  ],
  edges: wait
    ? [
        { source: 'in', target: 'pause' },
        { source: 'pause', sourceHandle: 'elapsed', target: 'done' },
      ]
    : [{ source: 'in', target: 'done' }],
});
const apiKey = 'hk_one_0123456789abcdef';
const workspace = (limits: CompanyLimits | undefined, id = 1) => ({
  companies: [
    {
      id,
      name: `Company ${id}`,
      plan: 'enterprise',
      ...(limits !== undefined && { limits }),
      clients: [{ clientId: `client-${id}`, clientSecret: `secret-of-${id}-0123456789` }],
      apiKeys: [{ id: 'key', key: id === 1 ? apiKey : `hk_${id}_0123456789abcdef` }],
      bots: [{ id: `bot_${id}`, name: 'Bot', channel: 'web', connectedAt: '2026-01-01T00:00:00Z', provider: { kind: 'log' } }],
      users: [{ id: '5215512345678', lastMessageAt: { [`bot_${id}`]: 'now' } }],
      workflows: [
        { canvas: canvas('quick', false), publish: true },
        { canvas: canvas('slow', true), publish: true },
      ],
    },
  ],
});

function callers(service: RunningService) {
  const app = createApp(service);
  const post = async (path: string, headers: { readonly [name: string]: string }, body: object = {}) => {
    const answer = await app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
  };
  return {
    app,
    call: (workflow: string, key = apiKey) =>
      post(`/workflows/v2/webhooks/skill/${workflow}/web/in?userId=5215512345678`, { 'x-api-key': key }),
    start: () => post('/admin/v1/workflows/quick/start?companyId=1', { authorization: `Bearer ${service.settings.adminToken}` }),
    send: (headers: { readonly [name: string]: string } = {}) =>
      post(
        '/v1/bots/bot_1/messages',
        { authorization: `Basic ${btoa('client-1:secret-of-1-0123456789')}`, ...headers },
        { type: 'text', userId: '5215512345678', text: 'Hello' },
      ),
    metrics: async () => (await app.request('/metrics', { headers: { authorization: `Bearer ${service.settings.adminToken}` } })).text(),
  };
}

describe('limits of a company', () => {
  it(
    'refuse the start above startsPerMinute until its minute is over, and nobody else',
    withPlace(async ({ open, clock }) => {
      const service = await open();
      await service.importWorkspace({ workspace: workspace({ startsPerMinute: 3 }) });
      await service.importWorkspace({ workspace: workspace(undefined, 2) });
      const { call, start, metrics } = callers(service);
      const statuses = [await call('quick'), await call('quick'), await start()].map(({ status }) => status);
      expect(statuses).toEqual([200, 200, 200]);
      clock.advanceBy(15_000);
      for (const refused of [await call('quick'), await start()])
        expect([refused.status, refused.retryAfter, refused.text]).toEqual([
          429,
          '45',
          expect.stringContaining('startsPerMinute of 3') as string,
        ]);
      expect((await call('quick', 'hk_2_0123456789abcdef')).status).toBe(200);
      expect(await metrics()).toContain('hilo_limits_reached_total{limit="company-startsPerMinute"} 2');
      clock.advanceBy(44_999);
      expect((await call('quick')).status).toBe(429);
      clock.advanceBy(1);
      expect((await call('quick')).status).toBe(200);
    }),
  );

  it(
    'refuse the message above messagesPerMinute; a repeated one is none',
    withPlace(async ({ open, clock }) => {
      const service = await open();
      await service.importWorkspace({ workspace: workspace({ messagesPerMinute: 2 }) });
      const { send } = callers(service);
      const key = { 'idempotency-key': 'one' };
      expect([await send(key), await send(key), await send()]).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }]);
      expect(await send()).toMatchObject({ status: 429, retryAfter: '60' });
      expect((await send(key)).status).toBe(200);
      clock.advanceBy(60_000);
      expect((await send()).status).toBe(200);
    }),
  );

  it(
    'refuse what would be open above openExecutions; what ends makes room',
    withPlace(async ({ open, clock }) => {
      const service = await open();
      await service.importWorkspace({ workspace: workspace({ openExecutions: 2 }) });
      const { call } = callers(service);
      const all = await Promise.all([call('slow'), call('slow'), call('slow')]);
      expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429]);
      clock.advanceBy(1_000);
      expect(await call('quick')).toMatchObject({ status: 429, retryAfter: '1' });
      const { results } = await service.store.executions.list('1', { limit: 10 });
      await service.company('1').cancel(results[0]?.executionId ?? '');
      clock.advanceBy(1_000);
      expect((await call('slow')).status).toBe(200);
      expect((await call('slow')).status).toBe(429);
    }),
  );

  it(
    'come from the workspace and go back into it; zero lets nothing in, and left out is no limit',
    withPlace(async ({ open }) => {
      const service = await open();
      const limits = { startsPerMinute: 0, messagesPerMinute: 5, openExecutions: 7, storageMb: 100 };
      await service.importWorkspace({ workspace: workspace(limits) });
      expect(await service.exportWorkspace()).toMatchObject({ companies: [{ limits }] });
      const { call, send } = callers(service);
      expect([(await call('quick')).status, (await send()).status]).toEqual([429, 200]);
      await service.importWorkspace({ workspace: workspace(undefined) });
      expect((await call('quick')).status).toBe(200);
      for (const wrong of [{ startsPerMinute: -1 }, { startsPerMinute: 1.5 }, { starts: 1 }])
        await expect(service.importWorkspace({ workspace: workspace(wrong as CompanyLimits) })).rejects.toMatchObject({
          code: 'WORKSPACE_REFUSED',
        });
    }),
  );

  it(
    'are not set by an operator of that company, and stay where they leave them out',
    withPlace(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: workspace({ startsPerMinute: 1 }) });
      const app = createApp({ ...service, authorize: () => ({ name: 'olga', can: permissions, companies: ['1'] }) });
      const bring = async (limits: CompanyLimits | undefined) =>
        (
          await app.request('/admin/v1/workspace', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(workspace(limits)),
          })
        ).status;
      expect([await bring({ startsPerMinute: 9 }), await bring(undefined), await bring({ startsPerMinute: 1 })]).toEqual([403, 200, 200]);
      expect(await service.exportWorkspace()).toMatchObject({ companies: [{ limits: { startsPerMinute: 1 } }] });
    }),
  );
});

describe('shares', () => {
  /** Shares of a company with these limits, over a store that says so many bytes and open executions. */
  function sharesWith(
    limits: CompanyLimits | undefined,
    stored: { bytes: number; open: number; ofFiles?: number } = { bytes: 0, open: 0 },
  ) {
    const clock = createVirtualClock();
    const reached: string[] = [];
    let reads = 0;
    // A measurement asks for sizes, and then for bots; files have no bytes here.
    let pages = 0;
    const read = async () => ((reads += 1), (pages += 1) % 2 === 1 ? [{ id: 1, bytes: stored.bytes }] : []);
    const runner = { read, readOne: async () => ((reads += 1), { count: stored.open, bytes: stored.ofFiles ?? 0 }) };
    const shares = createShares({
      store: { runner: runner as never },
      companies: {
        company: () => ({ id: '1', name: 'One', kind: 'enterprise', plan: 'free', settings: {}, ...(limits !== undefined && { limits }) }),
      },
      clock,
      onLimit: ({ limit }) => void reached.push(limit),
    });
    return { clock, shares, reached, stored, reads: () => reads };
  }

  it('let in exactly as many in a minute as the limit says, whatever is given back and whenever it comes', async () => {
    const step = fc.constantFrom('take', 'give', 'later');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 4 }), fc.array(step, { maxLength: 30 }), async (limit, steps) => {
        const { clock, shares } = sharesWith({ startsPerMinute: limit });
        const held: { readonly giveBack: () => void; readonly ofMinute: number }[] = [];
        let [sinceMs, count] = [Number.NEGATIVE_INFINITY, 0];
        const [seen, expected]: [boolean[], boolean[]] = [[], []];
        for (const each of steps) {
          if (each === 'later') clock.advanceBy(25_000);
          else if (each === 'give') {
            const last = held.pop();
            if (last?.ofMinute === sinceMs) count -= 1;
            last?.giveBack();
            last?.giveBack(); // twice is once
          } else {
            if (clock.now() - sinceMs >= 60_000) [sinceMs, count] = [clock.now(), 0];
            const taken = await shares.takeStart('1')?.then(
              (giveBack) => giveBack,
              () => undefined,
            );
            seen.push(taken !== undefined);
            expected.push(count < limit);
            if (taken !== undefined) {
              count += 1;
              held.push({ giveBack: taken, ofMinute: sinceMs });
            }
          }
        }
        expect(seen).toEqual(expected);
      }),
    );
  });

  it('count the bytes of files beside those of rows', async () => {
    const { shares, reached } = sharesWith({ storageMb: 1 }, { bytes: 400_000, open: 0, ofFiles: 700_000 });
    await shares.takeMessage('1');
    await new Promise(setImmediate);
    await expect(shares.takeMessage('1')).rejects.toMatchObject({ status: 429 });
    expect(reached).toEqual(['company-storageMb']);
  });

  it('cost a company without limits nothing but the look-up', () => {
    const { shares, reads } = sharesWith(undefined);
    expect([shares.takeStart('1'), shares.takeMessage('1'), reads()]).toEqual([undefined, undefined, 0]);
  });

  it('refuse above storageMb once it is measured, beside the call, and until it is measured again', async () => {
    const stored = { bytes: 1_000_000, open: 0 };
    const { clock, shares, reached } = sharesWith({ storageMb: 1 }, stored);
    const take = async () =>
      (await shares.takeMessage('1')?.then(
        () => 'in',
        ({ headers }: { headers: object }) => headers,
      )) ?? 'none';
    expect(await take()).toBe('in');
    await new Promise(setImmediate);
    expect(await take()).toBe('in'); // 1 MB is not above 1 MB
    stored.bytes += 1;
    clock.advanceBy(600_000);
    expect(await take()).toBe('in'); // measured now, and nobody waits for it
    await new Promise(setImmediate);
    expect(await take()).toEqual({ 'retry-after': '600' });
    stored.bytes = 0;
    clock.advanceBy(600_000);
    expect(await take()).toEqual({ 'retry-after': '600' });
    await new Promise(setImmediate);
    expect(await take()).toBe('in');
    expect(reached).toEqual(['company-storageMb', 'company-storageMb']);
  });

  it('are given back by work that fails, or that used none', async () => {
    const { shares } = sharesWith({ startsPerMinute: 1 });
    await expect(withShare(shares.takeStart('1'), () => Promise.reject(new Error('full')))).rejects.toThrow('full');
    expect(
      await withShare(
        shares.takeStart('1'),
        async () => 'repeated',
        () => false,
      ),
    ).toBe('repeated');
    expect(await withShare(shares.takeStart('1'), async () => 'new')).toBe('new');
    await expect(withShare(shares.takeStart('1'), async () => 'more')).rejects.toMatchObject({ status: 429 });
  });
});
