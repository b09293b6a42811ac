import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isJsonObject, type Json, isHiloError } from '@hilo/engine/contract';
import fc from 'fast-check';
import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createDatabase } from '../../../stores/test/shared-postgres.ts';
import { Hono } from 'hono';
import type { HttpEnv } from '../../src/platform/http/context.ts';
import { streamBody } from '../../src/platform/http/read-body.ts';
import { HttpError } from '../../src/platform/http/errors.ts';
import { createAdmin } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { createGivenUsers } from '../../src/tenants/workspace/given-users.ts';
import type { ImportProgress } from '../../src/tenants/workspace/import-workspace.ts';
import { createWorkspaceParser } from '../../src/tenants/workspace/source.ts';
import { withPlace } from './open-for-test.ts';

const bot = (id: string, channel: string) => ({ id, name: id, channel, connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } });
const userOf = (number: number) => ({
  id: `51999${String(number).padStart(6, '0')}`,
  names: `User ${number}`,
  lastMessageAt: { bot_wa: '2031-03-01T09:00:00Z' },
});
const workspaceOf = (users: readonly object[]) => ({
  companies: [{ id: 1, name: 'Acme', plan: 'growth', bots: [bot('bot_wa', 'whatsapp'), bot('bot_web', 'web')], users }],
});
const usersOf = (count: number) => Array.from({ length: count }, (_, number) => userOf(number));

/** Bytes in chunks, as from a network. */
async function* pieces(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text);
  for (let from = 0; from < all.length; from += bytes) yield all.subarray(from, from + bytes);
}

const problemsOf = async (importing: Promise<unknown>): Promise<readonly string[]> => {
  const error = await importing.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isHiloError(error, 'WORKSPACE_REFUSED')) throw new Error('It was imported', { cause: error });
  return error.details.problems.map(({ code, pointer }) => `${code} ${pointer}`);
};

describe('users of a workspace that is checked', () => {
  it('are read in their order, company by company, without a look at the others or at all of them again', () => {
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
    const users = createGivenUsers();
    const plans = prepare.mock.calls.flatMap(([sql], index) => {
      const database = prepare.mock.contexts[index] as DatabaseSync;
      return sql.startsWith('select')
        ? [
            database
              .prepare(`explain query plan ${sql}`)
              .all(0, 9, 0, 9)
              .map(({ detail }) => detail),
          ]
        : [];
    });
    prepare.mockRestore();
    expect(plans).toEqual([['SEARCH users USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)']]);
    const given = [0, 2, 3].map((company) => ({ company, users: usersOf(company * 3).reverse() }));
    for (const { company, users: some } of given) for (const user of some) users.add(company, user);
    for (const { company, users: some } of given) {
      const batches = [...users.inBatches(company, 4)];
      expect(batches.every((batch) => batch.length <= 4)).toBe(true);
      expect(batches.flat().map(({ id }) => id)).toEqual(some.map(({ id }) => id));
    }
    expect([...users.inBatches(1, 4)]).toEqual([]);
    users.close();
  });
});

