import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accepted, commitAll, executionRecord, recordedListener } from '@hilo/testing/contracts';
import type { DurableStore } from '../../stores/src/index.ts';
import { openPostgresStore } from '../src/index.ts';
import { partitionOf } from '../../stores/src/sharing.ts';
import { type PostgresServer, startPostgres } from '../../stores/test/postgres-server.ts';

const leaseMs = 1_000;
let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  await server.remove();
});

const open = (schema: string) => openPostgresStore({ url: server.url, schema, leaseMs });

async function takePart({ executions }: DurableStore) {
  const { leases } = executions;
  if (leases === undefined) throw new Error('PostgreSQL has no leases');
  const listener = recordedListener();
  await leases.join(listener);
  return { leases, listener };
}

describe('two real processes on one PostgreSQL', () => {
  it('refuses the commit of one that was stopped in its middle for longer than its lease (P8)', async () => {
    const store = await open('stopped');
    const child = spawn(process.execPath, [join(import.meta.dirname, 'stopping-process.ts'), server.url, 'stopped', String(leaseMs)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said: string[] = [];
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => said.push(line));
    const closed = once(lines, 'close');
    while (!said.includes('stops')) await once(lines, 'line');

    const { leases } = await takePart(store);
    expect(leases.isOurs('l')).toBe(false);
    await vi.waitFor(() => expect(leases.isOurs('l')).toBe(true), { timeout: 60_000 });
    const [unfinished] = await store.executions.unfinished('', 10);
    expect(unfinished).toMatchObject({ lane: 'l', unsettled: [{ revision: 1 }] });
    const ours = executionRecord({ lane: 'l', revision: 2, status: 'completed' });
    await commitAll(store.executions, { saves: [ours] });

    child.kill('SIGCONT');
    await closed;
    expect(said.toSorted()).toEqual(['STORE_UNAVAILABLE', 'has it', 'lost', 'stops']);
    expect(await store.executions.load('c1', 'e1')).toEqual(ours);
    await store.close();
  });
});

const lanes = Array.from({ length: 100 }, (_, index) => `lane ${index}`);

/** Two that have joined, each with its share. */
async function two(schema: string) {
  const stores = await Promise.all([open(schema), open(schema)]);
  const [a, b] = await Promise.all(stores.map(takePart));
  if (a === undefined || b === undefined) throw new Error('There are two');
  const ownedBy = ({ leases }: typeof a) => lanes.filter(leases.isOurs);
  await vi.waitFor(
    () => {
      expect(ownedBy(a).length + ownedBy(b).length).toBe(lanes.length);
      expect(Math.min(ownedBy(a).length, ownedBy(b).length)).toBeGreaterThan(20);
    },
    { timeout: 60_000 },
  );
  return { stores, a, b, ownedBy };
}

describe('a PostgreSQL server that is away for a while', () => {
  it('finds its members as they were, each with its lanes, and what was accepted without a word', async () => {
    const { stores, a, b, ownedBy } = await two('away');
    const before = [ownedBy(a), ownedBy(b)];
    const [lane = ''] = ownedBy(a);
    await server.crash();
    const queued = { saves: [], history: [], contacts: [], enqueue: [{ ...accepted('e1'), lane }], dequeue: [] };
    const commit = stores[1]?.executions.commit(queued);
    await expect(commit).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' }); // longer than a lease
    await server.start();
    await vi.waitFor(() => stores[1]?.executions.commit(queued), { timeout: 60_000 });
    await a.listener.until(`queued ${lane}`);
    expect([...a.listener.notices, ...b.listener.notices]).not.toContain('lost');
    expect([ownedBy(a), ownedBy(b)]).toEqual(before);
    await Promise.all(stores.map(({ close }) => close()));
  });

  it('tells of what was accepted by a process that died before it told anybody', async () => {
    const { stores, a, ownedBy } = await two('deaf');
    const [lane = ''] = ownedBy(a);
    const direct = new pg.Client({ connectionString: server.url });
    await direct.connect();
    await direct.query(
      `insert into deaf.queue (part, company_id, lane, accepted_at_ms, accepted, rank) values ($2, 'c1', $1, 1, '{"kind":"message"}', 1)`,
      [lane, partitionOf(lane)],
    );
    await direct.end();
    await a.listener.until(`queued ${lane}`);
    expect(a.listener.notices).not.toContain('lost');
    await Promise.all(stores.map(({ close }) => close()));
  });
});

describe('the clock of a PostgreSQL store (P12)', () => {
  it('is the database’s, whatever the machine’s says', async () => {
    const store = await open('clock');
    const wrong = { now: () => 0, setTimeout: () => undefined, clearTimeout: () => undefined };
    const direct = new pg.Client({ connectionString: server.url });
    await direct.connect();
    const askedMs = store.clock(wrong).now();
    const { rows } = await direct.query<{ readonly ms: string }>('select extract(epoch from clock_timestamp()) * 1000 as ms');
    expect(Math.abs(Number(rows[0]?.ms) - askedMs)).toBeLessThan(60_000); // the machine's says 1970
    await direct.end();
    await store.close();
  });
});
