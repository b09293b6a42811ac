import { createHash } from 'node:crypto';
import type { Commit, ExecutionStore } from '@hilo/engine/contract';
import { advance, commit, commitAll, contactChange, executionRecord, queuedItems } from '@hilo/testing/contracts';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DurableStore } from '../../stores/src/index.ts';
import { openPostgresStore } from '../src/index.ts';
import { statementForMany } from '../src/gathered-reads.ts';
import { byKeyAlone, groupStatement } from '../src/group-statement.ts';
import { partitionOf } from '../../stores/src/sharing.ts';
import { selectLatest } from '../../stores/src/statements/canvases.ts';
import { contactNamed } from '../../stores/src/statements/contacts.ts';
import { postgresDatabase } from '../../stores/src/statements/database.ts';
import { awaitingReply, selectExecution } from '../../stores/src/statements/executions.ts';
import { seenAnswer } from '../../stores/src/statements/inbox.ts';
import { companiesWithTimers, laneQueries } from '../../stores/src/statements/lane-sql.ts';
import { compile, type Statement } from '../../stores/src/statements/statement.ts';
import { type CuttingProxy, startCuttingProxy } from '../../stores/test/cutting-proxy.ts';
import { directPool } from '../../stores/test/postgres-server.ts';
import { createDatabase } from '../../stores/test/shared-postgres.ts';

let databaseUrl = '';
let direct: pg.Pool;
let proxy: CuttingProxy;
let store: DurableStore;
let executions: ExecutionStore;
let schemas = 0;
let schema = '';

beforeAll(async () => {
  databaseUrl = await createDatabase();
  direct = directPool(databaseUrl);
});
afterAll(async () => {
  await direct.end();
});
beforeEach(async () => {
  schema = `groups${(schemas += 1)}`;
  proxy = await startCuttingProxy(databaseUrl);
  store = await openPostgresStore({ url: proxy.url, schema });
  ({ executions } = store);
});
afterEach(async () => {
  await store.close();
  proxy.close();
});

const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `e${index}`);

/** Whatever a commit can hold, for this execution alone. */
const everything = (id: string, revision = 1): Partial<Commit> => ({
  saves: [executionRecord({ id, revision, lane: `lane of ${id}`, userId: id })],
  history: [advance(id, revision)],
  contacts: [contactChange({ userId: id, names: `Name of ${id}`, memory: { city: { value: `City of ${id}`, expiresAtMs: null } } })],
  enqueue: [queued(id)],
  seen: { keys: [`seen ${id} ${revision}`], untilMs: 9_000, answer: { of: id } },
});

const queued = (id: string) => ({
  companyId: 'c1',
  lane: `lane of ${id}`,
  acceptedAtMs: 1_000,
  accepted: { kind: 'event', executionId: id, waitId: 'w', payload: id } as const,
});

/** What is queued in a lane, in its order. */
const queuedIn = async (lane: string) =>
  (
    await direct.query<{ readonly seq: string; readonly accepted_at_ms: string; readonly accepted: string }>(
      `select seq, accepted_at_ms, accepted from ${schema}.queue where lane = $1 order by seq`,
      [lane],
    )
  ).rows.map(({ seq, accepted_at_ms, accepted }) => ({
    seq: Number(seq),
    acceptedAtMs: Number(accepted_at_ms),
    accepted: JSON.parse(accepted) as unknown,
  }));

/** Prepares every statement that the store has made so far on every connection, and the rows that it writes with. */
async function warmUp(): Promise<void> {
  for (let round = 0; round < 4; round += 1) await Promise.all(ids(130).map((id) => commit(executions, everything(`warm ${round} ${id}`))));
  proxy.count();
}

