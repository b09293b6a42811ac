import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VariablePath } from '../contract/variables.ts';
import { findMeantPlace } from './meant-place.ts';

it.for([
  ['name', '$context.name'],
  ['Full name', '$context.fullName'],
  [' {{ $context.name }} ', '$context.name'],
  ['{{name}}', '$context.name'],
  ['context.name', '$context.name'],
  ['memory.last-order', '$memory.lastOrder'],
  ['user.fields.city', '$user.fields.city'],
  ['$user.name', '$context.name'],
  ['¿Teléfono?', '$context.telefono'],
  ['1st choice', undefined],
  ['$context', undefined],
  ['$context.', undefined],
  ['', undefined],
  ['42', undefined],
  ['名前', undefined],
  ['$context.name', undefined], // is a place
  ['x'.repeat(201), undefined],
] as const)('%s is meant as %s', ([text, place]) => {
  expect(findMeantPlace(text)).toBe(place);
});

it('offers places alone, whatever the text is', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'É', ' ', '$', '{', '}', '.', '1', '_', '名', '\u0301', '\ud800', 'context', 'memory.'),
  });
  fc.assert(
    fc.property(text, (given) => {
      const place = findMeantPlace(given);
      expect([given, place === undefined || VariablePath.safeParse(place).success]).toEqual([given, true]);
    }),
  );
});
