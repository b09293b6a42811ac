import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stepTowards } from './use-mounted.ts';

const ids = fc.uniqueArray(fc.nat(300).map(String), { maxLength: 200 }).map((list) => new Set(list));

describe('the cards that become elements', () => {
  it('are in the end those that are wanted, with at most 140 in all where others are left; each frame has at most six new ones', () =>
    fc.assert(
      fc.property(ids, ids, ids, (before, wanted, seen) => {
        let mounted: ReadonlySet<string> = before;
        for (let frame = 0; frame < 100; frame += 1) {
          const next = stepTowards(mounted, wanted, (id) => seen.has(id));
          if (next === mounted) break;
          const added = [...next].filter((id) => !mounted.has(id));
          const waiting = [...wanted].filter((id) => !next.has(id));
          expect(added.length).toBe(Math.min(6, added.length + waiting.length));
          // What is seen never waits for what is not.
          expect(added.some((id) => !seen.has(id)) && waiting.some((id) => seen.has(id))).toBe(false);
          mounted = next;
        }
        expect([...wanted].every((id) => mounted.has(id))).toBe(true);
        expect([...mounted].every((id) => wanted.has(id) || before.has(id))).toBe(true);
        expect(mounted.size).toBeLessThanOrEqual(Math.max(wanted.size, 140));
        expect(stepTowards(mounted, wanted, () => true)).toBe(mounted);
      }),
    ));
});
