import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { HistoryEntry } from '../contract/execution.ts';
import type { HistoryRecord } from '../contract/store.ts';
import { createPacker, type PackedRecord, unpack } from './packed-history.ts';

const text = fc.string({ maxLength: 3 });
const write = fc.record(
  { path: fc.array(fc.oneof(text, fc.nat()), { maxLength: 3 }), value: fc.option(fc.jsonValue(), { nil: undefined }), ttlMs: fc.nat() },
  { requiredKeys: ['path'], noNullPrototype: true },
);
/** Lines of visits, and entries with more: another instant, a cause, an effect, details of a failure. */
const entry = fc.record(
  {
    at: fc.constantFrom(5, 6),
    nodeId: fc.constantFrom('a', 'b'), // of which each has more kinds of lines than are looked for
    visitNumber: fc.nat(),
    type: text,
    port: text,
    writes: fc.array(write, { maxLength: 3 }),
    cause: text,
    effect: fc.record({ type: text, key: text }),
    status: fc.nat(),
  },
  { requiredKeys: ['at', 'nodeId', 'visitNumber', 'type'], noNullPrototype: true },
);

it('returns every record unchanged, whatever other lines of its nodes are like', () => {
  const pack = createPacker(); // one for all, as in a store
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 5 }), { maxLength: 3 }), (lines) => {
      const history = lines.map(
        (entries, index): HistoryRecord => ({
          companyId: 'c',
          executionId: 'e',
          revision: index + 1,
          event: { type: 'execution.released', atMs: 5 },
          entries: entries as readonly HistoryEntry[],
        }),
      );
      const last = history.reduce<PackedRecord | undefined>((before, record) => pack(record, before), undefined);
      expect(unpack({ companyId: 'c', executionId: 'e' }, last)).toStrictEqual(history);
    }),
    { numRuns: 500 },
  );
});
