// Contacts from a CSV: in whatever form people bring one, each row imported or named by its line.
import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { createLocalManagement } from '../../src/service/local-management.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { withPlace } from '../data/open-for-test.ts';

const company = {
  id: 1,
  name: 'Acme',
  plan: 'growth',
  fields: [
    { key: 'city', label: 'City', type: 'text' },
    { key: 'age', label: 'Age', type: 'number' },
    { key: 'vip', label: 'VIP', type: 'bool' },
    { key: 'renewal', label: 'Renewal', type: 'date' },
  ],
  bots: [{ id: 'bot_wa', name: 'WA', channel: 'whatsapp', connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } }],
};

const bringing = (service: RunningService) => {
  const management = createManagement(service);
  return {
    async bring(csv: string | Uint8Array<ArrayBuffer>, query = '') {
      const headers = { 'content-type': 'text/csv' };
      const answer = await management.request(`/companies/1/contacts/import${query}`, { method: 'POST', headers, body: csv });
      const text = (await answer.text()).trimEnd();
      return { status: answer.status, last: JSON.parse(text.split('\n').at(-1) ?? '') as unknown, text };
    },
    async get(name: string) {
      const answer = await management.request(`/companies/1/contacts/${name}`);
      const body: unknown = await answer.json();
      return { status: answer.status, body };
    },
  };
};

const withCompany = (test: (hands: ReturnType<typeof bringing>, service: RunningService) => Promise<void>) =>
  withPlace(async (place) => {
    const service = await place.open();
    await service.importWorkspace({ workspace: { companies: [company] } });
    await test(bringing(service), service);
  });

const none = { isDryRun: false, rows: 0, created: 0, changed: 0, unchanged: 0, duplicates: 0, refused: 0, problems: [] };

