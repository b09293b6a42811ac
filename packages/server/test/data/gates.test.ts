import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine, type Engine } from '@hilo/engine';
import type { Commit } from '@hilo/engine/contract';
import { drive, sendMessage, standardNodes } from '@hilo/nodes';
import { createVirtualClock, seededRandom } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, inject, it, vi } from 'vitest';
import { type DurableStore, openSqliteStore } from '@hilo/stores';
import { openPostgresStore } from '@hilo/postgres';
import { createDatabase } from '../../../stores/test/shared-postgres.ts';
import { temporaryDirectory } from '../../../stores/test/temporary-directory.ts';

/** Two processes over one database; of SQLite, which one process has for itself, two engines over its store. */
interface Pair {
  readonly stores: readonly [DurableStore, DurableStore];
  close(): Promise<void>;
}

async function onSqlite(): Promise<Pair> {
  const directory = await temporaryDirectory();
  const store = await openSqliteStore({ path: join(directory, 'hilo.db') });
  return {
    stores: [store, store],
    async close() {
      await store.close();
      await rm(directory, { recursive: true });
    },
  };
}

let schemas = 0;
async function onPostgres(): Promise<Pair> {
  const where = { url: await createDatabase(), schema: `gates${(schemas += 1)}` };
  const stores = [await openPostgresStore(where), await openPostgresStore(where)] as const;
  return {
    stores,
    async close() {
      for (const store of stores) await store.close();
    },
  };
}

const greeting = (name: string) => ({
  schemaVersion: 1,
  id: 'greet',
  name,
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['hi'] } },
    { id: 'hook', type: 'webhook', data: { variableName: 'hook', methods: ['POST'], userIdPath: 'user' } },
    { id: 'hello', type: 'message', data: { message: { type: 'text', text: 'Hello' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'hello' },
    { source: 'hook', sourceHandle: 'new', target: 'hello' },
    { source: 'hello', sourceHandle: 'sent', target: 'done' },
  ],
});

const codeOf = (error: unknown): string => (typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'fault');

const isStart = ({ saves }: Commit): boolean => saves.some(({ revision }) => revision === 1);

/** An engine whose starts are decided, and wait with their commits until they are let through. */
function createHeldEngine({ executions, canvases }: DurableStore, seed: number) {
  let { promise: mayCommit, resolve: letThrough } = Promise.withResolvers<void>();
  letThrough();
  let decided = 0;
  const port = new Proxy(executions, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const bound = member.bind(target) as (...given: readonly unknown[]) => unknown;
      if (name !== 'commit') return bound;
      return async (commit: Commit) => {
        if (isStart(commit)) {
          decided += 1;
          await mayCommit;
        }
        return bound(commit);
      };
    },
  });
  const engine = createEngine({
    nodes: standardNodes,
    drivers: [drive(sendMessage, (_message, { idempotencyKey }) => ({ kind: 'sent', messageId: idempotencyKey }))],
    clock: createVirtualClock(),
    random: seededRandom(seed),
    store: { executions: port, canvases },
  });
  return {
    engine,
    decided: () => decided,
    hold: () => void ({ promise: mayCommit, resolve: letThrough } = Promise.withResolvers<void>()),
    letThrough: () => letThrough(),
  };
}

const stores: { readonly [name: string]: () => Promise<Pair> } = {
  SQLite: onSqlite,
  ...(inject('takesAll') && { PostgreSQL: onPostgres }),
};

