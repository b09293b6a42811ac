import { createEngine, type Engine, parseCanvas } from '@hilo/engine';
import { type BoundDriver, drive, isHiloError } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { sendMessage } from '@hilo/nodes/effects';
import { randomFillSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DurableStore } from '../../packages/stores/src/index.ts';
import { openPostgresStore } from '../../packages/postgres/src/index.ts';
import { type PostgresServer, startPostgres } from '../../packages/stores/test/postgres-server.ts';
import { systemClock, visiting } from './visiting.ts';

const companyId = '1';
const callers = 16;
/** How often the server is stopped; `HILO_CHAOS_ROUNDS` overrides it. */
const rounds = Number(process.env['HILO_CHAOS_ROUNDS'] ?? 3);
/** So much is accepted before each time, and after the last. */
const enough = 30;
const goneMs = 400;

const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));

describe('two engines on a PostgreSQL that is stopped and started under load', () => {
  let server: PostgresServer;
  const stores: DurableStore[] = [];
  const engines: Engine[] = [];
  const keysOfUser = new Map<string, Set<string>>();
  const faultsOfEngine: unknown[][] = [];

  beforeAll(async () => {
    server = await startPostgres();
    const driver: BoundDriver = drive(sendMessage, async (_request, { idempotencyKey, origin: { userId = '' } }) => {
      const keys = keysOfUser.get(userId) ?? new Set<string>();
      keysOfUser.set(userId, keys.add(idempotencyKey));
      return { kind: 'sent', messageId: idempotencyKey };
    });
    for (const _ of [0, 1]) {
      const store = await openPostgresStore({ url: server.url, leaseMs: 1_500 });
      stores.push(store);
      const engine = createEngine({
        nodes: standardNodes,
        drivers: [driver],
        clock: store.clock(systemClock),
        random: { bytes: (length) => randomFillSync(new Uint8Array(length)) },
        store: { executions: store.executions, canvases: store.canvases },
      });
      engines.push(engine);
      const faults: unknown[] = [];
      faultsOfEngine.push(faults);
      engine.on('engine.fault', ({ error }) => faults.push(error));
      await engine.start();
    }
    const { canvas } = parseCanvas(visiting);
    if (canvas === undefined) throw new Error('not a canvas');
    await engines[0]?.saveDraft(companyId, canvas);
    await engines[0]?.publish(companyId, canvas.id);
  }, 120_000);

  afterAll(async () => {
    for (const engine of engines) await engine.stop().catch(() => undefined);
    for (const store of stores) await store.close();
    await server.remove();
  });

  it('loses nothing that was accepted, starts nothing twice, and recovers by itself (P1, P2, P8, P26)', async () => {
    const accepted = new Map<string, string>();
    const unexpected: unknown[] = [];
    let isOver = false;
    let next = 0;

    /** Starts one execution after the other; unanswered calls are repeated with the same key, at either process. */
    const caller = async (): Promise<void> => {
      while (!isOver) {
        const userId = `51999${100_000 + next++}`;
        const origin = { companyId, botId: 'bot', userId, channel: 'whatsapp', route: 'production' } as const;
        for (let attempt = 0; !accepted.has(userId); attempt += 1) {
          const engine = engines[(next + attempt) % engines.length];
          try {
            const started = await engine?.startWorkflow({ origin, workflowId: 'visiting', idempotencyKey: userId });
            if (started !== undefined) accepted.set(userId, started.executionId);
          } catch (error) {
            if (!isHiloError(error, 'STORE_UNAVAILABLE') && !isHiloError(error, 'STORE_CONFLICT')) unexpected.push(error);
            await pause(50);
          }
        }
      }
    };
    const load = Array.from({ length: callers }, caller);
    const someMore = async (): Promise<void> => {
      const goal = accepted.size + enough;
      while (accepted.size < goal) await pause(10);
    };
    for (let round = 0; round < rounds; round += 1) {
      await someMore();
      await server.crash();
      await pause(goneMs);
      await server.start();
    }
    await someMore();
    isOver = true;
    await Promise.all(load);
    // One process may not know yet what the other accepted for one of its lanes: notifications were lost while the server was down.
    const running = async () => (await stores[0]?.executions.list(companyId, { status: 'running', limit: 1 }))?.results;
    await vi.waitFor(async () => expect(await running()).toEqual([]), { timeout: 60_000 });

    expect(unexpected).toEqual([]);
    const ids = new Set<string>();
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await stores[0]?.executions.list(companyId, { limit: 500, ...(cursor === undefined ? {} : { cursor }) });
      for (const { executionId, state } of page?.results ?? []) {
        expect({ executionId, status: state.status }).toEqual({ executionId, status: 'completed' });
        ids.add(executionId);
      }
      cursor = page?.nextCursor ?? null;
    }
    expect([...accepted.values()].filter((executionId) => !ids.has(executionId))).toEqual([]);
    // One key is one start, however often it was sent; and one execution sends under one key.
    expect(ids.size).toBe(accepted.size);
    expect([...keysOfUser].filter(([, keys]) => keys.size !== 1)).toEqual([]);
    expect(keysOfUser.size).toBe(accepted.size);
  }, 120_000);

  it('says that its store is away, at rest too, and takes starts again once it is back', async () => {
    for (const faults of faultsOfEngine) faults.splice(0);
    await server.crash();
    await vi.waitFor(() => expect(faultsOfEngine.filter((faults) => faults.length === 0)).toEqual([]), { timeout: 60_000 });
    await server.start();
    const away = faultsOfEngine.map((faults) => faults.filter((error) => !isHiloError(error, 'STORE_UNAVAILABLE')));
    expect(away).toEqual([[], []]);
    const { executionId } = await vi.waitFor(
      async () => {
        const origin = { companyId, botId: 'bot', userId: '51999999999', channel: 'whatsapp', route: 'production' } as const;
        const started = await engines[0]?.startWorkflow({ origin, workflowId: 'visiting', idempotencyKey: 'after' });
        if (started === undefined) throw new Error('there is no engine');
        return started;
      },
      { timeout: 60_000 },
    );
    expect(executionId).not.toBe('');
  }, 120_000);
});
