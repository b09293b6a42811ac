import fc from 'fast-check';
import { expect, it } from 'vitest';
import { coverageOf } from './coverage.ts';

it('says who takes a port, and what only one test takes', () => {
  const ports = fc.uniqueArray(fc.constantFrom('a\0x', 'a\0y', 'b\0z', 'c\0x'));
  const tests = fc.uniqueArray(fc.record({ name: fc.string({ minLength: 1 }), taken: ports }), { selector: ({ name }) => name });
  fc.assert(
    fc.property(tests, (kept) => {
      const results = kept.map((test) => ({ ...test, isPassed: true, expected: '', actual: '' }));
      const { tested, alone, never } = coverageOf({ results, neverTaken: ['d.x'] });
      expect(never).toEqual(['d.x']);
      for (const { name, taken } of kept) {
        const others = kept.filter((other) => other.name !== name).flatMap((other) => other.taken);
        expect(alone.get(name)).toBe(taken.filter((port) => !others.includes(port)).length);
        for (const port of taken) expect(tested.get(port)).toContain(name);
      }
      expect([...tested.values()].flat().length).toBe(kept.flatMap(({ taken }) => taken).length);
    }),
  );
});