describe.each(Object.entries(stores))('gates on %s', (_name, open) => {
  it('law G1: once a workflow is closed no process commits a start, however long ago it was decided', async () => {
    const { stores: both, close } = await open();
    const [first, second] = [createHeldEngine(both[0], 1), createHeldEngine(both[1], 2)];
    const [pausing, starting] = [first.engine.company('acme'), second.engine.company('acme')];
    const say = (user: string, id: string) =>
      starting.message({ bot: 'bot', deliveryId: id, user: { id: user }, message: { type: 'text', text: 'hi' } });
    await pausing.publish(greeting('One'));
    await first.engine.start();
    await second.engine.start();
    await starting.start('greet', { bot: 'bot', user: { id: 'before' } });
    await second.engine.whenIdle();

    second.hold();
    const begun = second.decided();
    const attempts = [
      starting.start('greet', { bot: 'bot', user: { id: 'ada' } }),
      starting.webhook('greet', { method: 'POST', body: { user: '5215512345679' } }, { bot: 'bot' }),
    ].map((attempt) => attempt.catch((error: unknown) => error));
    await vi.waitFor(() => expect(second.decided()).toBe(begun + 2), { timeout: 60_000 });
    await pausing.pause('greet', { says: 'Later' });
    second.letThrough();
    expect(await Promise.all(attempts)).toMatchObject([
      { code: 'WORKFLOW_PAUSED', status: 409 },
      { code: 'WORKFLOW_PAUSED', status: 503, details: { retryAfterS: 60 } }, // whoever sent a request can send it again
    ]);

    await expect(starting.start('greet')).rejects.toMatchObject({ code: 'WORKFLOW_PAUSED' });
    expect(await say('cid', 'c1')).toEqual({ outcome: 'started' });
    await second.engine.whenIdle();
    const versions = async () => (await pausing.executions({ workflowId: 'greet' })).results.map(({ version }) => version);
    expect(await versions()).toEqual([0, 1]);
    await expect(pausing.unpublish('greet')).resolves.toBeDefined();
    await expect(starting.pause('greet', { says: 'Later' })).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
    await pausing.unpause('greet'); // what was unpublished stays so
    await expect(starting.start('greet')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
    await pausing.publish(greeting('One'));
    await starting.start('greet', { bot: 'bot', user: { id: 'ada' } });
    await second.engine.whenIdle();
    expect(await versions()).toEqual([1, 0, 1]);
    await second.engine.stop();
    await first.engine.stop();
    await close();
  });

  it('law G2: unpausing restores exactly the version before, whatever was done in between', async () => {
    const steps = ['publish', 'pause', 'says', 'unpause', 'unpublish'] as const;
    const { stores: both, close } = await open();
    let companies = 0;
    const engines: Engine[] = both.map((store, index) => createHeldEngine(store, index + 10).engine);
    for (const engine of engines) await engine.start();
    const companyOf = (process: number, companyId: string) => {
      const engine = engines[process];
      if (engine === undefined) throw new RangeError(`There are two processes, and no ${process}`);
      return engine.company(companyId);
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ step: fc.constantFrom(...steps), content: fc.nat(2), process: fc.nat(1) }), { minLength: 1, maxLength: 12 }),
        async (acts) => {
          const companyId = `company${(companies += 1)}`;
          let [latest, content, state] = [0, -1, 'none'];
          for (const act of acts) {
            const company = companyOf(act.process, companyId);
            const isThere = latest > 0 && (state !== 'unpublished' || act.step === 'unpause' || act.step === 'unpublish');
            const doing =
              act.step === 'publish'
                ? company.publish(greeting(String(act.content)))
                : act.step === 'unpause' || act.step === 'unpublish'
                  ? company[act.step]('greet')
                  : company.pause('greet', act.step === 'says' ? { says: 'Later' } : {});
            const outcome = await doing.then(
              () => 'done',
              (error: unknown) => codeOf(error),
            );
            const isDone = act.step === 'publish' || isThere;
            expect({ act, outcome }).toEqual({ act, outcome: isDone ? 'done' : 'WORKFLOW_NOT_FOUND' });
            if (!isDone) continue;
            if (act.step === 'publish') {
              if (content !== act.content) [latest, content] = [latest + 1, act.content];
              state = state === 'paused' ? 'paused' : 'open';
            } else if (act.step === 'unpause') state = state === 'paused' ? 'open' : state;
            else state = act.step === 'unpublish' ? 'unpublished' : 'paused';
          }
          for (const engine of engines) {
            const outcome = await engine
              .company(companyId)
              .start('greet', { bot: 'bot', user: { id: 'ada' } })
              .then(async ({ executionId }) => (await engine.execution(companyId, executionId))?.version)
              .catch((error: unknown) => codeOf(error));
            expect(outcome).toBe(state === 'open' ? latest : state === 'paused' ? 'WORKFLOW_PAUSED' : 'WORKFLOW_NOT_FOUND');
          }
        },
      ),
      { numRuns: 20 },
    );
    for (const engine of engines.toReversed()) {
      await engine.whenIdle();
      await engine.stop();
    }
    await close();
  });

  it('a pause with an end is over at that instant, for the database too', async () => {
    const { stores: both, close } = await open();
    const { engine } = createHeldEngine(both[0], 3);
    const acme = engine.company('acme');
    await acme.publish(greeting('One'));
    await engine.start();
    const now = createVirtualClock().now();
    for (const untilMs of [now + 1, now + 60_000]) {
      await acme.pause('greet', { untilMs });
      const calling = acme.webhook('greet', { method: 'POST', body: { user: '5215512345679' } }, { bot: 'bot' });
      const retryAfterS = Math.ceil((untilMs - now) / 1_000);
      await expect(calling).rejects.toMatchObject({ code: 'WORKFLOW_PAUSED', details: { retryAfterS } });
    }
    for (const untilMs of [now - 1, now]) await expect(acme.pause('greet', { untilMs })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await both[0].canvases.setGate('acme', 'greet', { state: 'paused', children: 'run', atMs: now - 9, untilMs: now });
    await acme.start('greet', { bot: 'bot', user: { id: 'ada' } });
    await engine.whenIdle();
    expect((await acme.executions()).results.map(({ version }) => version)).toEqual([1]);
    await engine.stop();
    await close();
  });
});
