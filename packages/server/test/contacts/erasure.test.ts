// Erasing a person: nothing of what they left at any door is found afterwards, in the database, its log, the log of the service or an export;
// whoever stays keeps all of it.
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';
import { asking, companyOf, endOf, findTexts, plant, type Planted, plantedPerson, textOf, textsOf, write } from './erasure-stage.ts';

const ana = plantedPerson('51999000111', 'Ana');
const leo = plantedPerson('51999000222', 'Leo');

/** Rows of tables that no door of this stage fills. */
function insertRows(directory: string, { id, canary }: Planted): void {
  const database = new DatabaseSync(join(directory, 'hilo.db'));
  const one = (sql: string, ...values: string[]) => database.prepare(sql).get(...values) as { readonly id: string };
  const { id: executionId } = one('select execution_id as id from executions where user_key = ? limit 1', id);
  const { id: messageId } = one('select message_id as id from messages where user_key = ? limit 1', id);
  const conversation = one('select id from conversations where user_key = ? limit 1', id);
  const insert = (sql: string, ...values: string[]) => database.prepare(sql).run(...values);
  insert(
    `insert into payments (company_id, payment_id, effect_key, workflow_id, node_id, execution_id, provider, amount, currency, description, status,
      url, created_at_ms, expires_at_ms) values ('1', ?, ?, 'talking', 'pay', ?, 'test', 7, 'USD', ?, 'paid', ?, 1, 2)`,
    `pay-${canary('names')}`.slice(0, 6) + id.slice(-3),
    executionId,
    executionId,
    canary('payment'),
    `https://pay.example/${canary('payment')}`,
  );
  insert(`insert into operator_texts (company_id, conversation_id, text) values ('1', ?, ?)`, conversation.id, canary('operatorText'));
  insert(
    `insert into message_outcomes (company_id, bot_id, message_id, explanation, updated_at_ms) values ('1', 'bot_wa', ?, ?, 1)`,
    messageId,
    canary('explanation'),
  );
  insert(
    `insert into provider_messages (company_id, bot_id, provider_key, message_id, status_rank, explanation, at_ms) values ('1', 'bot_wa', ?, ?, 1, ?, 1)`,
    `wamid.${canary('explanation')}`,
    messageId,
    canary('explanation'),
  );
  database.close();
}

const withPeople = (test: (service: RunningService, ask: ReturnType<typeof asking>, place: Place) => Promise<void>) =>
  withPlace(async (place) => {
    const service = await place.open();
    await service.importWorkspace({ workspace: { companies: [companyOf([ana, leo])] } });
    for (const person of [ana, leo]) {
      await plant(service, person, place.clock.now());
      insertRows(place.directory, person);
    }
    await test(service, asking(service), place);
  });

describe('DELETE …/contacts/{id}', () => {
  it(
    'leaves nothing of the person in the database file, its log, the log of the service and exports, and all of others',
    withPeople(async (service, ask, place) => {
      const before = new Set(findTexts(place.directory, textsOf(ana)).map((found) => found.split(': ')[1]));
      expect(textsOf(ana).filter((text) => !before.has(text))).toEqual([]); // every canary was planted
      const { body: contact } = await ask('GET', `/companies/1/contacts/phone:${ana.id}`);
      const executionId = await firstExecution(service, ana);
      const logged = place.log.lines.length;

      const asked = await ask('DELETE', `/companies/1/contacts/phone:${ana.id}`);
      expect(asked).toMatchObject({ status: 202, body: { jobId: expect.stringMatching(/^erase-con_[0-9a-f]{23}$/) as string } });
      const jobId = textOf(asked.body, 'jobId');
      const job = await endOf(service, place, jobId);
      expect(job).toMatchObject({ kind: 'erase', status: 'done', failure: null, counts: { contacts: 1 } });

      expect(findTexts(place.directory, textsOf(ana))).toEqual([]);
      expect(textsOf(ana).filter((text) => JSON.stringify(place.log.lines.slice(logged)).includes(text))).toEqual([]);
      const exported = JSON.stringify(await service.exportWorkspace());
      expect(textsOf(ana).filter((text) => exported.includes(text))).toEqual([]);
      const others = new Set(findTexts(place.directory, textsOf(leo)).map((found) => found.split(': ')[1]));
      expect(textsOf(leo).filter((text) => !others.has(text))).toEqual([]);

      expect(await ask('GET', `/companies/1/contacts/phone:${ana.id}`)).toMatchObject({ status: 404 });
      expect(await ask('DELETE', `/companies/1/contacts/phone:${ana.id}`)).toMatchObject({ status: 404 });
      expect(await ask('DELETE', `/companies/1/contacts/${textOf(contact, 'id')}`)).toEqual({ status: 202, body: { jobId } });
      for (const [method, path] of [
        ['GET', ''],
        ['POST', '/retry'],
        ['POST', '/fork'],
        ['GET', '/replay'],
      ] as const) {
        const refused = await ask(method, `/executions/${executionId}${path}?companyId=1`, method === 'POST' ? {} : undefined);
        expect(refused).toMatchObject({
          status: 404,
          body: { error: 'EXECUTION_ERASED', message: expect.stringContaining('erased') as string },
        });
      }
      for (const path of [
        `groups/vip/contacts/phone:${ana.id}`,
        `users/${ana.id}`,
        `contacts/bot_wa:${ana.id}`,
        `contacts/bsuid%3A${ana.bsuid}`,
      ])
        await ask('DELETE', `/companies/1/${path}`);
      await ask('POST', `/companies/1/contacts/phone:${ana.id}/export`);
      expect(findTexts(place.directory, textsOf(ana))).toEqual([]); // also not by these requests
      const requests = JSON.stringify(place.log.lines.slice(logged));
      expect(textsOf(ana).filter((text) => requests.includes(text))).toEqual([]);
      expect(requests).toContain('/admin/v1/companies/1/contacts/…/export');

      await write(service, ana, { type: 'text', text: 'hello' });
      await service.engine.whenIdle();
      const { body: again } = await ask('GET', `/companies/1/contacts/phone:${ana.id}`);
      expect(again['id']).not.toBe(contact['id']);
      expect(again).toMatchObject({ fields: {}, groups: [], consent: { marketing: 'unknown' } });
    }),
  );
});

describe('POST …/contacts/{id}/export', () => {
  it(
    'gives everything that is kept of the person, and nothing of others',
    withPeople(async (service) => {
      const answer = await createManagement(service).request(`/companies/1/contacts/phone:${ana.id}/export`, { method: 'POST' });
      expect(answer.status).toBe(200);
      const text = await answer.text();
      expect(JSON.parse(text)).toMatchObject({ companyId: '1', contact: { names: ana.canary('names') } });
      const missing = textsOf(ana).filter((each) => !text.includes(each) && each !== ana.canary('startKey')); // a key of a delivery
      expect(missing).toEqual([]);
      expect(textsOf(leo).filter((each) => text.includes(each))).toEqual([]);
    }),
  );
});

async function firstExecution(service: RunningService, { id }: Planted): Promise<string> {
  const { results } = await service.company('1').executions({ userId: id, limit: 1 });
  return results[0]?.executionId ?? '';
}
