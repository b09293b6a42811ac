// Campaigns that are made over HTTP: whom they are for, what they are filled with, tried out first, paused, added to and looked back on.
import type { JsonObject } from '@hilo/engine/contract';
import { call } from '@hilo/stores';
import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { statement } from '../../src/platform/database/schema.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';
import { isOver, passTime, progressOf, templatesTo, until } from './campaigns-progress.ts';
import { callOf, phones } from './campaigns-stage.ts';

const template = (id: string, category: string, status = 'APPROVED', body = 'Hello {{1}}') => ({
  id,
  botId: 'bot_wa',
  elementName: `${id}_name`,
  language: 'en',
  category,
  status,
  body,
});
const ana = '51999000111';
const company = {
  id: 1,
  name: 'Acme',
  plan: 'growth',
  fields: [{ key: 'city', label: 'City', type: 'text' }],
  consent: { stop: ['STOP'], start: ['START'] },
  clients: [{ clientId: 'acme-client', clientSecret: 's3c:ret-of-acme' }],
  bots: [{ id: 'bot_wa', name: 'WA', channel: 'whatsapp', connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } }],
  templates: [template('promo', 'MARKETING'), template('soon', 'MARKETING', 'PENDING'), template('plain', 'MARKETING', 'APPROVED', 'Hi')],
  users: [{ id: ana, names: 'Ana' }, { id: '51999000222', names: 'Ben' }, { id: '51999000333' }],
};