describe('commits that arrive together', () => {
  it('are one statement and one round trip for 64 of them', async () => {
    await warmUp();
    await Promise.all(ids(64).map((id) => commit(executions, everything(id))));
    expect(proxy.count()).toEqual({ roundTrips: 1, statements: 1 });
    await Promise.all(ids(65).map((id) => commit(executions, everything(`more ${id}`))));
    expect(proxy.count()).toEqual({ roundTrips: 2, statements: 2 });
  });

  it('are each written whole', async () => {
    const committed = await Promise.all(ids(100).map((id) => commit(executions, everything(id))));
    for (const [index, id] of ids(100).entries()) {
      const { history, saves } = everything(id);
      expect(await executions.load('c1', id)).toEqual(saves?.[0]);
      expect(await executions.history('c1', id)).toEqual(history);
      expect(await executions.contact('c1', 'b1', [id])).toMatchObject({
        names: `Name of ${id}`,
        memory: { city: { value: `City of ${id}`, expiresAtMs: null } },
      });
      expect(await executions.seenAnswer([`seen ${id} 1`])).toEqual({ answer: { of: id } });
      const [item] = await queuedIn(`lane of ${id}`);
      expect(item?.accepted).toEqual(queued(id).accepted);
      expect(committed[index]).toEqual({ kind: 'committed', seqs: [item?.seq] });
    }
  });

  it('lose none to one that another writer was faster with, or that was seen before', async () => {
    await commitAll(executions, everything('e3'));
    await commitAll(executions, { seen: { keys: ['seen e5 1'], untilMs: 9_000, answer: 'before' } });
    const gone = { ...everything('e7'), dequeue: queuedItems([987_654]) };
    const all = ids(10).map((id) => (id === 'e7' ? gone : everything(id)));
    const committed = await Promise.all(all.map((one) => commit(executions, one)));
    const others = new Map([
      ['e3', 'duplicate'],
      ['e5', 'duplicate'],
      ['e7', 'conflict'],
    ]);
    expect(committed.map(({ kind }) => kind)).toEqual(ids(10).map((id) => others.get(id) ?? 'committed'));
    expect(committed[3]).toEqual({ kind: 'duplicate', answer: { of: 'e3' } });
    expect(committed[5]).toEqual({ kind: 'duplicate', answer: 'before' });
    for (const id of ['e5', 'e7']) {
      expect(await executions.load('c1', id)).toBeUndefined();
      expect(await executions.contact('c1', 'b1', [id])).toBeUndefined();
      expect(await queuedIn(`lane of ${id}`)).toEqual([]);
    }
    expect(await executions.seenAnswer(['seen e7 1'])).toBeUndefined();
  });

  it('lose none to one that the database cannot take: it fails alone (P17)', async () => {
    const tooLongForAnIndex = ids(300).map((id) => createHash('sha256').update(id).digest('base64'));
    const poisoned = { ...everything('e4'), enqueue: [{ ...queued('e4'), lane: tooLongForAnIndex.join('') }] };
    const answers = await Promise.allSettled(ids(8).map((id) => commit(executions, id === 'e4' ? poisoned : everything(id))));
    expect(answers.map(({ status }) => status)).toEqual(ids(8).map((id) => (id === 'e4' ? 'rejected' : 'fulfilled')));
    for (const id of ids(8)) expect((await executions.load('c1', id))?.executionId).toBe(id === 'e4' ? undefined : id);
    expect(await executions.seenAnswer(['seen e4 1'])).toBeUndefined();
  });

  it('of one user are in their order, though they never share a statement', async () => {
    const messages = Array.from({ length: 20 }, (_, index) => ({ ...queued('e1'), acceptedAtMs: index }));
    await Promise.all(messages.map((item) => commit(executions, { contacts: [contactChange({ userId: 'e1' })], enqueue: [item] })));
    expect((await queuedIn('lane of e1')).map(({ acceptedAtMs }) => acceptedAtMs)).toEqual(
      messages.map(({ acceptedAtMs }) => acceptedAtMs),
    );
  });
});

describe('reads that arrive together', () => {
  it('are one statement for each kind of them, and each is answered its own', async () => {
    await warmUp();
    await Promise.all(ids(40).map((id) => commit(executions, everything(id))));
    const readAll = () =>
      Promise.all(
        [...ids(40), 'nobody'].map(async (id) => [
          (await executions.load('c1', id))?.executionId,
          (await executions.contact('c1', 'b1', [id]))?.names,
          (await executions.seenAnswer([`seen ${id} 1`]))?.answer,
        ]),
      );
    for (let round = 0; round < 20; round += 1) await readAll(); // on each connection
    proxy.count();
    expect(await readAll()).toEqual([...ids(40).map((id) => [id, `Name of ${id}`, { of: id }]), [undefined, undefined, undefined]]);
    expect(proxy.count().statements).toBeLessThanOrEqual(6);
  });
});

