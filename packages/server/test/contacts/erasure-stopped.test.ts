// An erasure under trouble: a process that dies at any page, what races with it, and what is asked for wrongly.
import type { JsonObject } from '@hilo/engine/contract';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { eraseJob } from '../../src/contacts/erasure/erase-job.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';
import { openDatabase } from '../data/runtime.ts';
import { asking, companyOf, endOf, findTexts, plant, plantedPerson, textOf, textsOf, write } from './erasure-stage.ts';

const ana = plantedPerson('51999000111', 'Ana');
const leo = plantedPerson('51999000222', 'Leo');
/** What only rows hold that the stage inserts past the service. */
const byRowsAlone = new Set((['payment', 'operatorText', 'explanation'] as const).map(ana.canary));

const openWith = async (place: Place): Promise<RunningService> => {
  const service = await place.open();
  await service.importWorkspace({ workspace: { companies: [companyOf([ana, leo]), { id: 2, name: 'Other', plan: 'growth' }] } });
  return service;
};

/** Does the pages of an erasure one by one. @param died - which of them are done twice, as after a death before they were kept */
async function eraseBy(service: RunningService, contactId: string, died: (page: number) => boolean): Promise<number> {
  let place: JsonObject[string] = null;
  for (let pages = 1; ; pages += 1) {
    const call = {
      jobId: 'f'.repeat(32),
      companyId: '1',
      createdBy: 'operator maria',
      spec: { contactId },
      place,
      cursor: 0,
      counts: {},
      atMost: undefined,
      isAgain: false,
      size: 100,
      signal: new AbortController().signal,
      each: async <Item>(items: readonly Item[], act: (item: Item) => Promise<void>) => {
        for (const item of items) await act(item);
      },
    };
    if (died(pages)) await eraseJob.page(call, service);
    const { next } = await eraseJob.page(call, service);
    if (next === null) return pages;
    place = next;
  }
}

/** Every row of a database on PostgreSQL that has one of some texts. */
async function findRows(url: string, texts: readonly string[]): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_type = 'BASE TABLE'
      and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ text: string }>(`select row_to_json(t)::text as text from ${name} as t`);
    found.push(...rows.flatMap(({ text }) => texts.filter((each) => text.includes(each)).map((each) => `${name}: ${each}`)));
  }
  await client.end();
  return found;
}

describe('an erasure on PostgreSQL', () => {
  it('leaves no row of the person, and those of others', async () => {
    const { databaseUrl, ...others } = await openDatabase();
    await withPlace(
      async (place) => {
        const service = await openWith(place);
        for (const person of [ana, leo]) await plant(service, person, place.clock.now());
        const planted = textsOf(ana).filter((text) => !byRowsAlone.has(text));
        const before = (await findRows(databaseUrl, planted)).map((row) => row.split(': ')[1]);
        expect(planted.filter((text) => !before.includes(text))).toEqual([]);
        const asked = await asking(service)('DELETE', `/companies/1/contacts/phone:${ana.id}`);
        expect(await endOf(service, place, textOf(asked.body, 'jobId'))).toMatchObject({ status: 'done', failure: null });
        expect(await findRows(databaseUrl, textsOf(ana))).toEqual([]);
        expect((await findRows(databaseUrl, [leo.canary('text')])).length).toBeGreaterThan(0);
      },
      async () => ({ databaseUrl, ...others }),
    )();
  });
});

