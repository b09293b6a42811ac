// Contacts through management: one record a person, whoever brought it, found by any id.
import type { JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { listPeople } from '../../src/contacts/people.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';

const bot = (id: string, channel: string) => ({ id, name: id, channel, connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } });
const fields = [
  { key: 'city', label: 'City', type: 'text' },
  { key: 'age', label: 'Age', type: 'number' },
  { key: 'vip', label: 'VIP', type: 'bool' },
  { key: 'renewal', label: 'Renewal', type: 'date' },
  { key: 'likes', label: 'Likes', type: 'list', options: ['tea', 'coffee'] },
];
const company = {
  id: 1,
  name: 'Acme',
  plan: 'growth',
  fields,
  bots: [bot('bot_wa', 'whatsapp'), bot('bot_other', 'whatsapp'), bot('bot_web', 'web')],
  users: [{ id: '51999000111', names: 'Iris', phone: '51999000111' }],
};

const asking = (service: RunningService) => async (method: string, path: string, body?: object) => {
  const answer = await createManagement(service).request(`/companies/1${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });
  return { status: answer.status, body: (await answer.json()) as JsonObject };
};

const idOf = ({ id }: JsonObject): string => (typeof id === 'string' ? id : '');

let messages = 0;
const write = (service: RunningService, botId: string, id: string, names = 'Ana', more: object = {}) =>
  service.engine.receiveMessage({
    companyId: '1',
    botId,
    eventId: `event-${(messages += 1)}`,
    user: { id, names, ...more },
    message: { type: 'text', text: 'hello' },
  });

const withCompany = (test: (service: RunningService, ask: ReturnType<typeof asking>, place: Place) => Promise<void>) =>
  withPlace(async (place) => {
    const service = await place.open();
    await service.importWorkspace({ workspace: { companies: [company] } });
    await test(service, asking(service), place);
  });

describe('the type of a field', () => {
  it(
    'changes only once no stored value contradicts it, and the refusal says how many do',
    withCompany(async (service, ask) => {
      const importing = (city: object) =>
        service.importWorkspace({ workspace: { companies: [{ ...company, fields: [{ key: 'city', label: 'City', ...city }] }] } });
      for (const [phone, value] of Object.entries({ 51999000111: 'Lima', 51999000222: 'Cusco', 51999000333: '' }))
        await ask('PUT', `/contacts/phone:${phone}`, { fields: value === '' ? {} : { city: value } });
      await expect(importing({ type: 'number' })).rejects.toThrow('2 contacts have values of "city" that would not fit (number)');
      await expect(importing({ type: 'text', options: ['Lima'] })).rejects.toThrow('1 contact has a value of "city"');
      await importing({ type: 'text', options: ['Lima', 'Cusco'] });
      for (const phone of ['51999000111', '51999000222']) await ask('PATCH', `/contacts/phone:${phone}`, { fields: { city: null } });
      await importing({ type: 'number' });
      expect(await ask('PATCH', '/contacts/phone:51999000111', { fields: { city: 7 } })).toMatchObject({ status: 200 });
    }),
  );
});

describe('contacts', () => {
  it(
    'are users of the workspace and people who wrote alike, each under one id, and found by any of theirs',
    withCompany(async (service, ask) => {
      await write(service, 'bot_wa', '51999000111', 'Iris W.');
      await write(service, 'bot_wa', '51999000222', 'Ana', { bsuid: 'PE.ana1' });
      const { body } = await ask('GET', '/contacts');
      expect(body).toMatchObject({ results: [{ names: 'Iris W.' }, { names: 'Ana' }], nextCursor: null });
      const ana = (await ask('GET', '/contacts/phone:51999000222')).body;
      expect(ana).toEqual({
        id: expect.stringMatching(/^con_[0-9a-f]{23}$/) as string,
        identities: [
          { kind: 'phone', value: '51999000222', since: ana['firstSeenAt'] },
          { kind: 'bsuid', value: 'PE.ana1', since: ana['firstSeenAt'] },
        ],
        names: 'Ana',
        fields: {},
        groups: [],
        consent: { marketing: 'unknown' },
        firstSeenAt: expect.any(String) as string,
        lastInboundAt: ana['firstSeenAt'],
      });
      for (const name of [idOf(ana), 'phone:+51 999 000 222', 'bsuid:PE.ana1', 'bot_wa:51999000222', '51999000222'])
        expect((await ask('GET', `/contacts/${encodeURIComponent(name)}`)).body).toEqual(ana);
      for (const name of ['phone:51999000333', 'bot_web:51999000222', 'con_00000000000000000000000', 'nobody'])
        expect(await ask('GET', `/contacts/${name}`)).toMatchObject({ status: 404, body: { error: 'CONTACT_NOT_FOUND' } });
      expect(await ask('GET', '/contacts/phone:abc')).toMatchObject({ status: 400 });
    }),
  );

  it(
    'are made by a PUT of every name that is taken, which then finds them; a name that is refused makes none',
    withCompany(async (service, ask) => {
      const chat = { ...bot('bot_chat', 'web'), provider: { kind: 'web', appSecret: 'chat-secret-of-the-example-company' } };
      await service.importWorkspace({ workspace: { companies: [{ ...company, bots: [...company.bots, chat] }] } });
      const names = ['bot_chat:', 'bot_wa:', 'bot_none:', 'phone:', ''].flatMap((kind) =>
        ['web:abc', 'visitor9', '51999000777', 'MX.a1B2', '1', 'a b'].map((id) => `${kind}${id}`),
      );
      const made = new Set<string>();
      for (const name of names) {
        const put = await ask('PUT', `/contacts/${encodeURIComponent(name)}`, { names: 'New' });
        if (put.status === 200) made.add(idOf(put.body));
        const found = idOf((await ask('GET', `/contacts/${encodeURIComponent(name)}`)).body);
        expect([name, found]).toEqual([name, put.status === 200 ? idOf(put.body) : '']);
      }
      expect(await ask('GET', '/contacts/bot_chat:web:abc')).toMatchObject({ status: 200, body: { names: 'New' } });
      const people = (await ask('GET', '/contacts?limit=200')).body['results'] as readonly JsonObject[];
      expect(new Set(people.filter((one) => one['names'] === 'New').map(idOf)), 'what was refused made nobody').toEqual(made);
      expect(people).toHaveLength(made.size + company.users.length);
    }),
  );

  it.each([
    ['5215512345678', '525512345678'],
    ['551188887777', '5511988887777'],
    ['5491112345678', '541112345678'],
  ])('are one for every spelling of a number: %s and %s (UID-07)', (one, other) =>
    withCompany(async (service, ask) => {
      await write(service, 'bot_wa', one);
      await write(service, 'bot_other', other);
      const byOne = await ask('GET', `/contacts/phone:${one}`);
      expect(byOne).toEqual(await ask('GET', `/contacts/phone:${other}`));
      const identities = byOne.body['identities'] as readonly { readonly value: string }[];
      expect(identities.map(({ value }) => value)).toEqual(expect.arrayContaining([one, other]) as string[]);
      expect(await ask('GET', `/contacts?query=${one.slice(-8)}`)).toMatchObject({ body: { results: [{}], nextCursor: null } });
      await ask('PATCH', `/contacts/phone:${other}`, { fields: { city: 'Lima' } });
      for (const [botId, id] of [
        ['bot_wa', one],
        ['bot_other', other],
      ] as const)
        expect(await service.store.executions.contact('1', botId, [id])).toMatchObject({ fields: { city: 'Lima' } });
    })(),
  );

  it(
    'are removed as a user of the workspace is, also where they only wrote',
    withCompany(async (service, ask) => {
      await write(service, 'bot_wa', '51999000222');
      expect(await ask('DELETE', '/users/51999000222')).toEqual({ status: 200, body: { id: '51999000222' } });
      expect(await ask('GET', '/contacts/phone:51999000222')).toMatchObject({ status: 404 });
      expect(await service.store.executions.contact('1', 'bot_wa', ['51999000222'])).toBeUndefined();
      expect(await ask('DELETE', '/users/51999000222')).toMatchObject({ status: 404 });
      await write(service, 'bot_wa', '51999000222');
      expect(await ask('GET', '/contacts/phone:51999000222')).toMatchObject({ status: 200, body: { fields: {}, groups: [] } });
    }),
  );

  it(
    'take fields of the declared types alone, merge with PATCH and are replaced with PUT',
    withCompany(async (_service, ask) => {
      const iris = '/contacts/phone:51999000111';
      const given = { city: 'Lima', age: 41, vip: true, renewal: '2026-12-31', likes: ['tea'] };
      expect(await ask('PATCH', iris, { fields: given })).toMatchObject({ status: 200, body: { fields: given } });
      expect(await ask('PATCH', iris, { fields: { age: null, city: 'Cusco' } })).toMatchObject({
        body: { names: 'Iris', fields: { city: 'Cusco', vip: true, renewal: '2026-12-31', likes: ['tea'] } },
      });
      for (const wrong of [
        { town: 'Lima' },
        { age: '41' },
        { vip: 1 },
        { renewal: '2026-02-30' },
        { likes: ['water'] },
        { city: 'x'.repeat(1_001) },
      ])
        expect(await ask('PATCH', iris, { fields: wrong })).toMatchObject({ status: 422 });
      const before = (await ask('GET', iris)).body;
      expect((await ask('PUT', iris, before)).body).toEqual(before);
      expect((await ask('PUT', iris, { names: 'Iris B.', fields: { age: 42 } })).body).toMatchObject({
        names: 'Iris B.',
        fields: { age: 42 },
        groups: [],
      });
      expect((await ask('PUT', '/contacts/phone:51999000444', { names: 'New', groups: ['vip'] })).body).toMatchObject({
        names: 'New',
        groups: ['vip'],
        identities: [{ kind: 'phone', value: '51999000444' }],
      });
    }),
  );

  it(
    'have their fields read and written by canvases, in the transaction of the step',
    withCompany(async (service, ask) => {
      const nodes = [
        { id: 'begin', type: 'start', data: { keywords: ['city'] } },
        {
          id: 'keep',
          type: 'set',
          data: {
            assignments: [
              { path: '$user.fields.city', value: '{{$message.text}}' },
              { path: '$user.fields.age', value: 41 },
            ],
          },
        },
        { id: 'say', type: 'message', data: { message: { type: 'text', text: 'City: {{$user.fields.city}}' } } },
        { id: 'wrong', type: 'set', data: { assignments: [{ path: '$user.fields.vip', value: 'yes' }] } },
        { id: 'done', type: 'end' },
      ];
      const edges = [
        { source: 'begin', target: 'keep' },
        { source: 'keep', target: 'say' },
        { source: 'say', sourceHandle: 'sent', target: 'wrong' },
        { source: 'wrong', sourceHandle: 'next', target: 'done' },
      ];
      const canvas = { schemaVersion: 1, id: 'city', name: 'City', nodes, edges };
      await service.importWorkspace({ workspace: { companies: [{ ...company, workflows: [{ canvas, publish: true }] }] } });
      await service.engine.receiveMessage({
        companyId: '1',
        botId: 'bot_wa',
        eventId: 'city-1',
        user: { id: '51999000222' },
        message: { type: 'text', text: 'city' },
      });
      await service.engine.whenIdle();
      const { results } = await service.messages.list('1', 'bot_wa', { userId: '51999000222', limit: 10 });
      expect(results.flatMap(({ direction, message }) => (direction === 'outbound' ? [message['text']] : []))).toEqual(['City: city']);
      expect((await ask('GET', '/contacts/phone:51999000222')).body).toMatchObject({ fields: { city: 'city', age: 41 } });
    }),
  );

  it(
    'are in groups, which are there while they have a contact',
    withCompany(async (_service, ask) => {
      expect(await ask('PUT', '/groups/vip/contacts/phone:51999000111')).toMatchObject({ status: 200, body: { groups: ['vip'] } });
      await ask('PUT', '/contacts/phone:51999000444', { groups: ['vip', 'new'] });
      expect((await ask('GET', '/groups')).body).toEqual({
        results: [
          { name: 'new', contacts: 1 },
          { name: 'vip', contacts: 2 },
        ],
      });
      expect((await ask('GET', '/contacts?group=new')).body).toMatchObject({ results: [{ groups: ['new', 'vip'] }] });
      await ask('DELETE', '/groups/vip/contacts/phone:51999000444');
      expect(await ask('DELETE', '/groups/vip')).toEqual({ status: 200, body: { name: 'vip', contacts: 1 } });
      expect(await ask('DELETE', '/groups/vip')).toMatchObject({ status: 404 });
      expect((await ask('GET', '/groups')).body).toEqual({ results: [{ name: 'new', contacts: 1 }] });
    }),
  );

  it(
    'are found in a group however many it has, and however few are looked through at once',
    withCompany(async (service, ask) => {
      for (let number = 0; number < 5; number += 1)
        await ask('PUT', `/contacts/phone:5199900060${number}`, { names: number === 4 ? 'Zoe' : 'Ana', groups: ['vip'] });
      await ask('PUT', '/contacts/phone:51999000700', { names: 'Zoe' });
      for (const inWindow of [1, 4, 5, 6])
        for (const group of ['vip', undefined]) {
          const names: (string | undefined)[] = [];
          for (let after: string | undefined = ''; after !== undefined; ) {
            const { people, next } = await listPeople(service, { companyId: '1', query: 'zoe', group, limit: 1, after }, inWindow);
            names.push(...people.map((person) => person.names));
            after = next;
          }
          expect({ inWindow, group, names }).toEqual({ inWindow, group, names: group === undefined ? ['Zoe', 'Zoe'] : ['Zoe'] });
        }
    }),
  );

  it(
    'are listed in pages, each once',
    withCompany(async (service, ask) => {
      for (let number = 0; number < 7; number += 1) await write(service, 'bot_web', `visitor-${number}`, `Visitor ${number}`);
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await ask('GET', `/contacts?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
        const results = body['results'] as readonly { readonly id: string }[];
        expect(results.length).toBeLessThanOrEqual(3);
        seen.push(...results.map(({ id }) => id));
        if (typeof body['nextCursor'] !== 'string') break;
        cursor = body['nextCursor'];
      }
      expect(new Set(seen).size).toBe(8);
      expect(seen).toHaveLength(8);
      expect((await ask('GET', '/contacts?query=VISITOR%203')).body).toMatchObject({ results: [{ names: 'Visitor 3' }], nextCursor: null });
      expect((await ask('GET', '/contacts?query=v%C3%ADsitor%203')).body).toMatchObject({ results: [{ names: 'Visitor 3' }] }); // vísitor
      expect((await ask('GET', '/contacts?query=100%25')).body).toMatchObject({ results: [], nextCursor: null });
    }),
  );

  it(
    'keep what they are when the service starts again, and an export names those that were given',
    withPlace(async ({ open }) => {
      const first = await open();
      await first.importWorkspace({ workspace: { companies: [company] } });
      await write(first, 'bot_wa', '51999000222');
      await asking(first)('PATCH', '/contacts/phone:51999000222', { fields: { city: 'Lima' } });
      const before = await asking(first)('GET', '/contacts');
      const exported = await first.exportWorkspace();
      await first.close();
      const again = await open();
      expect(await asking(again)('GET', '/contacts')).toEqual(before);
      expect(JSON.stringify(exported)).toContain('"key":"city"');
      expect((await again.importWorkspace({ workspace: exported })).counts).toMatchObject({
        companies: { written: 0 },
        users: { written: 0 },
      });
    }),
  );

  it(
    'are known to the check of a canvas, with the nearest field that the company declares',
    withPlace(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: { companies: [company] } });
      const canvas = {
        schemaVersion: 1,
        id: 'renew',
        name: 'Renew',
        nodes: [
          { id: 'begin', type: 'start', data: { keywords: ['renew'], at: '{{user.fields.city}}' } },
          {
            id: 'say',
            type: 'message',
            data: { message: { type: 'text', text: 'In {{$user.fields.cty ?? ""}} {{$user.fields.city ?? ""}}' } },
          },
          { id: 'done', type: 'end' },
        ],
        edges: [
          { source: 'begin', target: 'say' },
          { source: 'say', sourceHandle: 'sent', target: 'done' },
        ],
      };
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(canvas) };
      const answer = (await (await createManagement(service).request('/validate?companyId=1', init)).json()) as JsonObject;
      const problems = answer['problems'] as readonly JsonObject[];
      expect(problems.filter(({ code }) => code === 'UNKNOWN_VARIABLE_FIELD')).toMatchObject([
        {
          severity: 'warning',
          pointer: '/nodes/0/data/at',
          message: 'The field "city" of contacts holds a text, and no date: nothing ever begins by it',
        },
        { severity: 'warning', nodeId: 'say', message: '$user.fields.cty is never filled; did you mean $user.fields.city?' },
      ]);
    }),
  );
});