describe('a CSV of contacts', () => {
  it(
    'may be larger than other bodies by each door, also that of commands on the same machine',
    withCompany(async ({ bring }, service) => {
      const megabyte = 1_048_576;
      const csv = `phone,names\n${`+51999000111,${'Ana '.repeat(40)}\n`.repeat(7_000)}`;
      expect(csv.length).toBeGreaterThan(megabyte);
      const local = createLocalManagement(service);
      const send = (path: string, type: string, body: string) =>
        local.request(path, { method: 'POST', headers: { 'content-type': type }, body });
      const answer = await send('/admin/v1/companies/1/contacts/import?dryRun=true', 'text/csv', csv);
      expect([answer.status, (await answer.text()).trimEnd().split('\n').at(-1)]).toEqual([
        200,
        JSON.stringify((await bring(csv, '?dryRun=true')).last),
      ]);
      const large = JSON.stringify({ name: 'a'.repeat(megabyte), text: '' });
      for (const path of ['/admin/v1/companies/1/event-subscriptions', '/say', '/import', '/moves'])
        expect([path, (await send(path, 'application/json', large)).status]).toEqual([path, 413]);
    }),
  );

  it(
    'brings its rows in with their types, and again changes nothing',
    withCompany(async ({ bring, get }) => {
      const csv =
        'Celular;Ciudad;age;vip;renewal;names;groups;consent\r\n+51 999 000 111;Lima;30;sí;2026-12-31;Ana;vip|new;granted\r\n51999000222;"Cus""co; ok";;;;=1+1;;\r\n';
      const query = `?map=${encodeURIComponent('phone=Celular,city=Ciudad,age=age,vip=vip,renewal=renewal,names=names,groups=groups,consent=consent')}`;
      expect((await bring(csv, `${query}&dryRun=true`)).last).toEqual({ ...none, isDryRun: true, rows: 2, created: 2 });
      expect((await get('phone:51999000111')).status).toBe(404);
      expect((await bring(csv, query)).last).toEqual({ ...none, rows: 2, created: 2 });
      expect((await get('phone:51999000111')).body).toMatchObject({
        names: 'Ana',
        fields: { city: 'Lima', age: 30, vip: true, renewal: '2026-12-31' },
        groups: ['new', 'vip'],
        consent: { marketing: 'granted', source: 'import', evidence: 'line 2 of a CSV' },
      });
      expect((await get('phone:51999000222')).body).toMatchObject({ names: '=1+1', fields: { city: 'Cus"co; ok' } });
      expect((await bring(csv, query)).last).toEqual({ ...none, rows: 2, unchanged: 2 });
      expect((await bring('phone,city\n51999000111,Cusco\n')).last).toEqual({ ...none, rows: 1, changed: 1 });
      expect((await get('phone:51999000111')).body).toMatchObject({
        names: 'Ana',
        fields: { city: 'Cusco', age: 30 },
        groups: ['new', 'vip'],
      });
    }),
  );

  it(
    'has columns that nothing is read of told, whether or not a map names the others',
    withCompany(async ({ bring }) => {
      const csv = 'phone,City,,PK\n51999000111,Lima,x,1\n';
      const last = { ...none, isDryRun: true, rows: 1, created: 1 };
      expect((await bring(csv, '?dryRun=true')).last).toEqual({ ...last, ignored: ['City', 'PK'] });
      expect((await bring(csv, '?dryRun=true&map=phone%3Dphone,city%3DCity')).last).toEqual({ ...last, ignored: ['PK'] });
      expect((await bring('PK,phone\n1,51999000111\n', '?dryRun=true')).last).toEqual({ ...last, ignored: ['PK'] });
      expect((await bring('phone,city\n51999000111,Lima\n', '?dryRun=true')).last).toEqual(last);
    }),
  );

  it.each([[','], [';'], ['\t'], ['|']])('may be separated by %j, with or without the mark of UTF-8', (separator) =>
    withCompany(async ({ bring, get }) => {
      const lines = ['phone,names', '51999000111,Ñandú'].map((line) => line.replace(',', separator)).join('\n');
      expect((await bring(`\uFEFF${lines}`)).last).toMatchObject({ rows: 1, created: 1 });
      expect((await bring(lines)).last).toMatchObject({ rows: 1, unchanged: 1 });
      expect((await get('phone:51999000111')).body).toMatchObject({ names: 'Ñandú' });
    })(),
  );

  it(
    'has what is wrong named by its line, and the other rows imported',
    withCompany(async ({ bring }) => {
      const rows = [
        'phone,age,vip,renewal', // 1
        '5.19991E+10,,,', // 2
        'abc,,,', // 3
        ',30,,', // 4
        '51999000111,1e3,,', // 5
        '51999000112,old,,', // 6
        '51999000113,,maybe,', // 7
        '51999000114,,,31/12/2026', // 8
        '51999000115,1,2,3,4,5', // 9
        '51999000116,3"0,,', // 10
        '51999000117,30,,', // 11
        '+51999000117,31,,', // 12
        '51999000118.0,,,', // 13
        '(51) 999-000.117,,,', // 14
      ];
      const { last } = await bring(rows.join('\n'));
      expect(last).toMatchObject({ rows: 13, created: 1, duplicates: 2, refused: 10 });
      const lines = (last as { problems: { line: number; problem: string }[] }).problems;
      expect(lines.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14]);
      expect(lines.map(({ problem }) => problem).join('\n')).toMatch(
        /scientific[^]*no phone[^]*says nobody[^]*scientific[^]*no number[^]*no bool[^]*date[^]*6 values[^]*quote[^]*came before[^]*with decimals[^]*came before/,
      );
    }),
  );

  it(
    'is refused by name where it cannot be read, and says what was imported until there',
    withCompany(async ({ bring, get }) => {
      const latin = Uint8Array.from([...new TextEncoder().encode('phone,names\n51999000111,Nand'), 0xfa, 0x0a]);
      const refusals = [
        [latin, 'Latin-1'],
        [Uint8Array.from([0xff, 0xfe, 0x70, 0x00]), 'UTF-16'],
        [Uint8Array.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00]), 'a workbook or an archive'],
        ['', 'empty'],
        [`phone${',x'.repeat(1_000_000)}`, '500 columns'],
        [`phone,${Array.from({ length: 600 }, (_, index) => `c${index}`).join(',')}\n`, '601 columns'],
        ['phone,phone\n1,2\n', 'two columns'],
        ['names\nAna\n', 'map phone'],
        ['phone,"names\n51999000111,Ana\n', 'quote'],
      ] as const;
      for (const [csv, reason] of refusals) {
        const { status, text } = await bring(csv);
        expect([status, text]).toEqual([422, expect.stringContaining(reason)]);
      }
      expect((await bring('phone\n51999000111\n', '?map=phone=Celular')).text).toContain('no column');
      expect((await bring('phone\n51999000111\n', '?map=mobile=phone')).text).toContain('nothing of a contact');
      expect((await get('phone:51999000111')).status).toBe(404);
      const open = `phone,names\n${Array.from({ length: 300 }, (_, index) => `51999001${100 + index},P`).join('\n')}\n51999000111,"never ends\n${'x\n'.repeat(200_000)}`;
      const cut = await bring(open);
      expect(cut.status).toBe(422);
      expect(cut.text).toContain('after line 301');
      expect(cut.text).toContain('200 contacts of the 300 rows');
    }),
  );
});

