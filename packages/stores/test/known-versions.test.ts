import { canvasHash } from '@hilo/engine/store-kit';
import { Canvas } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCanvasStore } from '../src/canvas-store.ts';
import { call, openSqliteStore, statementsOver } from '../src/index.ts';
import { encodeText } from '../src/text-encoding.ts';

const createCanvas = (id: string, name: string): Canvas =>
  Canvas.parse({
    schemaVersion: 1,
    id,
    name,
    nodes: [
      { id: 'begin', type: 'start' },
      { id: 'done', type: 'end' },
    ],
    edges: [{ source: 'begin', target: 'done' }],
  });

const statement = statementsOver<{ readonly versions: { company_id: string; workflow_id: string } }>();
/** A write by others, as of a deletion or an import. */
const removeVersions = statement<{ readonly companyId: string }>()((db, { companyId }) =>
  db.deleteFrom('versions').where('company_id', '=', companyId),
);

const company = fc.constantFrom('1', '2');
const step = fc.oneof(
  fc.record({ do: fc.constant('publish' as const), company, id: fc.constantFrom('a', 'b', 'c'), name: fc.constantFrom('x', 'y') }),
  fc.record({ do: fc.constant('gate' as const), company, id: fc.constantFrom('a', 'b', 'c'), isPaused: fc.boolean() }),
  fc.record({ do: fc.constantFrom('remove' as const, 'commit' as const), company }),
);

it('lists the versions as the last write that was answered left them, whoever wrote, and whatever is read meanwhile', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.record({ step, isReadMeanwhile: fc.boolean() }), { maxLength: 15 }), async (steps) => {
      const store = await openSqliteStore({ path: ':memory:' });
      const forgetful = createCanvasStore(store.runner, { database: 'sqlite' });
      const write = (one: (typeof steps)[number]['step']): Promise<unknown> => {
        if (one.do === 'publish') {
          const canvas = createCanvas(one.id, one.name);
          return store.canvases.publish(one.company, canvas, canvasHash(canvas), 1);
        }
        if (one.do === 'gate')
          return store.canvases.setGate(one.company, one.id, one.isPaused ? { state: 'paused', children: 'refuse', atMs: 1 } : undefined);
        const calls = [call(removeVersions, { companyId: encodeText(one.company) })];
        if (one.do === 'remove') return store.runner.write(calls);
        return store.commitWith({ saves: [], history: [], contacts: [], enqueue: [], dequeue: [] }, calls);
      };
      try {
        for (const { step: one, isReadMeanwhile } of steps) {
          const written = write(one);
          if (isReadMeanwhile) await store.canvases.published(one.company);
          await written;
          for (const id of ['1', '2']) expect(await store.canvases.published(id)).toEqual(await forgetful.published(id));
        }
        const again = await store.canvases.published('1');
        expect(await store.canvases.published('1')).toBe(again);
      } finally {
        await store.close();
      }
    }),
    { numRuns: 40 },
  ));
