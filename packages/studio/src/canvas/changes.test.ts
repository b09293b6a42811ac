import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChanges, changesBetween } from './changes.ts';

/** Items that two lists share, or not: their identity counts. */
const pool = Array.from({ length: 8 }, (_item, id) => ({ id }));
const list = fc.array(fc.constantFrom(...pool), { maxLength: 12 });
const record = fc.dictionary(fc.constantFrom('nodes', 'edges', 'name', '__proto__'), fc.oneof(list, fc.string(), fc.constant(null)));

describe('changes', () => {
  it('applied to what was before are what is after, as JSON too; the other way round they undo it', () => {
    fc.assert(
      fc.property(record, record, (before, after) => {
        const changes = changesBetween(before, after);
        expect(applyChanges(before, changes)).toEqual(after);
        expect(applyChanges(before, JSON.parse(JSON.stringify(changes)) as typeof changes)).toEqual(after);
        expect(applyChanges(after, changesBetween(after, before))).toEqual(before);
        expect(changesBetween(before, { ...before })).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('name only what differs, and keep the identity of the rest', () => {
    const nodes = Array.from({ length: 1_000 }, (_node, id) => ({ id }));
    const others = [{ id: -1 }, { id: -2 }];
    const after = [...nodes.slice(0, 10), ...nodes.slice(11, 500), ...others, ...nodes.slice(501)];
    const changes = changesBetween({ nodes }, { nodes: after });
    expect(changes).toEqual([
      {
        field: 'nodes',
        runs: [
          { at: 10, removed: 1, items: [] },
          { at: 500, removed: 1, items: others },
        ],
      },
    ]);
    expect(applyChanges({ nodes }, changes).nodes.every((node, index) => node === after[index])).toBe(true);
  });
});
