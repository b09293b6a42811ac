// Starts by the clock, through the service: at their time, once, and those that fell due while it was away.
import { setImmediate } from 'node:timers/promises';
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { schedules } from '../../src/platform/tables/schedules.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';

const hourMs = 3_600_000;
const bot = (id: string, channel: string) => ({ id, name: id, channel, connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } });
const users = [
  { id: '51999000111', names: 'Iris', phone: '51999000111', timeZone: 'America/Lima' },
  { id: '34600000222', names: 'Ana', phone: '34600000222', timeZone: 'Europe/Madrid' },
  { id: '51999000333', names: 'Leo', phone: '51999000333' },
];
const company = {
  id: 1,
  name: 'Acme',
  plan: 'growth',
  timeZone: 'America/Lima',
  fields: [{ key: 'renewal', label: 'Renewal', type: 'date' }],
  bots: [bot('bot_wa', 'whatsapp')],
  users,
};

const canvas = (data: object, id = 'clocked') => ({
  schemaVersion: 1,
  id,
  name: id,
  nodes: [
    { id: 'begin', type: 'start', data },
    { id: 'done', type: 'end' },
  ],
  edges: [{ source: 'begin', target: 'done' }],
});

const asking =
  (service: RunningService) =>
  async (method: string, path: string, body?: object, headers: object = {}) => {
    const answer = await createManagement(service).request(path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', ...headers },
    });
    return { status: answer.status, body: (await answer.json()) as JsonObject };
  };
type Ask = ReturnType<typeof asking>;

async function publish(ask: Ask, data: object, id = 'clocked'): Promise<void> {
  expect((await ask('PUT', `/workflows/${id}?companyId=1`, canvas(data, id))).status).toBe(200);
  expect(await ask('POST', `/workflows/${id}/publish?companyId=1`)).toMatchObject({ status: 200 });
}

const results = ({ body }: { readonly body: JsonObject }): readonly JsonObject[] => {
  const found: Json = body['results'] ?? [];
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
};

/** So many steps, each of one write, what falls due takes at most. */
const steps = 60;

/** Lets time pass to an instant at once, and then what falls due be done: each write of it is before one of these. */
async function until({ clock }: Place, { store }: RunningService, atMs: number): Promise<void> {
  const nothing = schedules.remove({ companyId: '1', workflowId: 'none', nodeId: 'none', kind: 'cron' });
  if (atMs > clock.now()) clock.advanceTo(atMs);
  for (let step = 0; step < steps; step += 1) {
    if (step % 6 === 5) clock.advanceBy(200);
    await store.runner.write([nothing]);
    await setImmediate();
  }
}

const executionsOf = async (ask: Ask): Promise<readonly JsonObject[]> => results(await ask('GET', '/executions?companyId=1&limit=200'));
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const userIds = async (ask: Ask): Promise<readonly string[]> =>
  (await executionsOf(ask)).map(({ userId }) => textOf(userId)).toSorted((a, b) => (a < b ? -1 : 1));

/** The next 9:00 of Lima. */
const nextNine = ({ clock }: Place): number => {
  const day = Math.floor((clock.now() - 14 * hourMs) / (24 * hourMs)) + 1;
  return day * 24 * hourMs + 14 * hourMs;
};

const withService = (test: (ask: Ask, place: Place, service: RunningService) => Promise<void>) =>
  withPlace(async (place) => {
    const service = await place.open();
    await service.importWorkspace({ workspace: { companies: [company] } });
    await test(asking(service), place, service);
  });

