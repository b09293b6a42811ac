// `hilo contacts`, `hilo campaigns` and `hilo events`, where no service runs: what they say, and how they refuse what is wrong.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyDirectory } from '../../server/test/service-process.ts';
import { folderWith } from '../../server/test/hilo-process.ts';
import { hiloHere } from './hilo-in-process.ts';

const bot = { id: 'wa', name: 'WA', channel: 'whatsapp', connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } };
const template = {
  id: 'promo',
  botId: 'wa',
  elementName: 'promo',
  language: 'en',
  category: 'MARKETING',
  status: 'APPROVED',
  body: 'Hi {{1}}',
};
const fields = [{ key: 'city', label: 'City', type: 'text' }];
const campaign = {
  name: 'Spring',
  botId: 'wa',
  templateId: 'promo',
  audience: { users: ['51999000111'] },
  parameters: { 1: '{{user.names}}' },
  scheduledAt: '2040-01-01T00:00:00Z',
};
const data = emptyDirectory();
const folder = folderWith({
  'work.json': { companies: [{ id: 1, name: 'Acme', plan: 'growth', fields, bots: [bot], templates: [template] }] },
  'other.csv': 'Celular,Nombre\n51999000333,Eva\n',
  'people.csv': 'Celular,Nombre,Ciudad\n51999000111,Ana,Lima\n51999000111,Ana,Lima\nnobody,Ben,Cusco\n',
  'campaign.json': campaign,
  'more.json': { audience: { users: ['51999000111', '51999000222'] }, parameters: { 1: 'you' } },
  'broken.json': { ...campaign, templateId: 'gone' },
});
const file = (name: string): string => join(folder.path, name);
const of = (...args: readonly string[]) => hiloHere([...args, '--data', data.path]);

beforeAll(async () => void (await of('import', file('work.json'))));
afterAll(() => {
  data[Symbol.dispose]();
  folder[Symbol.dispose]();
});

