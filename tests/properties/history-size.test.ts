// The size of a history is the length of its JSON (P16), however the engine comes by it.
import type { ExecutionEvent, Json } from '@hilo/engine/contract';
import { initialState, nextSnapshot, snapshotOf } from '@hilo/engine/debug';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compiled, inputOf } from './walk.ts';

const canvas = compiled({
  schemaVersion: 1,
  id: 'sized',
  name: 'Sized',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'call', methods: ['POST'] } },
    { id: 'keep', type: 'set', data: { assignments: [{ path: '$context.body', value: '{{$webhook.call.body}}' }] } },
    { id: 'again', type: 'wait-external', data: {} },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'keep' },
    { source: 'keep', target: 'again' },
    { source: 'again', sourceHandle: 'resumed', target: 'done' },
  ],
});

/** The length of a part of a history as JSON; an escape counts as the one character that it stands for. */
const lengthOf = (part: object): number => JSON.stringify(part).replaceAll(/\\(?:u[0-9a-f]{4}|.)/g, '.').length;

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json);
const writes = fc.array(
  fc.record(
    { path: fc.constantFrom(['$webhook', 'call'], ['$context', 'call']), value: fc.option(json, { nil: undefined }), ttlMs: fc.nat() },
    { requiredKeys: ['path', 'value'], noNullPrototype: true },
  ),
  { maxLength: 3 },
);
const updates = fc.option(fc.array(fc.record({ path: fc.constant(['$user']), value: json }), { maxLength: 2 }), { nil: undefined });

it('the size of a history is the length of its JSON, after a request and an answer of any content', () => {
  fc.assert(
    fc.property(writes, writes, updates, fc.integer({ min: 0, max: 2 ** 48 }), (first, second, contextUpdates, atMs) => {
      let snapshot = snapshotOf(initialState(inputOf(canvas)));
      let length = 0;
      const take = (event: ExecutionEvent): void => {
        snapshot = nextSnapshot(canvas, snapshot, event);
        for (const part of [event, ...snapshot.history]) length += lengthOf(part);
        expect(snapshot.state.historySize).toBe(length);
      };
      const changed = contextUpdates === undefined ? {} : { contextUpdates };
      take({ type: 'execution.started', entry: 'hook', trigger: { kind: 'webhook', writes: first }, atMs, ...changed });
      const { wait } = snapshot.state;
      if (wait !== undefined)
        take({ type: 'webhook.received', waitId: wait.id, via: 'hook', once: false, writes: second, atMs, ...changed });
    }),
  );
});