describe('the plan of what is written and read for many at once', () => {
  it('finds every row by a key, once the server has looked at the tables', async () => {
    await warmUp();
    await direct.query(
      `analyze ${['executions', 'seen', 'queue', 'contacts', 'memories', 'histories'].map((table) => `${schema}.${table}`).join()}`,
    );
    const reads: readonly Statement<never, unknown>[] = [selectExecution, contactNamed, selectLatest, awaitingReply, seenAnswer];
    for (const statement of reads) {
      const { sql } = compile(statement, postgresDatabase(schema));
      expect(await scansWithoutKey(statementForMany(sql, placesOf(sql)))).toEqual([]);
    }
    expect(await scansWithoutKey(groupStatement(schema))).toEqual([]);
  });

  it('reads the due times of a company, and which companies have one, in an index that begins with the company', async () => {
    await direct.query(`insert into ${schema}.executions (part, company_id, execution_id, workflow_id, revision, lane, created_at_ms, updated_at_ms,
      status, reply_order, due_at_ms, state) select 0, 'c' || (n % 100) * (n % 10), 'e' || n, 'w', 1, 'lane ' || n, 1, 1, 'waiting', 0,
      case n % 3 when 0 then null else n end, '[]' from generate_series(1, 3000) as n`);
    await direct.query(`analyze ${schema}.executions`);
    const { dueWaitsOf } = laneQueries(true);
    const database = postgresDatabase(schema);
    for (const { sql } of [compile(dueWaitsOf, database), compile(companiesWithTimers, database)]) {
      const plan = await planOf(sql);
      expect(
        plan.filter((line) => /Scan .*on executions/.test(line)).filter((line) => !line.includes('executions_due_by_company')),
      ).toEqual([]);
      expect(plan.join()).toContain('executions_due_by_company');
      expect(plan.join()).not.toMatch(/Sort Key: (executions\.)?(due_at_ms|company_id)/);
    }
  });

  const placesOf = (sql: string): number => Math.max(...[...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));

  /** The lines of a plan in which a table is gone through without an index, or by one that has no condition. */
  async function scansWithoutKey(sql: string): Promise<readonly string[]> {
    const plan = await planOf(sql);
    const scans = plan.flatMap((line, at) => (/(Seq|Index|Index Only) Scan/.test(line) ? [`${line}${plan[at + 1] ?? ''}`] : []));
    expect(scans.length).toBeGreaterThan(0);
    return scans.filter((scan) => scan.includes('Seq Scan') || !scan.includes('Index Cond'));
  }

  async function planOf(sql: string): Promise<readonly string[]> {
    const client = await direct.connect();
    try {
      for (const [name, value] of byKeyAlone) await client.query(`set ${name} = ${value}`);
      await client.query(`prepare many as ${sql}`);
      const values = Array.from({ length: placesOf(sql) }, () => 'null').join();
      const { rows } = await client.query<{ readonly 'QUERY PLAN': string }>(`explain execute many (${values})`);
      return rows.map((row) => row['QUERY PLAN']);
    } finally {
      client.release(true);
    }
  }
});

describe('a group under which something changes', () => {
  it('is made one by one: each comes to what it would have alone (P10)', async () => {
    await warmUp();
    const other = await direct.connect();
    await other.query(`begin; insert into ${schema}.seen (part, key, until_ms, answer)
      values (${partitionOf('seen e2 1')}, 'seen e2 1', 9000, '"theirs"')`);
    const committing = Promise.all(ids(5).map((id) => commit(executions, everything(id))));
    const isBlocked = async (): Promise<void> => {
      const { rows } = await direct.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'with given_saves%'",
      );
      expect(rows).not.toEqual([]);
    };
    await vi.waitFor(isBlocked, 60_000);
    await other.query('commit');
    other.release();
    const committed = await committing;
    expect(committed.map(({ kind }) => kind)).toEqual(['committed', 'committed', 'duplicate', 'committed', 'committed']);
    expect(committed[2]).toEqual({ kind: 'duplicate', answer: 'theirs' });
    expect(await executions.load('c1', 'e2')).toBeUndefined();
  });
});

describe('a group whose answer is lost (P2)', () => {
  it('is answered as what it was', async () => {
    for (let revision = 1; revision <= 5; revision += 1) {
      proxy.loseNextAnswer();
      const committed = await Promise.all(ids(3).map((id) => commit(executions, everything(id, revision))));
      for (const [index, id] of ids(3).entries()) {
        const seqs = [(await queuedIn(`lane of ${id}`)).at(-1)?.seq];
        expect(committed[index]).toEqual({ kind: 'committed', seqs });
      }
    }
    expect(proxy.lost()).toBe(5);
    for (const id of ids(3)) expect((await executions.history('c1', id)).map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5]);
  });

  it('is written once where the server never got it, and changes nothing where it gets it later', async () => {
    proxy.keepNextStatement();
    const committed = await Promise.all(ids(3).map((id) => commit(executions, everything(id))));
    expect(committed.map(({ kind }) => kind)).toEqual(['committed', 'committed', 'committed']);
    expect(proxy.lost()).toBe(1);
    const tables = ['executions', 'histories', 'seen', 'queue', 'contacts', 'memories'];
    const rows = async () =>
      Promise.all(tables.map(async (table) => (await direct.query<object>(`select * from ${schema}.${table}`)).rows));
    const before = await rows();
    expect(before.map((all) => all.length)).toEqual([3, 0, 3, 3, 3, 3]);
    await proxy.deliverKept();
    expect(await rows()).toEqual(before);
  });

  it('is answered though the row that it is asked by was removed since the last one', async () => {
    await commitAll(executions, everything('e1'));
    await direct.query(`delete from ${schema}.writers`);
    await commitAll(executions, everything('e2'));
    await commitAll(executions, everything('e3'));
    expect(await executions.load('c1', 'e3')).toBeDefined();
  });
});
