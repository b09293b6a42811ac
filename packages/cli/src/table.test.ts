import fc from 'fast-check';
import { expect, it } from 'vitest';
import { table } from './table.ts';

const plain = (_style: unknown, text: string): string => text;
const word = fc.stringMatching(/^[a-z0-9:/.-]{1,60}$/);
const cell = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));

it('cuts no word, however narrow the terminal is', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, cell), { minLength: 1, maxLength: 4 }), fc.integer({ min: 40, max: 140 }), (rows, columns) => {
      const drawn = table(['id', 'what'], rows, { paint: plain, columns }).split(/\s+/);
      for (const given of rows.flat().join(' ').split(' ')) expect(drawn).toContain(given);
    }),
    { numRuns: 30 },
  );
});

it('has the last column in several lines where it is wider than the room', () => {
  const drawn = table(['id', 'what'], [['a', Array.from({ length: 20 }, () => 'word').join(' ')]], { paint: plain, columns: 40 });
  expect(drawn.split('\n').every((line) => line.length <= 40)).toBe(true);
});