describe('a schedule of the company', () => {
  const data = { schedule: { cron: '0 9 * * *', for: 'company' } };

  it(
    'begins once at each of its times, without a user',
    withService(async (ask, place, service) => {
      await publish(ask, data);
      const nine = nextNine(place);
      expect(results(await ask('GET', '/companies/1/schedules'))).toMatchObject([
        { workflowId: 'clocked', nodeId: 'begin', cron: '0 9 * * *', timeZone: 'America/Lima', nextAt: new Date(nine).toISOString() },
      ]);
      await until(place, service, nine - 60_000);
      expect(await executionsOf(ask)).toEqual([]);
      await until(place, service, nine);
      expect(await executionsOf(ask)).toMatchObject([{ workflowId: 'clocked', userId: null, status: 'completed' }]);
      await until(place, service, nine + 20 * hourMs);
      expect(await executionsOf(ask)).toHaveLength(1);
      await until(place, service, nine + 24 * hourMs);
      expect(await executionsOf(ask)).toHaveLength(2);
      expect(results(await ask('GET', '/companies/1/starts?status=started'))).toMatchObject([
        { at: new Date(nine + 24 * hourMs).toISOString(), audience: 'company', executionId: expect.any(String) as string },
        { at: new Date(nine).toISOString() },
      ]);
    }),
  );

  it.each([
    ['that has no 02:30', '2031-03-29T23:00Z', '2031-03-30T01:00:00.000Z', '2031-03-31T00:30:00.000Z'],
    ['that has it twice', '2031-10-25T22:00Z', '2031-10-26T00:30:00.000Z', '2031-10-27T01:30:00.000Z'],
  ])('begins once in the night %s, also where the service starts again in between, and once in the next', (_night, from, due, next) =>
    withPlace(async (place) => {
      place.clock.advanceTo(Date.parse(from));
      const service = await place.open();
      await service.importWorkspace({ workspace: { companies: [company] } });
      await publish(asking(service), { schedule: { cron: '30 2 * * *', timeZone: 'Europe/Madrid', for: 'company' } });
      const startsOf = async (ask: Ask) => results(await ask('GET', '/companies/1/starts')).map(({ at, status }) => [at, status]);
      await until(place, service, Date.parse(due) - 60_000);
      expect((await startsOf(asking(service))).filter(([, status]) => status !== 'waiting')).toEqual([]);
      await until(place, service, Date.parse(due));
      expect(await executionsOf(asking(service))).toHaveLength(1);
      await service.close();
      const again = await place.open();
      await until(place, again, Date.parse(due) + 2 * hourMs); // through the hour that comes twice
      expect(await executionsOf(asking(again))).toHaveLength(1);
      await until(place, again, Date.parse(next));
      expect(await startsOf(asking(again))).toEqual([
        [next, 'started'],
        [due, 'started'],
      ]);
    })(),
  );

  it(
    'makes up for the last of what fell due while the service was away, and records the rest as missed',
    withService(async (ask, place, service) => {
      await publish(ask, data);
      await until(place, service, place.clock.now() + 60_000);
      const nine = nextNine(place);
      await service.close();
      place.clock.advanceTo(nine + 48 * hourMs + 1_800_000);
      const reopened = await place.open();
      const again = asking(reopened);
      await until(place, reopened, place.clock.now());
      expect(await executionsOf(again)).toHaveLength(1);
      expect(results(await again('GET', '/companies/1/starts'))).toMatchObject([
        { status: 'started', at: new Date(nine + 48 * hourMs).toISOString() },
        { status: 'missed', reason: 'SUPERSEDED', times: 2, at: new Date(nine + 24 * hourMs).toISOString() },
      ]);
    }),
  );

  it.each([
    [hourMs, 'started'],
    [hourMs + 1, 'missed'],
  ])('%s ms late it is %s', (lateMs, status) =>
    withService(async (ask, place, service) => {
      await publish(ask, data);
      await until(place, service, place.clock.now() + 60_000);
      const nine = nextNine(place);
      await service.close();
      place.clock.advanceTo(nine + lateMs);
      const reopened = await place.open();
      const again = asking(reopened);
      await until(place, reopened, place.clock.now());
      expect(results(await again('GET', '/companies/1/starts'))).toMatchObject([{ status, reason: status === 'missed' ? 'LATE' : null }]);
    })(),
  );

  it(
    'follows the latest version, and neither what was withdrawn nor what is paused',
    withService(async (ask, place, service) => {
      await publish(ask, data);
      await until(place, service, place.clock.now() + 60_000);
      const nine = nextNine(place);
      await until(place, service, nine - 30 * 60_000);
      await publish(ask, { schedule: { cron: '0 10 * * *', for: 'company' } });
      await until(place, service, nine);
      expect(await executionsOf(ask)).toEqual([]);
      await until(place, service, nine + hourMs);
      expect(await executionsOf(ask)).toHaveLength(1);

      await ask('POST', '/workflows/clocked/pause?companyId=1', {});
      await until(place, service, nine + 25 * hourMs);
      expect(await executionsOf(ask)).toHaveLength(1);
      await ask('POST', '/workflows/clocked/unpause?companyId=1', {});
      await until(place, service, place.clock.now() + 60_000); // within the hour that it may be late
      expect(await executionsOf(ask)).toHaveLength(2);

      await ask('POST', '/workflows/clocked/unpublish?companyId=1', {});
      await until(place, service, nine + 49 * hourMs);
      await until(place, service, nine + 73 * hourMs);
      expect(await executionsOf(ask)).toHaveLength(2);
      expect(results(await ask('GET', '/companies/1/schedules'))).toEqual([]);
    }),
  );

  it(
    'is refused when it never comes, comes every second, or is none',
    withService(async (ask) => {
      for (const [cron, code] of [
        ['0 0 31 2 *', 'SCHEDULE_NEVER_FIRES'],
        ['* * * * * *', 'SCHEDULE_TOO_OFTEN'],
        ['at nine', 'INVALID_CRON'],
      ] as const) {
        await ask('PUT', '/workflows/clocked?companyId=1', canvas({ schedule: { cron, for: 'company' } }));
        expect(await ask('POST', '/workflows/clocked/publish?companyId=1')).toMatchObject({
          status: 422,
          body: { problems: [{ code, pointer: '/nodes/0/data/schedule/cron' }] },
        });
      }
    }),
  );
});