describe('a company whose people are of no bot', () => {
  it.each([
    ['no bot', []],
    [
      'a bot of another channel',
      [{ id: 'bot_sl', name: 'SL', channel: 'web', connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } }],
    ],
  ])('has them told to subscribers as well, each once, whichever way they come: %s', (_which, bots) =>
    withPlace(async ({ open }) => {
      const service = await open();
      const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
      const eventSubscriptions = [{ id: 'sub', url: 'https://crm.example/hook', events: ['contact.*'], secret }];
      const given = { ...company, bots, eventSubscriptions };
      await service.importWorkspace({ workspace: { companies: [given] } });
      const { bring } = bringing(service);
      const csv = 'phone,city\n51999000111,Lima\n51999000222,Lima\n';
      for (const _twice of [1, 2]) await bring(csv);
      await bring(csv.replaceAll('Lima', 'Cusco'));
      await service.importWorkspace({ workspace: { companies: [{ ...given, users: [{ id: '51999000222' }, { id: '51999000333' }] }] } });
      const path = '/companies/1/event-subscriptions/sub/deliveries?limit=100';
      const { results } = (await (await createManagement(service).request(path)).json()) as {
        readonly results: readonly { readonly type: string; readonly data: { readonly userId: string } }[];
      };
      const told = results.map(({ type, data }) => `${type} ${data.userId}`).toSorted();
      expect(told).toEqual([
        'contact.created 51999000111',
        'contact.created 51999000222',
        'contact.created 51999000333',
        'contact.updated 51999000111',
        'contact.updated 51999000222',
      ]);
    })(),
  );
});

describe('a CSV with consents', () => {
  it(
    'lifts no STOP, and names whose; what it changes is told to subscribers, the STOP of others too',
    withPlace(async ({ open }) => {
      const service = await open();
      const fields = [{ key: 'city', label: 'City', type: 'text' }];
      const bots = ['bot_wa', 'bot_too'].map((id) => ({ ...company.bots[0], id })); // whoever becomes a contact of two bots is one person
      const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
      const eventSubscriptions = [{ id: 'sub', url: 'https://crm.example/hook', events: ['contact.*'], secret }];
      await service.importWorkspace({
        workspace: { companies: [{ id: 1, name: 'Acme', plan: 'growth', fields, bots, eventSubscriptions }] },
      });
      const ask = async (method: string, path: string, body?: string, type = 'text/csv') => {
        const init = { method, headers: { 'content-type': type }, ...(body !== undefined && { body }) };
        return (await createManagement(service).request(`/companies/1/${path}`, init)).text();
      };
      const consentOf = async (who: string) =>
        (JSON.parse(await ask('GET', `contacts/phone:${who}`)) as { readonly consent: { readonly marketing: string } }).consent.marketing;
      const [ana, beto, carla] = ['51999000111', '51999000222', '51999000333'];
      await ask('POST', 'contacts/import', `phone,city,consent\n${ana},Lima,revoked\n${beto},Lima,granted`);
      const again = `phone,city,consent\n${ana},Cusco,granted\n${beto},Lima,revoked\n${carla},Lima,granted`;
      for (const query of ['?dryRun=true', '']) {
        const last = (await ask('POST', `contacts/import${query}`, again)).trimEnd().split('\n').at(-1) ?? '';
        expect(JSON.parse(last)).toMatchObject({
          created: 1,
          changed: 2,
          refused: 0,
          problems: [{ line: 2, problem: expect.stringContaining('has stopped marketing messages') as string }],
        });
      }
      expect([await consentOf(ana), await consentOf(beto), await consentOf(carla)]).toEqual(['revoked', 'revoked', 'granted']);
      expect(JSON.parse(await ask('GET', `contacts/phone:${ana}`))).toMatchObject({ fields: { city: 'Cusco' } });
      const { results } = JSON.parse(await ask('GET', 'event-subscriptions/sub/deliveries?limit=100')) as {
        readonly results: readonly { readonly type: string; readonly data: { readonly [name: string]: unknown } }[];
      };
      const heard = results
        .toReversed()
        .map(({ type, data }) => [type, data['userId'], data['marketing'] ?? data['changed'], data['source']]);
      expect(heard.filter(([type]) => type !== 'contact.created')).toEqual([
        ['contact.consentChanged', ana, 'revoked', 'import'],
        ['contact.consentChanged', beto, 'granted', 'import'],
        ['contact.consentChanged', carla, 'granted', 'import'],
        ['contact.consentChanged', beto, 'revoked', 'import'],
        ['contact.updated', ana, ['fields.city'], undefined],
      ]);
      expect(heard.filter(([type]) => type === 'contact.created')).toHaveLength(3);
    }),
  );
});