describe('importing users', () => {
  it(
    'writes nothing that is unchanged: the log of SQLite does not grow',
    withPlace(async ({ directory, open }) => {
      const { importWorkspace } = await open({}, { runs: false });
      const workspace = workspaceOf(usersOf(1_001));
      expect((await importWorkspace({ workspace })).counts).toMatchObject({
        bots: { written: 2 },
        users: { given: 1_001, written: 1_001 },
      });
      const log = (): Promise<Buffer> => readFile(join(directory, 'hilo.db-wal'));
      const before = await log();
      const { counts } = await importWorkspace({ workspace });
      expect(Object.values(counts).reduce((total, { written }) => total + written, 0)).toBe(0);
      expect((await log()).equals(before)).toBe(true);
    }),
  );

  it(
    'writes those alone that are new or different, and what a bot learned of the others stays',
    withPlace(async ({ open }) => {
      const { importWorkspace, store } = await open({}, { runs: false });
      const users = usersOf(450);
      await importWorkspace({ workspace: workspaceOf(users) });
      const learned = { companyId: '1', botId: 'bot_wa', userId: userOf(7).id, names: 'Ana' };
      await store.executions.commit({ saves: [], history: [], contacts: [learned], enqueue: [], dequeue: [] });
      const changed = users.map((user, number) => (number === 3 ? { ...user, names: 'Another' } : user));
      expect((await importWorkspace({ workspace: workspaceOf([...changed, userOf(450)]) })).counts.users).toEqual({
        given: 451,
        written: 2,
      });
      const namesOf = async (number: number): Promise<unknown> =>
        (await store.executions.contact('1', 'bot_wa', [userOf(number).id]))?.names;
      expect([await namesOf(3), await namesOf(7), await namesOf(450)]).toEqual(['Another', 'Ana', 'User 450']);
    }),
  );

  it(
    'finds a contact by phone as a message would, and makes no second one (UID-06)',
    withPlace(async ({ open }) => {
      const { importWorkspace, store } = await open({}, { runs: false });
      const known = { companyId: '1', botId: 'bot_web', userId: 'ana', phone: '5215512345678' };
      await store.executions.commit({ saves: [], history: [], contacts: [known], enqueue: [], dequeue: [] });
      const user = { id: 'ana-of-crm', phone: '+52 1 55 1234 5678', names: 'Ana', lastMessageAt: { bot_web: '2031-03-01T09:00:00Z' } };
      await importWorkspace({ workspace: workspaceOf([user]) });
      expect(await store.executions.contact('1', 'bot_web', ['ana-of-crm'])).toBeUndefined();
      expect(await store.executions.contact('1', 'bot_web', ['ana'])).toMatchObject({ userId: 'ana', names: 'Ana' });
    }),
  );

  it(
    'reads a text as it arrives and reports its progress',
    withPlace(async ({ open }) => {
      const { importWorkspace } = await open({}, { runs: false });
      const told: ImportProgress[] = [];
      const bytes = pieces(JSON.stringify(workspaceOf(usersOf(1_000))), 10_000);
      const { counts } = await importWorkspace({ bytes }, (progress) => told.push(progress));
      expect(counts.users).toEqual({ given: 1_000, written: 1_000 });
      for (const step of ['reading', 'writing'] as const) {
        const users = told.filter((progress) => progress.step === step).map((progress) => progress.users);
        expect(users).toEqual(users.toSorted((one, other) => one - other));
        expect(users.at(-1)).toBe(1_000);
        // No part of the work is large: others are served in between.
        expect(Math.max(...users.map((count, index) => count - (users[index - 1] ?? 0)))).toBeLessThanOrEqual(200);
      }
    }),
  );

  it(
    'writes nothing when the last of many users is wrong, and names the place',
    withPlace(async ({ directory, open }) => {
      const { importWorkspace, exportWorkspace } = await open({}, { runs: false });
      const file = join(directory, 'workspace.json');
      await writeFile(file, JSON.stringify(workspaceOf([...usersOf(300), { ...userOf(0), age: 7 }])));
      expect(await problemsOf(importWorkspace(file))).toEqual([
        'UNKNOWN_FIELD /companies/0/users/300/age',
        'DUPLICATE_ID /companies/0/users/300/id',
      ]);
      await writeFile(file, JSON.stringify(workspaceOf(usersOf(300))).slice(0, -1));
      expect(await problemsOf(importWorkspace(file))).toEqual(['NOT_JSON ']);
      expect(await exportWorkspace()).toEqual({ companies: [] });
    }),
  );

  it(
    'aborts the import when the text breaks off, with the error of the source',
    withPlace(async ({ open }) => {
      const { importWorkspace, exportWorkspace } = await open({}, { runs: false });
      const bytes = async function* () {
        yield Buffer.from('{"companies":[');
        throw new Error('The line was cut');
      };
      await expect(importWorkspace({ bytes: bytes() })).rejects.toThrow('The line was cut');
      expect(await exportWorkspace()).toEqual({ companies: [] });
    }),
  );
});

describe('a workspace over HTTP', () => {
  it(
    'is read as it arrives, where every other body of operators has its limit (P33)',
    withPlace(async ({ open }) => {
      const adminToken = 'an-admin-token-of-a-test';
      const service = await open({ adminToken }, { runs: false });
      const app = createAdmin(service);
      const post = (path: string, body: string, headers: { readonly [name: string]: string } = {}) =>
        app.request(path, { method: 'POST', body, headers: { authorization: `Bearer ${adminToken}`, ...headers } });
      const text = JSON.stringify(workspaceOf(usersOf(15_000)));
      expect(text.length).toBeGreaterThan(1_200_000);
      const taken = await post('/admin/v1/workspace', text);
      expect([taken.status, await taken.json()]).toMatchObject([200, { counts: { users: { given: 15_000, written: 15_000 } } }]);
      expect((await post('/admin/v1/validate', text)).status).toBe(413);
      expect((await post('/admin/v1/workspace', text.slice(0, -1))).status).toBe(400);
      expect((await post('/admin/v1/workspace', text, { 'content-encoding': 'gzip' })).status).toBe(400);
      expect((await app.request('/admin/v1/workspace', { method: 'POST', body: text })).status).toBe(401);
    }),
    120_000,
  );

  it('is bounded by the bytes that arrive, not by those announced', async () => {
    const app = new Hono<HttpEnv>()
      .use(streamBody({ enter: () => ({ mayStart: () => true, take() {}, leave() {} }) }, 10))
      .post('/', async (c) => c.text(await c.req.text()));
    app.onError((error) => new Response(null, { status: error instanceof HttpError ? error.status : 500 }));
    const post = async (bytes: number) => (await app.request('/', { method: 'POST', body: 'x'.repeat(bytes) })).status;
    expect([await post(9), await post(10), await post(11)]).toEqual([200, 200, 413]);
  });
});

