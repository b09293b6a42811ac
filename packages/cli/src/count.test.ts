import { expect, it } from 'vitest';
import { formatCount } from './count.ts';

it.each([
  [0, 'companies', '0 companies'],
  [1, 'companies', '1 company'],
  [2, 'companies', '2 companies'],
  [1, 'bots', '1 bot'],
  [1, 'apiKeys', '1 apiKey'],
])('counts %i %s as "%s"', (number, plural, text) => {
  expect(formatCount(number, plural)).toBe(text);
});
