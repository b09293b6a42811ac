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

it('has the last column below its row where little room remains, and no line is longer than the terminal', () => {
  const text = fc.array(fc.stringMatching(/^[a-z]{1,20}$/), { minLength: 8, maxLength: 20 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.stringMatching(/^[a-z0-9]{10,25}$/), fc.stringMatching(/^[a-z]{1,8}$/), text), { minLength: 1, maxLength: 4 }),
      (rows) => {
        const lines = table(['id', 'of', 'what'], rows, { paint: plain, columns: 50 }).split('\n');
        expect(lines.filter((line) => line.length > 50)).toEqual([]);
        for (const [id, , what] of rows) {
          const at = lines.findIndex((line) => line.startsWith(`${id} `));
          expect(lines[at + 1]?.startsWith(`    ${what.split(' ')[0] ?? ''}`)).toBe(true);
        }
      },
    ),
    { numRuns: 30 },
  );
});

it('leaves a last column that fits beside the others, and an empty one has no line', () => {
  const rows = [
    ['a'.repeat(30), 'b', 'short'],
    ['c'.repeat(30), 'd', ''],
  ];
  expect(table(['id', 'of', 'what'], rows, { paint: plain, columns: 50 }).split('\n')).toHaveLength(3);
  const long = [['a'.repeat(30), 'b', 'one two three four five six'], rows[1] ?? []];
  expect(table(['id', 'of', 'what'], long, { paint: plain, columns: 50 }).split('\n')).toHaveLength(5);
});

it('has as many columns below a row as there is no room for, so that the first line of none is broken', () => {
  const rows = [['0'.repeat(32), 'order-status v1', 'waiting', '51999000222', '2026-11-30 09:21:29Z', 'reply at which']];
  const head = ['execution', 'workflow', 'status', 'user', 'updated', 'wait or cause'];
  for (const columns of [70, 80, 90, 100, 110]) {
    const lines = table(head, rows, { paint: plain, columns }).split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines.at(-1)).toContain('reply at which');
    for (const cell of rows.flat()) expect(lines.join('\n')).toContain(cell);
  }
});
