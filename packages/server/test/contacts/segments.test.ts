// Segments: conditions over contacts, checked when they are saved, and never losing anybody to what the database sorts out first.
import { setImmediate } from 'node:timers/promises';
import type { JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { findAllPeople } from '../../src/segments/find-people.ts';
import { compileSegment } from '../../src/segments/segment-condition.ts';
import { withPlace } from '../data/open-for-test.ts';

const fields = [
  { key: 'city', label: 'City', type: 'text' },
  { key: 'age', label: 'Age', type: 'number' },
  { key: 'vip', label: 'VIP', type: 'bool' },
  { key: 'renewal', label: 'Renewal', type: 'date' },
  { key: 'likes', label: 'Likes', type: 'list' },
] as const;
const company = {
  id: 1,
  name: 'Acme',
  plan: 'growth',
  fields,
  bots: [{ id: 'bot_wa', name: 'WA', channel: 'whatsapp', connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } }],
};

const asking = (service: RunningService) => async (method: string, path: string, body?: object) => {
  const answer = await createManagement(service).request(`/companies/1${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });
  return { status: answer.status, body: (await answer.json()) as JsonObject };
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const withCompany = (test: (service: RunningService, ask: ReturnType<typeof asking>) => Promise<void>) =>
  withPlace(async (place) => {
    const service = await place.open();
    await service.importWorkspace({ workspace: { companies: [company] } });
    await test(service, asking(service));
  });

const idsOf = async (service: RunningService, condition: string): Promise<readonly string[]> => {
  const compiled = compileSegment(fields, condition);
  const found: string[] = [];
  for await (const people of findAllPeople(service, '1', { condition: compiled })) found.push(...people.map(({ userId }) => userId));
  return found;
};

describe('segments', () => {
  it(
    'serves others between the pages of a search',
    withCompany(async (service) => {
      const csv = ['phone,city', ...Array.from({ length: 2_100 }, (_, number) => `${51_944_000_000 + number},Lima`)].join('\n');
      const headers = { 'content-type': 'text/csv' };
      await (await createManagement(service).request('/companies/1/contacts/import', { method: 'POST', headers, body: csv })).text();
      let [turns, isOver] = [0, false];
      const others = (async () => {
        for (; !isOver; turns += 1) await setImmediate();
      })();
      expect(await idsOf(service, 'user.fields.city == "Lima"')).toHaveLength(2_100);
      isOver = true;
      await others;
      expect(turns).toBeGreaterThanOrEqual(2);
    }),
  );

  it(
    'are saved, listed, tried out and removed',
    withCompany(async (service, ask) => {
      for (const [index, city] of ['Lima', 'Cusco', 'Lima'].entries())
        await ask('PUT', `/contacts/phone:5199900011${index}`, { names: `P${index}`, fields: { city }, groups: ['vip'] });
      const condition = 'user.fields.city == "Lima"';
      expect(await ask('PUT', '/segments/lima', { condition })).toMatchObject({ status: 200, body: { name: 'lima', condition } });
      expect((await ask('GET', '/segments')).body).toMatchObject({ results: [{ name: 'lima', condition }] });
      const people = [{ names: 'P0' }, { names: 'P2' }];
      expect((await ask('GET', '/segments/lima/preview')).body).toMatchObject({ contacts: 2, examples: people });
      expect((await ask('POST', '/segments/preview', { condition })).body).toMatchObject({ contacts: 2, examples: people });
      expect((await ask('GET', '/segments/lima/contacts')).body).toMatchObject({ results: people, nextCursor: null });
      const pages = [];
      for (let cursor = ''; ; ) {
        const { body } = await ask('GET', `/segments/lima/contacts?limit=1${cursor}`);
        pages.push(...(body['results'] as readonly JsonObject[]));
        if (body['nextCursor'] === null) break;
        cursor = `&cursor=${textOf(body['nextCursor'])}`;
      }
      expect(pages).toMatchObject(people);
      expect(await idsOf(service, '"vip" in user.groups && user.names == "P1"')).toEqual(['51999000111']);
      expect(await ask('DELETE', '/segments/lima')).toMatchObject({ status: 200 });
      expect(await ask('GET', '/segments/lima')).toMatchObject({ status: 404, body: { error: 'SEGMENT_NOT_FOUND' } });
    }),
  );

  it(
    'know when somebody wrote last',
    withPlace(async (place) => {
      const service = await place.open();
      await service.importWorkspace({ workspace: { companies: [company] } });
      const write = (id: string, eventId: string) =>
        service.engine.receiveMessage({ companyId: '1', botId: 'bot_wa', eventId, user: { id }, message: { type: 'text', text: 'hello' } });
      await write('51999000111', 'one');
      place.clock.advanceBy(31 * 86_400_000);
      await write('51999000222', 'two');
      expect(await idsOf(service, 'user.lastInboundAt > now() - duration("P30D")')).toEqual(['51999000222']);
      expect(await idsOf(service, 'user.lastInboundAt < now() - duration("P30D")')).toEqual(['51999000111']);
      expect(await idsOf(service, 'has(user.lastOutboundAt)')).toEqual([]);
    }),
  );

  const refusals: readonly (readonly [condition: string, reason: string])[] = [
    ['user.fields.town == "Lima"', 'town'],
    ['user.fields.cty == "Lima"', 'did you mean city?'],
    ['user.city == "Lima"', 'a contact has no'],
    ['user.fields.age == "old"', 'condition'],
    ['user.fields.age + 1', 'a condition is true or false'],
    ['$context.city == "Lima"', 'user and now()'],
    ['user.fields.city ==', 'missing'],
    ['', 'empty'],
    [`user.fields.city == "${'x'.repeat(4_000)}"`, '4000'],
  ];

  it(
    'are refused with the reason, and not kept',
    withCompany(async (_service, ask) => {
      for (const [condition, reason] of refusals) {
        const { status, body } = await ask('PUT', '/segments/one', { condition });
        expect([condition, status, JSON.stringify(body)]).toEqual([condition, 422, expect.stringContaining(reason)]);
      }
      expect((await ask('GET', '/segments')).body).toEqual({ results: [] });
    }),
  );

  it(
    'find exactly whom their condition fits, whatever the database sorts out first',
    withCompany(async (service, ask) => {
      const text = fc.constantFrom('Lima', 'lima', 'Li%a', 'L_ma', 'Ñuñoa', '"Lima"', 'a\\b', 'Lima, Perú');
      const known = fc.record(
        { city: text, age: fc.constantFrom(17, 18, 19, 1.5), vip: fc.boolean(), likes: fc.array(text, { maxLength: 2 }) },
        { requiredKeys: [] },
      );
      const leaf = fc.oneof(
        text.map((value) => `user.fields.city == ${JSON.stringify(value)}`),
        text.map((value) => `${JSON.stringify(value)} == user.fields.city`),
        text.map((value) => `${JSON.stringify(value)} in user.fields.likes`),
        fc.constantFrom('user.fields.age >= 18', '18 > user.fields.age', 'user.fields.vip', 'user.fields.vip == true'),
        fc.constantFrom(
          'has(user.fields.age)',
          'user.consent == "unknown"',
          'user.consent == "revoked"',
          'user.fields.?city.orValue("") == ""',
        ),
      );
      const { condition } = fc.letrec<{ condition: string }>((tie) => ({
        condition: fc.oneof(
          { maxDepth: 3, withCrossShrink: true },
          leaf,
          tie('condition').map((one) => `!(${one})`),
          fc
            .tuple(tie('condition'), fc.constantFrom('&&', '||'), tie('condition'))
            .map(([one, sign, other]) => `(${one}) ${sign} (${other})`),
        ),
      }));
      const people = fc.sample(known, { numRuns: 40, seed: 7 });
      for (const [index, values] of people.entries()) await ask('PUT', `/contacts/phone:519990${10_000 + index}`, { fields: values });
      await fc.assert(
        fc.asyncProperty(condition, async (source) => {
          const compiled = compileSegment(fields, source);
          const fits = people.flatMap((values, index) => {
            const user: JsonObject = { fields: values, consent: 'unknown' };
            const get = ([, ...steps]: readonly (string | number)[]) =>
              steps.reduce<JsonObject[string] | undefined>(
                (value, step) => (typeof value === 'object' && value !== null ? (value as JsonObject)[String(step)] : undefined),
                user,
              );
            return compiled({ nowMs: 0, get }) ? [`519990${10_000 + index}`] : [];
          });
          expect((await idsOf(service, source)).toSorted()).toEqual(fits.toSorted());
        }),
        { numRuns: 60 },
      );
    }),
  );
});
