import { expect, it } from 'vitest';
import { createBoundedMap } from './bounded-map.ts';

it('forgets what was used longest ago, at n + 1 entries', () => {
  const map = createBoundedMap<number>(3);
  for (const [value, key] of ['a', 'b', 'c'].entries()) map.set(key, value);
  map.get('a');
  map.set('d', 3);
  expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([0, undefined, 2, 3]);
});

it('tells long keys apart, and holds none of them', () => {
  const map = createBoundedMap<number>(10);
  const long = [127, 128, 129, 12_000].map((length) => 'k'.repeat(length));
  for (const [value, key] of long.entries()) map.set(key, value);
  map.set(`${'k'.repeat(12_000)}x`, 9);
  expect(long.map((key) => map.get(key))).toEqual([0, 1, 2, 3]);
  map.delete(long[3] ?? '');
  expect([map.get(long[3] ?? ''), map.get(`${'k'.repeat(12_000)}x`)]).toEqual([undefined, 9]);
});
