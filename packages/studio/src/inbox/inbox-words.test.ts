import { expect, it } from 'vitest';
import { inboxWords } from './inbox-words.ts';

it('the words of the inbox take the same values in each language', () => {
  const valuesOf = (word: string) =>
    JSON.stringify([...new Set([...word.matchAll(/\{(\w+)/g)].map(([, name = '']) => name))].toSorted((a, b) => a.localeCompare(b)));
  const { en, es } = inboxWords;
  const keys = Object.keys(en) as (keyof typeof en)[];
  expect(keys.flatMap((key) => (valuesOf(es[key]) === valuesOf(en[key]) ? [] : [key]))).toEqual([]);
});
