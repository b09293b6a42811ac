import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accepted, commitAll, executionRecord, recordedListener } from '@hilo/testing/contracts';
import { type DurableStore, openPostgresStore } from '../src/index.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

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

    const { leases, listener } = await takePart(store);
    expect(await leases.claim('l')).toBe('refused');
    await listener.until('orphans');
    expect(await leases.claim('l')).toBe('inherited');
    const [unfinished] = await store.executions.unfinished('', 10);
    expect(unfinished).toMatchObject({ lane: 'l', unsettled: [{ revision: 1 }] });
    const ours = executionRecord({ lane: 'l', revision: 2, status: 'completed' });
    await commitAll(store.executions, { saves: [ours] });

    child.kill('SIGCONT');
    await closed;
    expect(said.toSorted()).toEqual(['STORE_UNAVAILABLE', 'claimed', 'lost', 'stops']);
    expect(await store.executions.load('c1', 'e1')).toEqual(ours);
    await store.close();
  });
});

describe('a PostgreSQL server that is away for a while', () => {
  it('finds its members as they were, and each is told what it missed', async () => {
    const stores = await Promise.all([open('away'), open('away')]);
    const [a, b] = await Promise.all(stores.map(takePart));
    if (a === undefined || b === undefined) throw new Error('There are two');
    expect(await a.leases.claim('l')).toBe('claimed');
    expect(await a.leases.claim('m')).toBe('claimed');
    expect(await b.leases.claim('l')).toBe('refused');

    const reconnected = Promise.all([a.listener.until('orphans'), b.listener.until('orphans')]);
    await server.crash();
    await expect(b.leases.claim('n')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' }); // longer than a lease
    await server.start();
    await reconnected;

    expect([...a.listener.told, ...b.listener.told]).not.toContain('lost');
    expect(await b.leases.claim('m')).toBe('refused');
    await stores[1]?.executions.commit({
      saves: [],
      history: [],
      contacts: [],
      enqueue: [{ ...accepted('e1'), lane: 'm' }],
      dequeue: [],
    });
    await a.listener.until('queued m');
    await a.leases.release('l');
    await b.listener.until('free l');
    expect(await b.leases.claim('l')).toBe('claimed');
    await Promise.all(stores.map(({ close }) => close()));
  });

  it('tells of a lane that was let go of while nobody could hear', async () => {
    const stores = await Promise.all([open('deaf'), open('deaf')]);
    const [a, b] = await Promise.all(stores.map(takePart));
    if (a === undefined || b === undefined) throw new Error('There are two');
    await a.leases.claim('l');
    await b.leases.claim('l');
    const direct = new pg.Client({ connectionString: server.url });
    await direct.connect();
    await direct.query('delete from deaf.lanes');
    await b.listener.until('free l');
    expect(await b.leases.claim('l')).toBe('claimed');
    await direct.end();
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
    expect(Math.abs(Number(rows[0]?.ms) - askedMs)).toBeLessThan(500);
    await direct.end();
    await store.close();
  });
});
