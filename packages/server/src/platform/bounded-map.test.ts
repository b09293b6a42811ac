import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBoundedMap } from './bounded-map.ts';

const keys = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const step = fc.record({
  does: fc.constantFrom('get', 'set', 'delete'),
  key: fc.constantFrom(...keys),
  value: fc.oneof(fc.nat(9), fc.constant(false)),
});

describe('createBoundedMap', () => {
  it('keeps so many entries and no more: those that were used last', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60, size: 'max' }), (most, steps) => {
        const map = createBoundedMap<number | false>(most);
        let model: readonly (readonly [key: string, value: number | false])[] = []; // what was used last stands last
        const found: unknown[][] = [];
        for (const { does, key, value } of steps) {
          const known = model.find(([name]) => name === key);
          const others = model.filter((entry) => entry !== known);
          if (does === 'get') {
            found.push([map.get(key), known?.[1]]);
            model = known === undefined ? model : [...others, known];
          } else if (does === 'set') {
            map.set(key, value);
            model = [...others, [key, value] as const].slice(-most);
          } else {
            map.delete(key);
            model = others;
          }
          expect([...map.entries()].toReversed()).toEqual(model);
        }
        expect(found.map(([value]) => value)).toEqual(found.map(([, known]) => known));
      }),
    ));
});