const asking = (service: RunningService) => {
  const management = createManagement(service);
  return async (method: string, path: string, body?: object) => {
    const answer = await management.request(`/companies/1${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    });
    const text = await answer.text();
    const isCsv = answer.headers.get('content-type')?.startsWith('text/csv') === true;
    return { status: answer.status, body: (isCsv ? { text } : JSON.parse(text)) as JsonObject, text };
  };
};

type Ask = ReturnType<typeof asking>;
const withCompany = (test: (service: RunningService, ask: Ask, place: Place) => Promise<void>) =>
  withPlace(async (place) => {
    const service = await place.open();
    await service.importWorkspace({ workspace: { companies: [company] } });
    await test(service, asking(service), place);
  });

const users = company.users.map(({ id }) => id);
const spring = (more: object = {}) => ({
  name: 'Spring',
  botId: 'bot_wa',
  templateId: 'promo',
  audience: { users },
  parameters: { 1: '{{user.names}}' },
  ...more,
});
const idOf = ({ id }: JsonObject): string => (typeof id === 'string' ? id : '');
const holder = statement<{ readonly id: string }>()((db, { id }) => db.selectFrom('campaigns').select('claimed_by').where('id', '=', id));
let events = 0;
const says = (service: RunningService, id: string, text: string) =>
  service.engine.receiveMessage({
    companyId: '1',
    botId: 'bot_wa',
    eventId: `event-${(events += 1)}`,
    user: { id },
    message: { type: 'text', text },
    ...(text === 'STOP' && { consent: 'revoked' as const }),
  });

/** Says which campaign its message answers. */
const asks = {
  schemaVersion: 1,
  id: 'which',
  name: 'Which',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['which'] } },
    { id: 'say', type: 'message', data: { message: { type: 'text', text: 'It is {{$campaign.id ?? "none"}}' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'say' },
    { source: 'say', sourceHandle: 'sent', target: 'done' },
  ],
};

describe('an execution that a reply to a campaign starts', () => {
  it(
    'has its id, within 24 hours and through the bot of the campaign, and no other one has it',
    withCompany(async (service, _ask, { clock }) => {
      await service.importWorkspace({ workspace: { companies: [{ ...company, workflows: [{ canvas: asks, publish: true }] }] } });
      const toldOf = async (userId: string): Promise<unknown> => {
        await says(service, userId, 'which');
        await service.engine.whenIdle();
        const { results } = await service.messages.list('1', 'bot_wa', { userId, limit: 1, order: 'desc' });
        return results[0]?.message['text'];
      };
      expect(await toldOf(ana)).toBe('It is none');
      const ids: string[] = [];
      for (const name of ['First', 'Second']) {
        const made = await callOf(service)('POST /v1/campaigns', {
          body: spring({ name, templateId: 'plain', parameters: {}, audience: { users: [ana] } }),
        });
        ids.push(idOf(made.body as JsonObject));
        await until(service, clock, ids.at(-1) ?? '', isOver);
        clock.advanceBy(1_000);
      }
      expect(await toldOf(ana)).toBe(`It is ${ids[1]}`);
      expect(await toldOf('51999000222')).toBe('It is none');
      clock.advanceBy(86_400_000);
      expect(await toldOf(ana)).toBe('It is none');
    }),
  );
});

describe('a campaign that is made', () => {
  it.each([
    ['users', { users: ['51999000222', '+51 999 000 222', '(51) 999-000.222'] }],
    ['csv', { csv: 'phone,city\n51999000222,Lima\n+51 999 000 222,Lima\n(51) 999-000.222,Lima\n' }],
  ])('has one person for all ways in which people write a number: %s', (_kind, audience) =>
    withCompany(async (service, ask) => {
      await says(service, '51999000222', 'STOP');
      const tried = await ask('POST', '/campaigns?dryRun=true', spring({ audience }));
      expect(tried).toMatchObject({ status: 200, body: { recipients: 1, duplicates: 2, noConsent: 1 } });
    })(),
  );

  it(
    'is tried out, writing nothing: who, twice, without consent, without a value',
    withCompany(async (service, ask) => {
      await says(service, '51999000222', 'STOP');
      const tried = await ask('POST', '/campaigns?dryRun=true', spring({ audience: { users: [...users, ana, `phone:${ana}`] } }));
      expect(tried).toMatchObject({
        status: 200,
        body: { recipients: 3, duplicates: 2, noConsent: 1, missingParameters: [{ user: '51999000333', parameter: '1' }] },
      });
      expect(Object.keys(tried.body)).toEqual(['recipients', 'duplicates', 'noConsent', 'missingParameters']);
      const { body: list } = await callOf(service)('GET /v1/campaigns');
      expect(list).toMatchObject({ data: { results: [] } });
    }),
  );

  it(
    'reaches its people, fills their values, and tells what became of each',
    withCompany(async (service, ask, { clock }) => {
      await says(service, '51999000222', 'STOP');
      const made = await callOf(service)('POST /v1/campaigns', { body: spring() });
      expect(made).toMatchObject({
        status: 201,
        body: { name: 'Spring', elementName: 'promo_name', botId: 'bot_wa', status: 'PENDING', totalMessages: 3, deliveredMessages: 0 },
      });
      const id = idOf(made.body as JsonObject);
      await until(service, clock, id, isOver);
      expect(await progressOf(service, id)).toMatchObject({ deliveredMessages: 1, failedMessages: 1, skipped: { consent: 1 } });
      const { results } = await service.messages.list('1', 'bot_wa', { userId: ana, limit: 5 });
      expect(JSON.stringify(results)).toContain('Ana');
      await says(service, ana, 'thanks');
      expect((await ask('GET', `/campaigns/${id}/report`)).body).toEqual({
        recipients: 3,
        pending: 0,
        sent: 1,
        delivered: 0,
        read: 0,
        replied: 1,
        failed: { INVALID_PARAMETERS: 1 },
        skipped: { consent: 1 },
      });
      const lines = (await ask('GET', `/campaigns/${id}/results`)).text.split('\r\n');
      expect(lines[0]).toBe('user,status,messageId,error,at');
      expect(lines[1]).toMatch(/^51999000111,sent,[^,]+,,2031-/);
      expect(lines[2]).toMatch(/^51999000222,skipped,,NO_CONSENT,2031-/);
      expect(lines[3]).toMatch(/^51999000333,failed,,INVALID_PARAMETERS,2031-/);
      const rest = await callOf(service)(`GET /v1/campaigns/${id}/report`);
      expect(rest.body).toMatchObject({ recipients: 3 });
    }),
  );

  it(
    'is for a group, a segment or the rows of a CSV',
    withCompany(async (service, ask, { clock }) => {
      await ask('PATCH', `/contacts/phone:${ana}`, { groups: ['vip'], fields: { city: 'Lima' } });
      await ask('PUT', '/segments/lima', { condition: 'user.fields.city == "Lima"' });
      const counted = [
        [{ group: 'vip' }, 1],
        [{ segment: 'lima' }, 1],
        [{ csv: 'user;code\r\n51999000111;=A1\r\n51999000999;B2\r\n' }, 2],
      ] as const;
      for (const [audience, recipients] of counted)
        expect((await ask('POST', '/campaigns?dryRun=true', spring({ audience }))).body).toMatchObject({ recipients });
      const made = await ask('POST', '/campaigns', spring({ audience: counted[2][0], parameters: { 1: '{{row.code}}' } }));
      await until(service, clock, idOf(made.body), isOver);
      const { results } = await service.messages.list('1', 'bot_wa', { limit: 5 });
      expect(results.map(({ userId, message }) => [userId, message['parameters']])).toEqual([
        [ana, { 1: '=A1' }],
        ['51999000999', { 1: 'B2' }],
      ]);
    }),
  );

  it(
    'waits while it is paused, and goes on where it was',
    withCompany(async (service, ask, { clock }) => {
      const many = phones(60);
      const made = await ask(
        'POST',
        '/campaigns',
        spring({ perSecond: 1, templateId: 'plain', parameters: {}, audience: { users: many } }),
      );
      const id = idOf(made.body);
      await until(service, clock, id, ({ deliveredMessages }) => deliveredMessages > 0);
      expect(await ask('POST', `/campaigns/${id}/pause`)).toMatchObject({
        status: 200,
        body: { paused: { reason: 'paused by operator' } },
      });
      // It is given back once what was being handed over is settled.
      while ((await service.store.runner.readOne(call(holder, { id })))?.claimed_by !== null) await passTime(clock, 250);
      const paused = await progressOf(service, id);
      expect(paused.status).toBe('IN_PROGRESS');
      expect(paused.deliveredMessages).toBeLessThan(60);
      for (let seconds = 0; seconds < 30; seconds += 1) await passTime(clock, 1_000);
      expect(await progressOf(service, id)).toEqual(paused);
      expect(await ask('POST', `/campaigns/${id}/resume`)).toMatchObject({ status: 200 });
      await until(service, clock, id, isOver);
      expect((await templatesTo(service)).toSorted()).toEqual(many);
      expect(await ask('POST', `/campaigns/${id}/pause`)).toMatchObject({ status: 422 });
      expect(await ask('POST', `/campaigns/${id}/resume`)).toMatchObject({ status: 422 });
    }),
  );

  it(
    'takes further recipients while it is SCHEDULED, each once',
    withCompany(async (service, ask) => {
      const made = await ask('POST', '/campaigns', spring({ audience: { users: [ana] }, scheduledAt: '2031-04-01T00:00:00Z' }));
      expect(made.body).toMatchObject({ status: 'SCHEDULED', scheduledAt: '2031-04-01T00:00:00.000Z', totalMessages: 1 });
      const id = idOf(made.body);
      const adding = { audience: { users: [...users, ana] }, parameters: { 1: 'you' } };
      expect(await ask('POST', `/campaigns/${id}/recipients`, adding)).toMatchObject({ status: 200, body: { added: 2, duplicates: 2 } });
      expect(await ask('POST', `/campaigns/${id}/recipients`, adding)).toMatchObject({ status: 200, body: { added: 0, duplicates: 4 } });
      expect((await ask('GET', `/campaigns/${id}`)).body).toMatchObject({ totalMessages: 3 });
      await callOf(service)(`DELETE /v1/campaigns/${id}`);
      expect(await ask('POST', `/campaigns/${id}/recipients`, adding)).toMatchObject({ status: 422 });
    }),
  );

  it(
    'is changed and cancelled in management while it is SCHEDULED',
    withCompany(async (service, ask) => {
      const id = idOf((await ask('POST', '/campaigns', spring({ scheduledAt: '2031-04-01T00:00:00Z' }))).body);
      const path = `/campaigns/${id}`;
      expect(await ask('PATCH', path, { name: 'Summer', scheduledAt: '2031-06-01T09:00:00-05:00' })).toMatchObject({
        status: 200,
        body: { name: 'Summer', status: 'SCHEDULED', scheduledAt: '2031-06-01T14:00:00.000Z' },
      });
      for (const body of [{}, { scheduledAt: '2020-01-01T00:00:00Z' }, { name: '' }, { colour: 'red' }])
        expect([body, (await ask('PATCH', path, body)).status]).toEqual([body, 422]);
      expect(await ask('POST', `${path}/cancel`)).toMatchObject({ status: 200, body: { name: 'Summer', status: 'CANCELLED' } });
      expect(await ask('POST', `${path}/cancel`)).toMatchObject({ status: 422 });
      expect(await ask('PATCH', path, { name: 'Again' })).toMatchObject({ status: 422 });
      expect(await ask('POST', '/campaigns/none/cancel')).toMatchObject({ status: 404 });
      expect(await ask('PATCH', '/campaigns/none', { name: 'x' })).toMatchObject({ status: 404 });
      expect(await templatesTo(service)).toEqual([]);
    }),
  );

  it(
    'is one for a repeated Idempotency-Key',
    withCompany(async (service) => {
      const management = createManagement(service);
      const send = async () => {
        const headers = { 'content-type': 'application/json', 'idempotency-key': 'spring-1' };
        const answer = await management.request('/companies/1/campaigns', { method: 'POST', headers, body: JSON.stringify(spring()) });
        return { status: answer.status, body: (await answer.json()) as JsonObject };
      };
      const [one, other] = [await send(), await send()];
      expect(one.status).toBe(201);
      expect(other).toMatchObject({ status: 201, body: { id: one.body['id'] } });
    }),
  );

  const refusals: readonly (readonly [what: string, more: object, status: number, reason: string])[] = [
    ['an unknown bot', { botId: 'nobody' }, 404, 'BOT_NOT_FOUND'],
    ['an unknown template', { templateId: 'nothing' }, 400, 'INVALID_TEMPLATE'],
    ['a template that is not approved', { templateId: 'soon' }, 400, 'PENDING'],
    ['an unknown group', { audience: { group: 'nobody' } }, 404, 'GROUP_NOT_FOUND'],
    ['an unknown segment', { audience: { segment: 'nobody' } }, 404, 'SEGMENT_NOT_FOUND'],
    ['an unknown contact', { audience: { users: ['con_00000000000000000000000'] } }, 404, 'CONTACT_NOT_FOUND'],
    ['no user', { audience: { users: [] } }, 422, 'the audience is empty'],
    ['a user who is too long', { audience: { users: ['x'.repeat(513)] } }, 422, 'longer than 512'],
    ['one in a row', { audience: { csv: `user\n${'x'.repeat(513)}\n` } }, 422, 'longer than 512'],
    ['no row', { audience: { csv: 'user\n' } }, 422, 'the audience is empty'],
    ['no column of users', { audience: { csv: 'name\nAna\n' } }, 422, 'no column'],
    ['digits that a spreadsheet has lost', { audience: { csv: 'phone\n5.19991E+10\n' } }, 422, 'scientific notation'],
    ['digits that it has added', { audience: { csv: 'phone\n51999000111.0\n' } }, 422, 'with decimals'],
    ['two audiences', { audience: { users, group: 'vip' } }, 422, 'not users and group together'],
    ['none', { audience: {} }, 422, 'it has none'],
    ['a time that has passed', { scheduledAt: '2020-01-01T00:00:00Z' }, 422, 'not later than now'],
    ['a time without a zone', { scheduledAt: '2032-01-01T00:00:00' }, 422, 'time zone'],
    ['no message a second', { perSecond: 0 }, 422, 'perSecond is at least 1'],
    ['half a message a second', { perSecond: 0.5 }, 422, 'whole number'],
    ['a parameter too many', { parameters: { 1: 'a', 2: 'b' } }, 400, 'INVALID_PARAMETERS'],
    ['a parameter too few', { parameters: {} }, 400, 'INVALID_PARAMETERS'],
    ['an expression that is none', { parameters: { 1: '{{user.}}' } }, 422, 'parameters'],
    ['braces without an end', { parameters: { 1: 'Hi {{user.names' } }, 422, 'the \\"}}\\" behind \\"{{user.names\\" is missing'],
    ['braces that end half', { parameters: { 1: '{{user.names}} and {{ you }' } }, 422, 'is missing'],
    ['a field that the company does not keep', { parameters: { 1: '{{user.fields.ctiy}}' } }, 422, 'did you mean city'],
    ['the same beside what is read instead', { parameters: { 1: '{{user.fields.?ctiy.orValue("x")}}' } }, 422, 'did you mean city'],
    ['what no contact has', { parameters: { 1: '{{user.name}}' } }, 422, 'did you mean names'],
    ['a column where there is no CSV', { parameters: { 1: '{{row.code}}' } }, 422, 'row is a line of a CSV'],
    [
      'a column that the CSV has not',
      { audience: { csv: `user,code\n${ana},A1` }, parameters: { 1: '{{row.cod}}' } },
      422,
      'did you mean code',
    ],
    ['a variable of no person', { parameters: { 1: '{{$context.name}}' } }, 422, 'reads user or row'],
    ['a field that there is not', { colour: 'red' }, 422, 'colour'],
  ];

  it(
    'is refused for each of these, with nothing written',
    withCompany(async (service, ask) => {
      for (const [what, more, status, reason] of refusals) {
        const refused = await ask('POST', '/campaigns', spring(more));
        expect([what, refused.status, refused.text]).toEqual([what, status, expect.stringContaining(reason)]);
      }
      expect((await callOf(service)('GET /v1/campaigns')).body).toMatchObject({ data: { results: [] } });
    }),
  );
});
