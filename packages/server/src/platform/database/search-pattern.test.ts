import fc from 'fast-check';
import { expect, it } from 'vitest';
import { searchPattern } from './search-pattern.ts';

/** Whether a `like` of the pattern finds the text. */
const finds = (pattern: string, text: string): boolean => {
  const [, inner = ''] = /^%(.*)%$/s.exec(pattern) ?? [];
  const parts = inner.split(/(?<!!)%/).map((part) => part.replace(/!([%_!])/g, '$1'));
  let from = 0;
  return parts.every((part) => {
    const at = text.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
};

it.each([
  ['5215512345678', '+52 1 55 1234 5678', true],
  ['5215512345678', '+52 55 1234-5678', true],
  ['5215512345678', '525512345678', true],
  ['5215512345678', '55 1234 5678', true],
  ['5215512345678', '(55) 1234 5678', true],
  ['5215512345678', '0052 55 1234 5678', true],
  ['5215512345678', '5512345678', true],
  ['5215512345678', '+52 1 55 1234 5679', false],
  ['551112345678', '+55 11 91234-5678', true],
  ['51999888777', '999-888-777', true],
  ['born 2026-11-30', '2026-11-30', true],
  ['sku 12.34', '12.34', true],
  ['cep 12345-678', '12345-678', true],
  ['100% sure', '100%', true],
  ['100 sure', '100%', false],
  ['ana maria', 'Ana M', true],
  ['ana maria', 'ana_m', false],
])('finds in %s what is typed as %s: %s', (text, typed, isFound) => {
  expect(finds(searchPattern(typed, '!'), text)).toBe(isFound);
});

it('finds every text by each part of it that is no phone number', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z%_! ]{0,20}$/),
      fc.stringMatching(/^[a-z%_!]{1,10}$/),
      fc.stringMatching(/^[a-z%_! ]{0,20}$/),
      (before, part, behind) => {
        expect(finds(searchPattern(part, '!'), before + part + behind)).toBe(true);
      },
    ),
  );
});