describe('an erasure', () => {
  it(
    'comes to the same where each of its pages is done twice, since its process died before it was kept',
    withPlace(async (place) => {
      const service = await openWith(place);
      await plant(service, ana, place.clock.now());
      const { body } = await asking(service)('GET', `/companies/1/contacts/phone:${ana.id}`);
      expect(await eraseBy(service, textOf(body, 'id'), () => true)).toBeGreaterThan(10);
      expect(findTexts(place.directory, textsOf(ana))).toEqual([]);
      expect(await eraseBy(service, textOf(body, 'id'), () => false)).toBe(1); // there is nobody any more
    }),
  );

  it(
    'goes on at the next start, also of two open executions, and what comes meanwhile goes with it',
    withPlace(async (place) => {
      const service = await openWith(place);
      const ask = asking(service);
      await write(service, ana, { type: 'text', text: 'hello' });
      await write(service, ana, { type: 'text', text: 'hello' }, 'bot_web');
      await service.engine.whenIdle();
      const path = `/companies/1/contacts/phone:${ana.id}`;
      const [one, other] = await Promise.all([ask('DELETE', path), ask('DELETE', path)]);
      expect(one).toMatchObject({ status: 202 });
      expect(other).toEqual(one);
      await write(service, ana, { type: 'text', text: ana.canary('text') });
      await service.close();
      const again = await place.open();
      const job = await endOf(again, place, textOf(one.body, 'jobId'));
      expect(job).toMatchObject({ status: 'done', failure: null });
      await again.engine.whenIdle();
      expect(findTexts(place.directory, textsOf(ana))).toEqual([]);
      expect((await again.company('1').executions({ userId: ana.id, limit: 5 })).results).toEqual([]);
      expect(await asking(again)('GET', '/audit?companyId=1&action=eraseContact')).toMatchObject({
        body: {
          results: expect.arrayContaining([
            expect.objectContaining({ object: { kind: 'contact', id: expect.stringMatching(/^con_/) as string } }),
          ]) as unknown,
        },
      });
    }),
  );

  it(
    'is refused for nobody, for another company, and for hostile names, with a sentence',
    withPlace(async (place) => {
      const service = await openWith(place);
      const ask = asking(service);
      await write(service, ana, { type: 'text', text: 'hello' });
      await service.engine.whenIdle();
      const { body } = await ask('GET', `/companies/1/contacts/phone:${ana.id}`);
      const id = textOf(body, 'id');
      for (const [company, name] of [
        ['1', 'phone:51999000999'],
        ['1', 'con_00000000000000000000000'],
        ['2', id],
        ['2', `phone:${ana.id}`],
        ['9', id],
        ['1', "x' or 1=1 --"],
        ['1', '%_%\u0000\ud800'.toWellFormed()],
        ['1', '../../users'],
      ] as const) {
        const named = `/companies/${company}/contacts/${encodeURIComponent(name)}`;
        for (const [method, path] of [
          ['DELETE', named],
          ['POST', `${named}/export`],
        ] as const)
          expect(await ask(method, path)).toMatchObject({ status: 404, body: { message: expect.stringMatching(/\w/) as string } });
      }
      expect(await ask('DELETE', '/companies/1/contacts/phone:abc')).toMatchObject({ status: 400 });
      expect((await ask('GET', `/companies/1/contacts/${id}`)).status).toBe(200);
    }),
  );

  it(
    'reaches the person under every spelling of their number, and leaves others',
    withPlace(async (place) => {
      const service = await openWith(place);
      const ask = asking(service);
      const [mexican, other] = [plantedPerson('5215512345678', 'Eva'), plantedPerson('525512345678', 'Eva')];
      await write(service, mexican, { type: 'text', text: 'hello' });
      await service.engine.whenIdle();
      await write(service, { ...other, bsuid: mexican.bsuid }, { type: 'text', text: mexican.canary('text') });
      await service.engine.whenIdle();
      await ask('PUT', `/companies/1/contacts/phone:${leo.id}`, { names: 'Neighbour' });
      const asked = await ask('DELETE', '/companies/1/contacts/phone:525512345678');
      expect(await endOf(service, place, textOf(asked.body, 'jobId'))).toMatchObject({ status: 'done', failure: null });
      expect(findTexts(place.directory, [...textsOf(mexican), other.id])).toEqual([]);
      expect((await ask('GET', `/companies/1/contacts/phone:${leo.id}`)).status).toBe(200);
    }),
  );
});
