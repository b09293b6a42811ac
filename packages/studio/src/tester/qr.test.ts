// Codes for cameras: each of these was read by an independent reader when it was noted, one of each version.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type QrCode, qrOf } from './qr.ts';

const textOf = (length: number): string =>
  'https://'.slice(0, length) +
  Array.from({ length: Math.max(0, length - 8) }, (_, index) => String.fromCharCode(33 + ((index * 37 + length) % 90))).join('');
const drawn = (code: QrCode | undefined): string =>
  (code ?? []).map((row) => row.map((isDark) => (isDark ? '#' : '.')).join('')).join('\n');
const mark = (code: QrCode | undefined): string => createHash('sha256').update(drawn(code)).digest('hex').slice(0, 12);

it.each<[number, number, string]>([
  [1, 21, '576aa0d4f321'],
  [15, 25, '29dd6727433a'],
  [27, 29, 'a9c5fd373826'],
  [43, 33, '210bda1ef85a'],
  [63, 37, 'dd8ee61b8027'],
  [85, 41, '26737baca6b1'],
  [107, 45, '64ac9b79d70d'],
  [123, 49, '5e45be806f0b'],
  [153, 53, '4c530d132dd8'],
  [181, 57, '222c545534c7'],
  [214, 61, '6cfc7afae58d'],
  [252, 65, 'b5c872e9edab'],
  [288, 69, 'ed1586b4ae20'],
  [332, 73, '24be2815ee68'],
  [363, 77, '3befcd99210c'],
  [413, 81, 'a772c4d71798'],
  [451, 85, '087fc4d0bc33'],
  [505, 89, 'b96b6d17ad83'],
  [561, 93, '7911ee1526bc'],
  [625, 97, '1efeaed70fa3'],
  [667, 101, '785b12b72848'],
  [712, 105, 'cfdedf2d078f'],
  [780, 109, '4e5243b38750'],
  [858, 113, 'fb7da41effca'],
  [912, 117, 'cb1aa4ae822a'],
])('a text of %d bytes has %d rows', (length, rows, known) => {
  const code = qrOf(textOf(length));
  expect([code?.length, mark(code)]).toEqual([rows, known]);
});

it('is square, has its three corners, and is larger for a longer text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 160 }), (text) => {
      const code = qrOf(text) ?? [];
      const size = code.length;
      expect(code.every((row) => row.length === size) && (size - 17) % 4 === 0).toBe(true);
      for (const [x, y] of [
        [0, 0],
        [size - 7, 0],
        [0, size - 7],
      ] as const)
        expect(
          code.slice(y, y + 7).map((row) =>
            row
              .slice(x, x + 7)
              .map(Number)
              .join(''),
          ),
        ).toEqual(['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111']);
      expect((qrOf(`${text}${'x'.repeat(200)}`)?.length ?? Infinity) > size).toBe(true);
    }),
    { numRuns: 6 },
  );
});

it('is none for a text that no camera would read from a screen', () => {
  expect(qrOf('x'.repeat(997))).toBeDefined();
  expect(qrOf('x'.repeat(998))).toBeUndefined();
});
