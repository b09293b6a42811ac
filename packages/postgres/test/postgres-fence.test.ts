import { executionRecord, recordedListener, saveAll } from '@hilo/testing/contracts';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { call, type DurableStore } from '../../stores/src/index.ts';
import { openPostgresStore } from '../src/index.ts';
import { partitionOf } from '../../stores/src/sharing.ts';
import { statement } from '../../stores/src/statements/statement.ts';
import { commitOf } from '../../stores/test/commit-of.ts';
import { directPool } from '../../stores/test/postgres-server.ts';
import { createDatabase } from '../../stores/test/shared-postgres.ts';

const lane = 'l';
const part = partitionOf(lane);
/** Longer than a test: nothing but what the test does changes owners. */
const leaseMs = 600_000;

let databaseUrl = '';
let direct: pg.Pool;
let store: DurableStore;
let leave: () => Promise<void>;
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
  schema = `fence${(schemas += 1)}`;
  store = await openPostgresStore({ url: databaseUrl, schema, leaseMs });
  const { leases } = store.executions;
  if (leases === undefined) throw new Error('PostgreSQL has leases');
  leave = await leases.join(recordedListener());
  await saveAll(store.executions, executionRecord({ lane }));
});
afterEach(() => store.close());

const next = commitOf({ saves: [executionRecord({ lane, revision: 2, status: 'completed' })] });
const nothing = statement()((db) => db.selectNoFrom(({ val }) => val(1).as('one')));
const refused = { code: 'STORE_UNAVAILABLE' };
const revision = async (): Promise<number | undefined> => (await store.executions.load('c1', 'e1'))?.revision;

describe.each([
  ['in a group', 'with given_%', () => store.executions.commit(next)],
  ['of its own', 'select "part" from %', () => store.commitWith(next, [call(nothing, {})])],
] as const)('a commit %s', (_name, waits, commit) => {
  it('is made in a lane of its process', async () => {
    expect(await commit()).toMatchObject({ kind: 'committed' });
    expect(await revision()).toBe(2);
  });

  it('is refused where its partition has had another owner since, though it is this process’s again (P8)', async () => {
    await direct.query(`update ${schema}.partitions set epoch = epoch + 2 where part = $1`, [part]);
    await expect(commit()).rejects.toMatchObject(refused);
    expect(await revision()).toBe(1);
  });

  it('is refused once its process has left, while what it still had under way goes on (P8)', async () => {
    await leave();
    await expect(commit()).rejects.toMatchObject(refused);
    expect(await revision()).toBe(1);
    await saveAll(store.executions, executionRecord({ id: 'e2', lane })); // what begins may begin anywhere
  });

  it('waits for who is just taking its partition, and is refused then (P8)', async () => {
    const other = await direct.connect();
    await other.query(`begin; update ${schema}.partitions set owner = 0 where part = ${part}`);
    const committing = Promise.resolve(commit()).catch((error: unknown) => error);
    await vi.waitFor(async () => expect(await waitingFor(waits)).toBe(1), { timeout: 60_000 });
    await other.query('commit');
    other.release();
    expect(await committing).toMatchObject(refused);
    expect(await revision()).toBe(1);
  });

  it('keeps its partition until it is made', async () => {
    const row = await direct.connect(); // holds the commit up behind its check
    await row.query(`begin; select from ${schema}.executions for update`);
    const committing = commit();
    await vi.waitFor(async () => expect(await waitingFor('%')).toBe(1), { timeout: 60_000 });
    const taking = direct.query(`update ${schema}.partitions set owner = 0 where part = $1`, [part]);
    await vi.waitFor(async () => expect(await waitingFor('update %.partitions%')).toBe(1), { timeout: 60_000 });
    await row.query('commit');
    row.release();
    expect(await committing).toMatchObject({ kind: 'committed' });
    await taking;
    expect(await revision()).toBe(2);
  });
});

/** How many statements like this wait for a row. */
async function waitingFor(query: string): Promise<number | null> {
  return (
    await direct.query("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1", [
      query,
    ])
  ).rowCount;
}