describe('a schedule of a group', () => {
  it(
    'begins for each of its contacts, by the bot that reaches them',
    withService(async (ask, place, service) => {
      for (const { id } of users.slice(0, 2)) await ask('PUT', `/companies/1/groups/vip/contacts/phone:${id}`);
      await publish(ask, { schedule: { cron: '0 9 * * *', for: { group: 'vip' } } });
      await until(place, service, nextNine(place));
      expect(await userIds(ask)).toEqual(['34600000222', '51999000111']);
      expect(results(await ask('GET', '/companies/1/starts'))).toMatchObject([
        { status: 'started', audience: { group: 'vip' }, counts: { started: 2 }, executionId: null },
      ]);
    }),
  );
});

describe('a schedule of a segment', () => {
  it(
    'begins for each contact whom it fits, and says where there is none of its name',
    withService(async (ask, place, service) => {
      const [one, other] = users;
      await ask('PATCH', `/companies/1/contacts/phone:${one?.id}`, { fields: { renewal: '2031-05-05' } });
      await ask('PATCH', `/companies/1/contacts/phone:${other?.id}`, { fields: { renewal: '2031-06-06' } });
      await ask('PUT', '/companies/1/segments/may', { condition: 'user.fields.renewal == "2031-05-05"' });
      await publish(ask, { schedule: { cron: '0 9 * * *', for: { segment: 'may' } } });
      await until(place, service, nextNine(place));
      expect(await userIds(ask)).toEqual([one?.id]);
      await ask('DELETE', '/companies/1/segments/may');
      await until(place, service, nextNine(place) + 24 * hourMs);
      expect(results(await ask('GET', '/companies/1/starts'))).toContainEqual(
        expect.objectContaining({ status: 'failed', reason: 'SEGMENT_NOT_FOUND' }),
      );
    }),
  );
});