describe('the users of a workspace, kept apart', () => {
  it('stops looking at users after a thousand faults', () => {
    const users = createGivenUsers();
    for (let number = 0; number < 1_500; number += 1) users.add(0, number);
    expect(users.problems).toHaveLength(1_000);
    expect(users.count(0)).toBe(1_500);
    users.close();
  });

  it('returns those of one company in order, a batch at a time', () => {
    const users = createGivenUsers();
    for (const user of usersOf(7)) for (const company of [0, 1]) users.add(company, { ...user, names: `of ${company}` });
    const batches = [...users.inBatches(1, 3)].map((batch) => batch.map(({ id, names }) => [id, names]));
    expect(batches.map((batch) => batch.length)).toEqual([3, 3, 1]);
    expect(batches.flat()).toEqual(usersOf(7).map(({ id }) => [id, 'of 1']));
    users.close();
  });
});

describe('a workspace, parsed while it is read', () => {
  const parse = (text: string, at: number): { readonly whole: unknown; readonly users: readonly (readonly [number, unknown])[] } => {
    const users: [number, unknown][] = [];
    const parser = createWorkspaceParser((company, user) => users.push([company, user]));
    for (let from = 0; from < text.length; from += at) parser.write(text.slice(from, from + at));
    return { whole: parser.end(), users };
  };

  const company = fc.record(
    { id: fc.jsonValue(), users: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()), bots: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const document = fc
    .oneof(fc.record({ companies: fc.oneof(fc.array(fc.oneof(company, fc.jsonValue())), fc.jsonValue()) }), fc.jsonValue())
    .filter((given) => !JSON.stringify(given).includes('"__proto__"')); // a key of its own, which is refused

  it('agrees with JSON.parse, its users apart', () => {
    fc.assert(fc.property(document, fc.integer({ min: 1, max: 50 }), isParsed));
  });

  function isParsed(given: unknown, at: number): void {
    const text = JSON.stringify(given);
    const expected = JSON.parse(text) as Json;
    const users: [number, unknown][] = [];
    const companies = isJsonObject(expected) && Array.isArray(expected['companies']) ? (expected['companies'] as Json[]) : [];
    for (const [index, item] of companies.entries()) {
      if (!isJsonObject(item) || !Array.isArray(item['users'])) continue;
      for (const user of item['users']) users.push([index, user]);
      Object.assign(item, { users: [] });
    }
    expect(parse(text, at)).toEqual({ whole: expected, users });
  }

  it.each([
    ['two lists of users in one company', '{"companies":[{"users":[1],"users":[2]}]}', /"users" stands twice/],
    ['more levels than can be checked', `${'['.repeat(1_001)}`, /more than 1000 levels/],
    ['a user of more levels', `{"companies":[{"users":[${'['.repeat(1_001)}`, /more than 1000 levels/],
    ['a text that ends early', '{"companies":[', /no JSON/],
    ['nothing', '', /no JSON/],
    ['a second text behind the first', '{} {}', /no JSON/],
  ])('refuses %s', (_what, text, message) => {
    expect(() => parse(text, 7)).toThrow(message);
  });
});

describe('importing users into PostgreSQL', () => {
  let databaseUrl = '';
  beforeAll(async () => {
    databaseUrl = await createDatabase();
  }, 120_000);

  const url = (): string => databaseUrl;
  const key = Buffer.alloc(32, 3).toString('base64');

  /** Counts the queries to the server meanwhile, and the commits. */
  async function counting(work: () => Promise<unknown>): Promise<{ readonly statements: number; readonly commits: number }> {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    try {
      await work();
      const texts = query.mock.calls.map(([asked]: readonly unknown[]) =>
        typeof asked === 'string' ? asked : ((asked as { text?: string }).text ?? ''),
      );
      return { statements: texts.length, commits: texts.filter((text) => text === 'commit').length };
    } finally {
      query.mockRestore();
    }
  }

  /** The version of every row: another one after each write of it, be it with what it held. */
  async function versions({ store }: Pick<RunningService, 'store'>): Promise<readonly string[]> {
    expect(store.durability.database).toBe('postgres');
    const client = new pg.Client({ connectionString: url() });
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'hilo' and tablename <> 'members' order by 1",
    );
    const all: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ version: string }>(`select xmin || ' ' || ctid as version from hilo."${name}" order by 1`);
      all.push(...rows.map(({ version }) => `${name} ${version}`));
    }
    await client.end();
    return all;
  }

  it(
    'takes a few statements for some hundreds of them, and the second time no commit or written row',
    withPlace(async ({ open }) => {
      const service = await open({ databaseUrl: url(), secretKey: key }, { runs: false });
      const workspace = workspaceOf(usersOf(3_000));
      const first = await counting(() => service.importWorkspace({ workspace }));
      expect(first.commits).toBeLessThanOrEqual(20);
      expect(first.statements).toBeLessThanOrEqual(250);
      const before = await versions(service);
      expect(before.filter((row) => row.startsWith('contacts '))).toHaveLength(6_000);
      const second = await counting(() => service.importWorkspace({ workspace }));
      expect(second.commits).toBe(0);
      expect(second.statements).toBeLessThanOrEqual(100);
      expect(await versions(service)).toEqual(before);
    }),
    120_000,
  );
});
