import type { JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { createApp, createManagement } from '../../src/service/app.ts';
import { readInbox } from '../../src/conversations/inbox.ts';
import { createInboxFeed } from '../../src/conversations/inbox-feed.ts';
import type { Place } from '../data/open-for-test.ts';
import { activeOf, ana, type Desk, deskOf, helpDesk } from './conversations-stage.ts';
import { isOver, until } from './campaigns-progress.ts';
import { describeOverEachStore } from './each-store.ts';

const ben = '5215512345679';

/** Ana and Ben were handed over, Ana a minute before Ben. */
async function twoWait({ open, clock }: Pick<Place, 'open' | 'clock'>) {
  const service = await open();
  await service.importWorkspace({ workspace: await helpDesk() });
  const desk = deskOf(service);
  await desk.writes('help');
  clock.advanceBy(60_000);
  await desk.writes('help', ben);
  return { service, desk, ofAna: await activeOf(desk), ofBen: await activeOf(desk, ben) };
}

interface Inbox {
  readonly results: readonly {
    readonly _id: string;
    readonly unread: number;
    readonly waitingSince: string | null;
    readonly lastMessage: JsonObject | null;
  }[];
  readonly nextCursor: string | null;
  readonly counts: JsonObject;
}

const inboxOf = async (desk: Desk, query = ''): Promise<Inbox> => (await desk.does(`GET /inbox${query}`)) as unknown as Inbox;
const idsOf = ({ results }: Inbox): readonly string[] => results.map(({ _id }) => _id);

describeOverEachStore('the inbox', (on) => {
  it(
    'shows who has waited longest first, with the last message, and who was answered after those who wait',
    on(async (place) => {
      const { desk, ofAna, ofBen } = await twoWait(place);
      const { results, counts } = await inboxOf(desk);
      expect(results.map(({ _id }) => _id)).toEqual([ofAna, ofBen]);
      expect(results[0]).toMatchObject({ unread: 1, lastMessage: { by: 'user', type: 'text', text: 'help' }, channel: 'whatsapp' });
      expect(counts).toMatchObject({ open: 2, waiting: 2, withoutOperator: { open: 0, waiting: 0 } });
      await desk.does(`POST /conversations/${ofAna}/messages`, { type: 'text', text: 'I am Olga' });
      const after = await inboxOf(desk);
      expect(after.results.map(({ _id, waitingSince }) => [_id, waitingSince === null])).toEqual([
        [ofBen, false],
        [ofAna, true],
      ]);
      expect(after.counts).toMatchObject({ open: 2, waiting: 1 });
    }),
    120_000,
  );

  it(
    'is filtered by operator, by team, by those without, and by a part of the name or the number, whose signs are no patterns',
    on(async (place) => {
      const { service, desk, ofAna, ofBen } = await twoWait(place);
      await desk.does(`POST /conversations/${ofBen}/assign`, { operatorId: 11 });
      expect(idsOf(await inboxOf(desk, '?whose=operator&operatorId=11'))).toEqual([ofBen]);
      expect(idsOf(await inboxOf(desk, '?whose=team&teamName=Support'))).toContain(ofAna);
      expect(idsOf(await inboxOf(desk, '?whose=team&teamName=nobody'))).toEqual([]);
      expect(idsOf(await inboxOf(desk, '?whose=unassigned'))).toEqual([]);
      expect(idsOf(await inboxOf(desk, '?q=aNa'))).toEqual([ofAna]);
      expect(idsOf(await inboxOf(desk, `?q=${ben.slice(4)}`))).toEqual([ofBen]);
      expect(idsOf(await inboxOf(desk, '?q=%C3%81N%C3%83'))).toEqual([ofAna]); // ÁNÃ
      expect(idsOf(await inboxOf(desk, '?q=%2B52%201%2055'))).toEqual([ofAna, ofBen]); // +52 1 55
      for (const sign of ['%25', '_', '!', '*', '?', '[', '.', '%25a%25', "'"])
        expect(idsOf(await inboxOf(desk, `?q=${sign}`))).toEqual([]);
      const first = await inboxOf(desk, '?limit=1');
      expect([idsOf(first), idsOf(await inboxOf(desk, `?limit=1&cursor=${first.nextCursor}`))]).toEqual([[ofAna], [ofBen]]);
      // A search looks through some in each turn, and answers as if it were all at once.
      for (const inTurn of [1, 2, 3])
        for (const [search, all] of [['+52 1 55', [ofAna, ofBen]] as const, ['ana', [ofAna]] as const])
          for (const [offset, limit] of [[0, 1] as const, [0, 2] as const, [1, 1] as const, [2, 1] as const]) {
            const found = await readInbox(service.store.runner, { companyId: '1', whose: { kind: 'all' }, search, offset, limit }, inTurn);
            expect([inTurn, offset, found.map(({ id }) => id)]).toEqual([inTurn, offset, all.slice(offset, offset + limit)]);
          }
      expect((await desk.admin('GET /inbox?whose=operator')).status).toBe(422);
      expect((await desk.admin('GET /inbox?whose=team')).status).toBe(422);
    }),
    120_000,
  );

  it(
    'counts what was written since it was read, and a mark never moves back',
    on(async (place) => {
      const { desk, ofAna } = await twoWait(place);
      place.clock.advanceBy(1_000);
      await desk.writes('are you there?');
      const unread = async () => (await inboxOf(desk, `?q=${ana}`)).results[0]?.unread;
      expect(await unread()).toBe(2);
      const { until } = await desk.does(`POST /inbox/${ofAna}/read`, {});
      expect(await unread()).toBe(0);
      expect(await desk.does(`POST /inbox/${ofAna}/read`, { until: '2020-01-01T00:00:00Z' })).toEqual({ until });
      expect(await unread()).toBe(0);
      place.clock.advanceBy(1_000);
      await desk.writes('hello?');
      expect(await unread()).toBe(1);
      expect((await desk.admin(`POST /inbox/${ofAna}/read`, { until: 'yesterday' })).status).toBe(422);
    }),
    120_000,
  );

  it(
    'shows what the bot said and knew, the window, and what can be sent once it is closed',
    on(async (place) => {
      const { desk, ofAna } = await twoWait(place);
      const path = `/inbox/${ofAna}`;
      const open = await desk.does(`GET ${path}`);
      expect(open).toMatchObject({ conversation: { _id: ofAna }, window: { isOpen: true }, execution: { workflowId: 'help' } });
      expect(open).toMatchObject({ contact: { fields: {}, groups: [], marketing: 'unknown' }, fields: [] });
      place.clock.advanceBy(23 * 3_600_000);
      await desk.does(`POST /conversations/${ofAna}/messages`, { type: 'text', text: 'still here' });
      place.clock.advanceBy(2 * 3_600_000);
      expect(await desk.does(`GET ${path}`)).toMatchObject({ window: { isOpen: false } });
      const refused = await desk.admin(`POST /conversations/${ofAna}/messages`, { type: 'text', text: 'too late' });
      expect(refused).toMatchObject({ status: 400, body: { error: 'OUTSIDE_SESSION_WINDOW' } });
      const { templates } = (await desk.does(`GET ${path}`)) as unknown as {
        readonly templates: readonly { readonly id: string; readonly parameters: readonly string[] }[];
      };
      const [template] = templates;
      const parameters = Object.fromEntries((template?.parameters ?? []).map((name) => [name, 'x']));
      expect(await desk.does(`POST ${path}/templates`, { templateId: template?.id, parameters })).toMatchObject({ success: true });
      const lacking = await desk.admin(`POST ${path}/templates`, { templateId: template?.id, parameters: { what: 'x' } });
      expect(lacking).toMatchObject({ status: 400, body: { error: 'INVALID_PARAMETERS' } });
      expect(await desk.admin(`POST ${path}/templates`, { templateId: 'none' })).toMatchObject({ body: { error: 'INVALID_TEMPLATE' } });
      const { results } = await desk.does(`GET ${path}/messages`);
      expect(results).toMatchObject([
        { by: 'operator', message: { type: 'template' } },
        { by: 'operator', message: { text: 'still here' } },
        { by: 'user', message: { text: 'help' } },
      ]);
    }),
    120_000,
  );

  it(
    'shows what a campaign said as the bot, not as a person, and who waits waits on',
    on(async (place) => {
      const { service, desk, ofAna } = await twoWait(place);
      const spring = {
        name: 'Spring',
        botId: 'bot_wa',
        templateId: 'tpl1',
        audience: { users: [ana] },
        parameters: { name: 'Ana', code: 'A1' },
      };
      const made = await desk.call('POST /v1/campaigns', { body: spring });
      await until(service, place.clock, (made.body as { readonly id: string }).id, isOver);
      const [first] = (await inboxOf(desk, '?q=ana')).results;
      expect(first).toMatchObject({ lastMessage: { by: 'bot', type: 'template' } });
      expect(first?.waitingSince).not.toBeNull();
      const { results } = await desk.does(`GET /inbox/${ofAna}/messages`);
      expect(results).toMatchObject([{ by: 'bot', message: { type: 'template' }, executionId: null }, { by: 'user' }]);
    }),
    120_000,
  );

  it(
    'shows what the company keeps of the person, and what is personal to those alone who may view contacts',
    on(async ({ open }) => {
      const service = await open();
      const fields = [
        { key: 'city', label: 'City', type: 'text' },
        { key: 'income', label: 'Income', type: 'number', isPersonal: true },
        { key: 'plan', label: 'Plan', type: 'text' },
      ];
      await service.importWorkspace({ workspace: await helpDesk({}, { '/companies/0/fields': fields }) });
      const desk = deskOf(service);
      await desk.writes('help');
      const id = await activeOf(desk);
      const body = JSON.stringify({ fields: { city: 'Lima', income: 7 }, groups: ['vip'], consent: { marketing: 'revoked' } });
      await createManagement(service).request(`/companies/1/contacts/${ana}`, { method: 'PATCH', body });
      expect(await desk.does(`GET /inbox/${id}`)).toMatchObject({
        contact: { fields: { city: 'Lima', income: 7 }, groups: ['vip'], marketing: 'revoked' },
        fields: [{ key: 'city', label: 'City' }, { key: 'income' }, { key: 'plan' }],
      });
      const answering = createApp({ ...service, authorize: () => ({ name: 'olga', can: ['answer'], companies: ['1'] }) });
      const seen = (await (await answering.request(`/admin/v1/inbox/${id}?companyId=1`)).json()) as JsonObject;
      expect(seen['contact']).toMatchObject({ groups: ['vip'] });
      expect([seen['contact'], seen['fields']]).toMatchObject([{ fields: { city: 'Lima' } }, [{ key: 'city' }, { key: 'plan' }]]);
      expect(JSON.stringify(seen['contact'])).not.toContain('income');
      expect(JSON.stringify(seen['execution'])).not.toContain('"income":7');
    }),
    120_000,
  );

  it(
    'tags a conversation, and names who can answer it',
    on(async (place) => {
      const { desk, ofAna } = await twoWait(place);
      const { operators, tags, operatorId } = await desk.does('GET /inbox/people');
      expect([operators, tags]).toMatchObject([
        expect.arrayContaining([expect.objectContaining({ id: 10, names: 'Olga' })]),
        expect.any(Array),
      ]);
      expect(operatorId).toBeNull();
      expect(await desk.does(`PUT /inbox/${ofAna}/tags`, { tags: [2, 1] })).toEqual({ tags: [1, 2] });
      expect(await desk.does(`GET /inbox/${ofAna}`)).toMatchObject({ tags: [1, 2] });
      expect((await desk.admin(`PUT /inbox/${ofAna}/tags`, { tags: [99] })).status).toBe(422);
      for (const path of ['', '/messages', '/read', '/tags', '/templates']) {
        const verb = { '/read': 'POST', '/tags': 'PUT', '/templates': 'POST' }[path] ?? 'GET';
        const body = { '/read': {}, '/tags': { tags: [] }, '/templates': { templateId: 'tpl1' } }[path];
        expect([path, (await desk.admin(`${verb} /inbox/none${path}`, body)).status]).toEqual([path, 404]);
      }
    }),
    120_000,
  );

  it(
    'streams a change after a message, an assignment and an end',
    on(async (place) => {
      const { service, desk, ofAna } = await twoWait(place);
      const response = await createManagement(service).request('/inbox/events?companyId=1');
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      const next = async () => (await reader?.read())?.value;
      const acts = [
        () => desk.writes('are you there?'),
        () => desk.does(`POST /conversations/${ofAna}/assign`, { operatorId: 11 }),
        () => desk.does(`POST /conversations/${ofAna}/close`),
      ];
      expect(await next()).toBe('event: inbox.changed\ndata: {}\n\n'); // at once: now it listens
      for (const act of acts) {
        const told = next();
        await act();
        expect(await told).toBe('event: inbox.changed\ndata: {}\n\n');
      }
      await reader?.cancel();
    }),
    120_000,
  );
});

describe('the feed of inboxes', () => {
  it('reads once for all inboxes of a company, again after a change, and forgets who has left', async () => {
    let reads = 0;
    const runner = {
      read: async () => {
        reads += 1;
        return [];
      },
      readEach: async () => [],
    };
    let nowMs = 0;
    const feed = createInboxFeed({ runner, clock: { now: () => nowMs } });
    await Promise.all([feed.state('1', []), feed.state('1', []), feed.state('2', [])]);
    expect(reads).toBe(2);
    nowMs += 899;
    await feed.state('1', []);
    expect(reads).toBe(2);
    nowMs += 1;
    await feed.state('1', []);
    expect(reads).toBe(3);
    const woken: string[] = [];
    const off = feed.listen('1', () => woken.push('first'));
    feed.listen('1', () => woken.push('second'));
    feed.changed('2');
    feed.changed('1');
    off();
    feed.changed('1');
    expect(woken).toEqual(['first', 'second', 'second']);
    await feed.state('1', []);
    expect(reads).toBe(4);
  });
});
