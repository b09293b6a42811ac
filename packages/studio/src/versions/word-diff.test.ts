import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffWords } from './word-diff.ts';

const sentence = fc
  .array(fc.constantFrom('your', 'order', 'is', 'late', '{{$context.name}}', '\n', '  ', 'ño', '🙂'), { maxLength: 30 })
  .map((words) => words.join(' '));
const side = (before: string, after: string, left: 'removed' | 'added'): string =>
  diffWords(before, after)
    .filter(({ kind }) => kind === 'same' || kind === left)
    .map(({ text }) => text)
    .join('');

it('has both texts, whole, and nothing beside them', () => {
  fc.assert(
    fc.property(fc.oneof(sentence, fc.string()), fc.oneof(sentence, fc.string()), (before, after) => {
      expect([side(before, after, 'removed'), side(before, after, 'added')]).toEqual([before, after]);
      const stretches = diffWords(before, after);
      expect(stretches.every(({ kind, text }, index) => text !== '' && kind !== stretches[index - 1]?.kind)).toBe(true);
      expect(diffWords(before, before).filter(({ kind }) => kind !== 'same')).toEqual([]);
    }),
  );
});

it('keeps the words that both have', () => {
  expect(diffWords('Your order is on its way.', 'Your new order is not on its way!')).toEqual([
    { kind: 'same', text: 'Your ' },
    { kind: 'added', text: 'new ' },
    { kind: 'same', text: 'order is ' },
    { kind: 'added', text: 'not ' },
    { kind: 'same', text: 'on its ' },
    { kind: 'removed', text: 'way.' },
    { kind: 'added', text: 'way!' },
  ]);
});

it.each([199, 200, 201])('compares %i words that differ, as far as is compared, and has all of a long text', (count) => {
  const words = (letter: string) => Array.from({ length: count }, (_word, at) => (at === 1 ? 'both' : `${letter}${at}`)).join(' ');
  const kept = diffWords(words('a'), words('b')).filter(({ kind }) => kind === 'same');
  expect(kept).toEqual(count <= 200 ? [{ kind: 'same', text: 'both ' }] : []);
});
