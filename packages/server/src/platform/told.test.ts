import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTold } from './told.ts';

const step = fc.record({ afterMs: fc.nat(60), name: fc.constantFrom('a', 'b', 'c', 'd'), isKept: fc.boolean() });

describe('createTold', () => {
  it('tells each name once in a while, and so many names', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 40, size: 'max' }), (most, steps) => {
        let nowMs = 0;
        const told = createTold({ now: () => nowMs }, { everyMs: 100, most });
        const kept: { readonly name: string; readonly turn: number }[] = [];
        for (const { afterMs, name, isKept } of steps) {
          nowMs += afterMs;
          const turn = Math.floor(nowMs / 100);
          const names = new Set(kept.flatMap((one) => (one.turn === turn ? [one.name] : [])));
          const isDue = !names.has(name) && names.size < most;
          expect(told.isDue(name)).toBe(isDue);
          if (!isDue || !isKept) continue;
          told.add(name);
          kept.push({ name, turn });
        }
      }),
    ));
});
