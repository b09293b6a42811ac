// How many accounts and starts are kept: as many as may be and no further one, told in a sentence and counted, on either database.
import { seededRandom } from '@hilo/testing';
import { scheduledStarts } from '../../src/platform/tables/schedules.ts';
import { createAccounts, mostAccounts, mostRevoked } from '../../src/access/accounts.ts';
import { insertAccount } from '../../src/access/sql.ts';
import { mostAhead } from '../../src/schedules/routes.ts';
import { createApp } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { expect, it } from 'vitest';
import { inlineExample } from '../data/inline-example.ts';
import { describeOverEachStore } from '../rest/each-store.ts';

async function open(service: RunningService) {
  await service.importWorkspace({ workspace: await inlineExample() });
  const app = createApp(service);
  const ask = (method: string, path: string, body?: object, headers: object = {}) =>
    app.request(`http://hilo.test${path}`, {
      method,
      headers: { authorization: `Bearer ${service.settings.adminToken}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    ask,
    statusOf: async (...given: Parameters<typeof ask>) => (await ask(...given)).status,
    refusalOf: async (...given: Parameters<typeof ask>): Promise<unknown> => (await ask(...given)).json(),
    countOf: async (limit: string) =>
      new RegExp(`^hilo_limits_reached_total\\{limit="${limit}"\\} (\\d+)$`, 'm').exec(await (await ask('GET', '/metrics')).text())?.[1],
  };
}

const grant = { roles: ['viewer'], companies: ['1'] };

/** Accounts of before, written at once. */
const fill = ({ store }: RunningService, kind: 'token' | 'user', count: number) =>
  store.runner.write(
    Array.from({ length: count }, (_, n) =>
      insertAccount({
        id: `of-before-${n}`,
        kind,
        name: `before${n}`,
        roles: '["viewer"]',
        companies: '["1"]',
        prefix: undefined,
        hash: kind === 'token' ? `hash-${n}` : undefined,
        nowMs: n,
      }),
    ),
  );

describeOverEachStore('as many as may be', (on) => {
  it(
    'are kept of admin tokens: a revoked one makes room, and of the revoked ones the latest are kept',
    on(async (place) => {
      const service = await place.open();
      const { ask, statusOf, refusalOf, countOf } = await open(service);
      const accounts = createAccounts({
        store: service.store,
        clock: place.clock,
        log: place.log,
        random: seededRandom(7),
        seen: { note: () => undefined },
      });
      await fill(service, 'token', mostAccounts.token - 1);
      const add = ['POST', '/admin/v1/tokens', { name: 'one', ...grant }] as const;
      expect([await statusOf(...add), await statusOf(...add)]).toEqual([200, 409]);
      expect(await refusalOf(...add)).toMatchObject({
        error: 'TOO_MANY_TOKENS',
        message: expect.stringMatching(/1000 .*: revoke one/) as string,
      });
      expect(await countOf('admin-tokens')).toBe('2');
      expect(await statusOf('POST', '/admin/v1/tokens/of-before-0/revoke')).toBe(200);
      expect([await statusOf(...add), await statusOf(...add)]).toEqual([200, 409]);

      for (let n = 1; n < mostAccounts.token - 1; n += 1) {
        place.clock.advanceBy(1);
        await accounts.revokeToken(`of-before-${n}`);
      }
      const revoked = async () => (await accounts.list('token')).filter(({ revokedAtMs }) => revokedAtMs !== null);
      expect(await revoked()).toHaveLength(mostAccounts.token - 1);
      for (let n = mostAccounts.token - 1; n <= mostRevoked + 1; n += 1) {
        place.clock.advanceBy(1);
        const { id } = (await (await ask(...add)).json()) as { readonly id: string };
        await accounts.revokeToken(id);
      }
      expect((await revoked()).map(({ id }) => id).slice(0, 1)).toEqual(['of-before-2']);
      expect(await revoked()).toHaveLength(mostRevoked);
    }),
  );

  it(
    'are kept of users: one that is there is changed all the same',
    on(async (place) => {
      const service = await place.open();
      const { statusOf, refusalOf, countOf } = await open(service);
      await fill(service, 'user', mostAccounts.user - 1);
      const save = (name: string) => ['PUT', `/admin/v1/users/${name}`, grant] as const;
      expect([await statusOf(...save('ana')), await statusOf(...save('ben')), await statusOf(...save('ana'))]).toEqual([200, 409, 200]);
      expect(await refusalOf(...save('ben'))).toMatchObject({
        error: 'TOO_MANY_USERS',
        message: expect.stringMatching(/: remove one/) as string,
      });
      expect(await countOf('service-users')).toBe('2');
      expect([await statusOf('DELETE', '/admin/v1/users/ana'), await statusOf(...save('ben'))]).toEqual([200, 200]);
    }),
  );

  it(
    'are kept of starts that wait: a cancelled one makes room, and a key that is repeated is the same start',
    on(async (place) => {
      const service = await place.open();
      const { statusOf, refusalOf, countOf } = await open(service);
      const dueAtMs = place.clock.now() + 3_600_000;
      const before = (n: number) => ({
        companyId: '1',
        id: n.toString(16).padStart(32, '0'),
        workflowId: 'order-status',
        audience: null,
        botId: '',
        userId: '',
      });
      const kept = { inputs: {}, status: 'waiting', dueAtMs, graceMs: 0, times: 1, createdBy: 'before', createdAtMs: 0 } as const;
      const first = Array.from({ length: mostAhead - 1 }, (_, n) => ({ ...before(n), ...kept }));
      await service.store.runner.write(scheduledStarts.insertMissing(first));
      const start = (key: string) =>
        [
          'POST',
          '/admin/v1/companies/1/starts',
          { workflowId: 'order-status', at: new Date(dueAtMs).toISOString() },
          { 'idempotency-key': key },
        ] as const;
      expect([await statusOf(...start('a')), await statusOf(...start('b')), await statusOf(...start('a'))]).toEqual([202, 409, 202]);
      expect(await refusalOf(...start('b'))).toMatchObject({
        error: 'TOO_MANY_STARTS',
        message: expect.stringMatching(/: cancel one/) as string,
      });
      expect(await countOf('scheduled-starts')).toBe('2');
      expect(await statusOf('DELETE', `/admin/v1/companies/1/starts/${before(7).id}`)).toBe(200);
      expect([await statusOf(...start('b')), await statusOf(...start('d'))]).toEqual([202, 409]);
    }),
  );
});