describe('the commands about people', () => {
  it('bring contacts in from a CSV, with what was left out by line, and write nothing in a dry run', async () => {
    const map = ['--map', 'phone=Celular,names=Nombre,city=Ciudad', '--company', '1'];
    const counts = '3 rows: 1 new, 0 changed, 0 as they were, 1 twice, 1 left out\n';
    const tried = await of('contacts', 'import', file('people.csv'), ...map, '--dry-run');
    expect(tried.code).toBe(1);
    expect(tried.stdout).toContain(counts);
    expect(tried.stdout).toMatch(/line 4: .*nobody.*\nNothing was written\.\n$/s);
    expect((await of('contacts', 'import', file('people.csv'), ...map)).stdout).toContain(counts);
    const out = file('ana.json');
    expect(await of('contacts', 'export', 'phone:51999000111', out, '--company', '1')).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ contact: { names: 'Ana', fields: { city: 'Lima' } } });
  });

  it('make a campaign of a file, pause it and go on, and tell what became of it', async () => {
    const tried = await of('campaigns', 'make', file('campaign.json'), '--dry-run', '--company', '1');
    expect(tried).toMatchObject({ code: 0, stdout: '1 recipient, of whom 0 have stopped such messages\nNothing was written.\n' });
    const made = await of('campaigns', 'make', file('campaign.json'), '--company', '1');
    expect(made.stdout).toMatch(/^✔ Campaign \S+ is SCHEDULED, for 1 recipient\n$/);
    const [, id = ''] = /Campaign (\S+) is/.exec(made.stdout) ?? [];
    expect((await of('campaigns', 'add', id, file('more.json'), '--company', '1')).stdout).toBe(
      '✔ 1 recipient added; 1 were there already\n',
    );
    expect((await of('campaigns', 'pause', id, '--company', '1')).stdout).toContain(`Campaign ${id} is paused`);
    expect((await of('campaigns', 'list', '--company', '1')).stdout).toMatch(new RegExp(`${id} +Spring +SCHEDULED, paused +0/2`));
    expect((await of('campaigns', 'resume', id, '--company', '1')).stdout).toContain('goes on: it is SCHEDULED');
    expect(JSON.parse((await of('campaigns', 'report', id, '--company', '1')).stdout)).toMatchObject({ recipients: 2, pending: 2 });
    expect((await of('campaigns', 'results', id, '--company', '1')).stdout).toMatch(
      /^user,status,messageId,error,at\r?\n51999000111,pending,/,
    );
  });

  it('subscribe an address to events, list and remove it', async () => {
    expect((await of('events', 'list', '--company', '1')).stdout).toBe('Nobody is told of events.\n');
    const added = await of('events', 'add', 'https://events.example/hook', '--events', 'contact.*', '--company', '1');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toMatch(/^\S+ is told of contact\.\*\.\nIts secret, shown here alone: whsec_\S+\n$/);
    const [id = ''] = added.stdout.split(' ');
    const ofSubscription = (...args: readonly string[]) => of('events', ...args, '--company', '1');
    expect((await ofSubscription('pause', id)).stdout).toContain('paused');
    expect((await ofSubscription('deliveries', id)).stdout).toBe('There is no delivery.\n');
    await of('contacts', 'import', file('other.csv'), '--map', 'phone=Celular,names=Nombre', '--company', '1');
    const told = await ofSubscription('deliveries', id);
    expect(told).toMatchObject({ code: 0, stderr: '' });
    expect(told.stdout).toMatch(/at +event +state +tries +last answer\n[^\n]*\n?.*contact\.created +pending +0/s);
    expect(JSON.parse((await ofSubscription('deliveries', id, '--state', 'pending', '--limit', '1', '--json')).stdout)).toMatchObject({
      results: [{ type: 'contact.created', state: 'pending' }],
    });
    expect((await ofSubscription('deliveries', id, '--state', 'parked')).stdout).toBe('There is no delivery.\n');
    expect((await ofSubscription('replay', id, '--from', '2020-01-01T00:00:00Z')).stdout).toMatch(/^\d+ events? goe?s? again\.\n$/);
    expect((await ofSubscription('resume', id)).stdout).toMatch(/ on\s*\n$/);
    expect((await of('events', 'remove', id, '--company', '1')).stdout).toBe(`${id} is told of nothing any more.\n`);
  });

  it('erase a person, again without a word of them, and say so where there is none', async () => {
    const erased = await of('contacts', 'erase', 'phone:51999000111', '--company', '1');
    expect(erased).toMatchObject({ code: 0 });
    expect(erased.stdout).toMatch(/done/);
    expect(erased.stdout).not.toContain('Ana');
    const again = await of('contacts', 'erase', 'phone:51999000111', '--company', '1');
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/^hilo: .*51999000111/)]);
  });

  it.each([
    [1, ['contacts', 'erase', 'phone:51999000999', '--company', '1']],
    [2, ['contacts', 'erase', 'phone:51999000999']],
    [1, ['campaigns', 'add', 'camp_none', 'more.json', '--company', '1']],
    [1, ['events', 'deliveries', 'sub_none', '--company', '1']],
    [2, ['events', 'deliveries', 'sub_none', '--state', 'lost', '--company', '1']],
    [1, ['events', 'resume', 'sub_none', '--company', '1']],
    [1, ['events', 'replay', 'sub_none', '--from', '2020-01-01T00:00:00Z', '--company', '1']],
    [2, ['events', 'replay', 'sub_none', '--from', 'yesterday', '--company', '1']],
    [2, ['contacts', 'import', 'people.csv']],
    [1, ['contacts', 'import', 'none.csv', '--company', '1']],
    [2, ['contacts', 'export', 'phone:1', '--company', '1']],
    [2, ['campaigns', 'make', 'broken.json', '--company', '1']],
    [1, ['campaigns', 'make', 'people.csv', '--company', '1']],
    [1, ['campaigns', 'pause', 'camp_none', '--company', '1']],
    [1, ['campaigns', 'list', '--company', '9']],
    [2, ['events', 'add', 'ftp://events.example', '--events', 'message.*', '--company', '1']],
    [1, ['events', 'remove', 'sub_none', '--company', '1']],
  ] as const)('end with %i and one sentence for %j', async (code, args) => {
    const { stdout, stderr, code: ended } = await of(...args.map((arg) => (/\.(csv|json)$/.test(arg) ? file(arg) : arg)));
    expect({ ended, stdout }).toEqual({ ended: code, stdout: '' });
    expect(stderr).toMatch(/^(hilo|error): .+\n/);
  });
});