describe('a date of contacts', () => {
  it(
    'begins for each on their own clock, so many days before, and once',
    withService(async (ask, place, service) => {
      await publish(ask, { at: '{{user.fields.renewal}}', before: 'P7D', time: '09:00' });
      const nine = nextNine(place) + 24 * hourMs; // of Lima: 14:00 UTC
      const renewal = new Date(nine + 7 * 24 * hourMs).toISOString().slice(0, 10);
      for (const { id } of users) await ask('PATCH', `/companies/1/contacts/phone:${id}`, { fields: { renewal } });
      const madrid = nine - 6 * hourMs; // 9:00 there in winter is 8:00 UTC
      await until(place, service, madrid - 60_000);
      expect(await userIds(ask)).toEqual([]);
      await until(place, service, madrid);
      expect(await userIds(ask)).toEqual(['34600000222']);
      await until(place, service, nine);
      expect(await userIds(ask)).toEqual(['34600000222', '51999000111', '51999000333']);
      await until(place, service, nine + 2 * hourMs);
      expect(await executionsOf(ask)).toHaveLength(3);
    }),
  );
});

describe('POST …/starts', () => {
  const user = { user: { id: '51999000111' }, botId: 'bot_wa' };

  it(
    'starts now, or at an instant, the same for the same key',
    withService(async (ask, place, service) => {
      await publish(ask, { keywords: ['go'] });
      const now = await ask('POST', '/companies/1/starts', { workflowId: 'clocked', ...user });
      expect(now).toMatchObject({ status: 200, body: { status: 'started', startId: null, executionId: expect.any(String) as string } });
      const at = new Date(place.clock.now() + 2 * hourMs).toISOString();
      const key = { 'idempotency-key': 'renewal-iris' };
      const asked = await ask('POST', '/companies/1/starts', { workflowId: 'clocked', ...user, at }, key);
      expect(asked).toMatchObject({ status: 202, body: { status: 'waiting', at, userId: '51999000111' } });
      expect((await ask('POST', '/companies/1/starts', { workflowId: 'clocked', ...user, at }, key)).body).toEqual(asked.body);
      const other = await ask('POST', '/companies/1/starts', { workflowId: 'clocked', at });
      const path = `/companies/1/starts/${textOf(other.body['startId'])}`;
      for (const _again of [1, 2]) expect(await ask('DELETE', path)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
      await until(place, service, Date.parse(at));
      expect(await executionsOf(ask)).toHaveLength(2);
      const made = `/companies/1/starts/${textOf(asked.body['startId'])}`;
      expect(await ask('GET', made)).toMatchObject({ body: { status: 'started', executionId: expect.any(String) as string } });
      expect(await ask('DELETE', made)).toMatchObject({ status: 409, body: { error: 'START_ENDED' } });
    }),
  );

  it(
    'refuses what cannot be started',
    withService(async (ask) => {
      await publish(ask, { keywords: ['go'] });
      const at = '2031-06-01T09:00:00Z';
      for (const [body, status] of [
        [{ workflowId: 'none', at }, 404],
        [{ workflowId: 'clocked', nodeId: 'other', at }, 404],
        [{ workflowId: 'clocked', nodeId: 'other' }, 404],
        [{ workflowId: 'clocked', at: 'tomorrow' }, 422],
        [{ workflowId: 'clocked', at: '2039-01-01T00:00:00Z' }, 422],
        [{ workflowId: 'clocked', user: user.user }, 422],
        [{ workflowId: 'clocked', at, graceMs: -1 }, 422],
        [{ at }, 422],
      ] as const)
        expect([body, (await ask('POST', '/companies/1/starts', body)).status]).toEqual([body, status]);
      expect(results(await ask('GET', '/companies/1/starts'))).toEqual([]);
    }),
  );
});
