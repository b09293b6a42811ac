import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { en, type WordKey } from './en.ts';
import { es, esNodes } from './es.ts';
import { fillIn } from './words.tsx';

const plurals = new Intl.PluralRules('en');

describe('words', () => {
  it('are filled in, and chosen by a number', () => {
    const word = '{count} {count|way|ways} to {name}';
    expect([0, 1, 2].map((count) => fillIn(word, { count, name: 'A' }, plurals))).toEqual(['0 ways to A', '1 way to A', '2 ways to A']);
    expect(fillIn(word, {}, plurals)).toBe(word);
    expect(fillIn('{constructor}', {}, plurals)).toBe('{constructor}');
    expect(fillIn('{name}', { name: '{count|a|b}', count: 1 }, plurals)).toBe('{count|a|b}'); // a value is not interpreted
  });

  it('name each standard node in Spanish, and say what it does', () => {
    const missing = standardNodes.flatMap(({ type }) => [`node.${type}`, `about.${type}`].filter((key) => !Object.hasOwn(esNodes, key)));
    expect(missing).toEqual([]);
  });

  it('take the same values in each language', () => {
    const valuesOf = (word: string) => new Set([...word.matchAll(/\{(\w+)/g)].map(([, name]) => name));
    const keys = Object.keys(en) as readonly WordKey[];
    expect(
      keys.flatMap((key) => [...valuesOf(es[key])].filter((name) => !valuesOf(en[key]).has(name)).map((name) => `${key}: ${name}`)),
    ).toEqual([]);
  });
});
