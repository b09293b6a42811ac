import { join } from 'node:path';
import { createEngine } from '@hilo/engine';
import { createVirtualClock, simulate, type Simulation, simulatedIds, virtualStartMs } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { type DurableStore, openSqliteStore } from '../src/index.ts';
import { withDirectory } from './temporary-directory.ts';

const survey = {
  schemaVersion: 1,
  id: 'survey',
  name: 'Survey',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    {
      id: 'who',
      type: 'ask',
      data: { message: { type: 'text', text: 'Who are you?' }, input: { kind: 'text' }, saveAs: '$context.name', timeout: 'P21D' },
    },
    { id: 'greet', type: 'message', data: { message: { type: 'text', text: 'Hello {{$context.name}}!' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'who' },
    { source: 'who', sourceHandle: 'answered', target: 'greet' },
    { source: 'greet', sourceHandle: 'sent', target: 'done' },
  ],
};

/** An engine over a file, and how to throw it away without a word. */
async function engineOn(path: string, options: Partial<Simulation> = {}) {
  const store = await openSqliteStore({ path });
  const talk = await simulate({ canvases: [survey], store: store.executions, canvasStore: store.canvases, ...options });
  return { store, talk };
}

const newest = async ({ executions }: DurableStore) => (await executions.list(simulatedIds.companyId, { limit: 1 })).results[0];

describe('an engine over a SQLite store', () => {
  it(
    'goes on with a conversation that another engine began on the same file',
    withDirectory(async (directory) => {
      const path = join(directory, 'hilo.db');
      const first = await engineOn(path);
      await first.talk.says('hi');
      expect(first.talk.sent).toMatchObject([{ text: 'Who are you?' }]);
      await first.store.close();

      const second = await engineOn(path, { seed: 2, startAt: virtualStartMs + 14 * 86_400_000 });
      // An id of its own: both conversations number their messages from 1, and the first is remembered as seen.
      const { companyId, botId } = simulatedIds;
      const user = { id: '5215512345678' };
      await second.talk.engine.receiveMessage({ companyId, botId, eventId: 'later', user, message: { type: 'text', text: 'Ana' } });
      await second.talk.settles();
      expect(second.talk.sent).toMatchObject([{ text: 'Hello Ana!' }]);
      expect(await newest(second.store)).toMatchObject({ state: { status: 'completed' } });
      expect(second.talk.faults).toEqual([]);
      await second.store.close();
    }),
  );

  it(
    'performs again, with the same key, the effect that was under way when the other engine died',
    withDirectory(async (directory) => {
      const path = join(directory, 'hilo.db');
      const first = await engineOn(path, { faults: () => 'hangs' });
      await first.talk.says('hi');
      const [asked] = first.talk.calls;
      expect(asked).toBeDefined();
      await first.store.close();

      const second = await engineOn(path, { seed: 2, startAt: virtualStartMs + 60_000 });
      expect(second.talk.calls.map(({ idempotencyKey }) => idempotencyKey)).toEqual([asked?.idempotencyKey]);
      expect(second.talk.sent).toMatchObject([{ text: 'Who are you?' }]);
      expect(await newest(second.store)).toMatchObject({ state: { status: 'waiting' } });
      await second.store.close();
    }),
  );

  it(
    'fires the timers that came due while nobody was there',
    withDirectory(async (directory) => {
      const path = join(directory, 'hilo.db');
      const first = await engineOn(path);
      await first.talk.says('hi');
      await first.store.close();

      const second = await engineOn(path, { seed: 2, startAt: virtualStartMs + 30 * 86_400_000 });
      await second.talk.passes('1s');
      expect((await newest(second.store))?.state.status).not.toBe('waiting');
      expect(await second.store.executions.nextDueMs()).toBeUndefined();
      await second.store.close();
    }),
  );

  it(
    'is not started over one that was closed, and says so',
    withDirectory(async (directory) => {
      const { store, talk } = await engineOn(join(directory, 'hilo.db'));
      await talk.says('hi');
      await store.close();
      const clock = createVirtualClock();
      const engine = createEngine({ nodes: [], store, clock });
      await expect(engine.start()).rejects.toMatchObject({ message: 'The store is closed', details: { isClosed: true } });
      expect(clock.nextMs()).toBeUndefined(); // nothing is tried again
    }),
  );

  it(
    'asks nothing more of one that is closed while it runs',
    withDirectory(async (directory) => {
      const path = join(directory, 'hilo.db');
      const first = await engineOn(path);
      await first.talk.says('hi');
      await first.store.close();

      const store = await openSqliteStore({ path });
      const clock = createVirtualClock();
      const engine = createEngine({ nodes: [], store, clock });
      const { promise: failed, resolve } = Promise.withResolvers<unknown>();
      engine.on('engine.fault', (fault) => void (fault.while === 'looking for the next due timer' && resolve(fault.error)));
      await engine.start();
      await expect.poll(() => clock.nextMs()).toBeDefined();
      await store.close();
      clock.advanceBy(30 * 86_400_000);
      expect(await failed).toMatchObject({ message: 'The store is closed' });
      expect(clock.nextMs()).toBeUndefined();
    }),
  );
});
