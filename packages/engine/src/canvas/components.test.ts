import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findComponents, reach, traceWay } from './walk.ts';

/** A graph of at most eight nodes, as the targets of each. */
const graphs = fc
  .integer({ min: 1, max: 8 })
  .chain((size) => fc.array(fc.array(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }));

/** By definition: whether a path of one step or more leads from one node to another. */
function leads(targets: readonly (readonly number[])[], from: number, to: number, seen = new Set<number>()): boolean {
  return (targets[from] ?? []).some((next) => {
    if (next === to) return true;
    if (seen.has(next)) return false;
    return leads(targets, next, to, seen.add(next));
  });
}

describe('components', () => {
  it('puts two nodes together exactly when each leads to the other', () =>
    fc.assert(
      fc.property(graphs, (targets) => {
        const { of, count } = findComponents(targets);
        expect(Math.max(...of) + 1).toBe(count);
        for (const a of targets.keys()) {
          for (const b of targets.keys()) {
            const together = a === b || (leads(targets, a, b) && leads(targets, b, a));
            expect(of[a] === of[b]).toBe(together);
            const leadsOn = !together && leads(targets, a, b);
            expect(!leadsOn || (of[a] ?? 0) > (of[b] ?? 0)).toBe(true);
          }
        }
      }),
    ));

  it('accepts a chain of a million nodes without a stack overflow', () => {
    const size = 1_000_000;
    expect(findComponents(Array.from({ length: size }, (_, node) => (node + 1 < size ? [node + 1] : []))).count).toBe(size);
  });
});

describe('reach', () => {
  it('finds what ways lead to, and one of the ways', () =>
    fc.assert(
      fc.property(graphs, (targets) => {
        const from = reach(targets.length, [0], (position) => targets[position] ?? []);
        for (const to of targets.keys()) {
          expect(from[to] !== -1).toBe(to === 0 || leads(targets, 0, to));
          if (from[to] === -1) continue;
          const way = traceWay(from, to);
          expect([way[0], way.at(-1)]).toEqual([0, to]);
          for (const [index, node] of way.slice(1).entries()) expect(targets[way[index] ?? 0]).toContain(node);
        }
      }),
    ));
});
