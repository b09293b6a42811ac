// What a pattern requires is in every text that it matches.
import { compileJson, isHiloError } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { requiredText } from './required-text.ts';

it.each([
  ['order', 'order'],
  ['^Order [0-9]{1,9}$', 'order '],
  ['order|pedido', ''],
  ['(?s)order', ''],
  ['pay(ment)? now', ' now'],
  ['ab*cd?e', 'a'],
  ['a{0}bcd', 'bcd'],
  ['ab+cde', 'cde'],
  ['pesos y kilos', ' y '],
  [String.raw`\d+ de junio`, ' de junio'],
  [String.raw`a\x41bcd`, ''],
  [String.raw`\pLbcd`, ''],
  [String.raw`\Qa*\E`, ''],
  ['[[:alpha:]]bcd', ''],
  ['[]abc]de', 'de'],
  [String.raw`[^\]abc]de`, 'de'],
  ['[abc', ''],
  ['a{bc', ''],
  ['Ünï', 'n'],
  ['', ''],
])('%j requires %j', (pattern, required) => expect(requiredText(pattern)).toBe(required));

const piece = fc.constantFrom(
  'a',
  'B',
  'k',
  's',
  'i',
  ' ',
  '1',
  'ab',
  '.',
  '*',
  '+',
  '?',
  '*?',
  '{0}',
  '{0,2}',
  '{1}',
  '(',
  ')',
  '(a)',
  '(b)?',
  '[ab]',
  '[^a]',
  '[]a]',
  '^',
  '$',
  '|',
  String.raw`\d`,
  String.raw`\.`,
  String.raw`\b`,
  String.raw`\x41`,
  String.raw`\pL`,
  String.raw`\Qa`,
  String.raw`\E`,
  String.raw`[\]b]`,
  '[[:alpha:]]',
  'é',
  '{',
  '}',
  ']',
);

it('is in every text that matches, whatever its case', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'A', 'b', 'B', 'k', '\u212a', 's', 'ſ', 'i', 'İ', 'ı', ' ', '1', '.', 'é', '*'),
    maxLength: 8,
  });
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')),
      fc.array(text, { maxLength: 8 }),
      (pattern, texts) => {
        const required = requiredText(pattern);
        const matching = texts.filter((given) => {
          try {
            return compileJson(`{{like($message.text, ${JSON.stringify(`(?i)${pattern}`)})}}`)({ get: () => given }) === true;
          } catch (error) {
            if (isHiloError(error, 'EXPRESSION')) return false; // malformed
            throw error;
          }
        });
        for (const given of matching) expect(given.toLowerCase()).toContain(required);
      },
    ),
    { numRuns: 2_000 },
  );
});
