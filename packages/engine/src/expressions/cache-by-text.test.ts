import { expect, it } from 'vitest';
import { createCacheByText } from './cache-by-text.ts';

/** A cache, and how often it has made something. */
function countMade() {
  let made = 0;
  return { get: createCacheByText((text) => ((made += 1), text === 'none' ? undefined : text.length)), made: () => made };
}

it('makes a thing once for a text, also where it is undefined', () => {
  const { get, made } = countMade();
  for (const text of ['none', 'none', 'es-PE', 'es-PE']) get(text);
  expect(made()).toBe(2);
});

it('keeps no text that is longer than a name: 500 of a megabyte would stay for ever', () => {
  const { get, made } = countMade();
  for (const length of [100, 100, 101, 101]) expect(get('x'.repeat(length))).toBe(length);
  expect(made()).toBe(3);
});

it('keeps no more than 500, whatever comes', () => {
  const { get, made } = countMade();
  for (let number = 0; number < 500; number += 1) get(String(number));
  get('0');
  expect(made()).toBe(500);
  get('500');
  get('0');
  expect(made()).toBe(502);
});
