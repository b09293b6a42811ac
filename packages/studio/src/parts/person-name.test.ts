// How a person is named where no name is known.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortVisitor } from './person-name.ts';

describe('a visitor of the web chat without a name', () => {
  const letters = fc.constantFrom('a', 'b', 'X', 'Z', '0', '9', '-', '_');
  it('is told by five letters of the id that was drawn for them', () => {
    fc.assert(
      fc.property(fc.array(letters, { minLength: 22, maxLength: 22 }), (drawn) => {
        const id = drawn.join('');
        expect(shortVisitor(`web:${id}`)).toBe(id.slice(0, 5));
      }),
    );
  });
  it.each([
    'web:ana',
    `web:${'a'.repeat(21)}`,
    `web:${'a'.repeat(23)}`,
    `${'a'.repeat(22)}`,
    '5215512345678',
    'web:',
    `web:${' '.repeat(22)}`,
  ])('is not taken for one by another id: %s', (id) => expect(shortVisitor(id)).toBeUndefined());
});
