// Names that differ, against a set of them.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { areEachOnce } from './each-once.ts';

it('says of names what a set of them says', () =>
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom('a', 'b', 'A', '', '\0', 'é', '1', '10'), fc.string({ maxLength: 2 }))), (names) => {
      expect(areEachOnce(names)).toBe(new Set(names).size === names.length);
    }),
  ));
