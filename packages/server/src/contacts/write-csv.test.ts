import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeCsvLine } from './read-csv.ts';

const signs = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20'] as const;
/** What programs pass over before a formula, and what begins a cell for a program that takes another separator. */
const before = [
  '',
  ' ',
  '\t',
  '\r',
  '\n',
  '\u00a0',
  '\u200b',
  '\ufeff',
  '\u0000',
  ';',
  ',',
  '|',
  '";',
  'x;',
  'x\n',
  'x\t ',
  'x|\u200b',
] as const;
/** Texts of signs that mean something to a spreadsheet, or to CSV. */
const mixed = fc.string({ unit: fc.constantFrom(...before, ...signs, '"', "'", 'a', '1', 'é', '\u{1f600}') });
const hostile = fc.tuple(fc.constantFrom(...before), fc.constantFrom(...signs), fc.string()).map((parts) => parts.join(''));

describe('a line of CSV', () => {
  it('has no cell that is a formula, whichever separator a spreadsheet takes', () =>
    fc.assert(
      fc.property(fc.array(fc.oneof(hostile, fc.string(), mixed), { minLength: 1, maxLength: 4 }), (values) => {
        const cells = writeCsvLine(values).split(/[,;\t|\r\n]/); // whatever quotes mean to the program
        for (const cell of cells) expect(cell).not.toMatch(/^[\s\p{DI}\p{Cc}"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u);
      }),
    ));

  it('has each value as it is, but for the apostrophes', () =>
    fc.assert(
      fc.property(fc.array(fc.oneof(hostile, mixed), { minLength: 1, maxLength: 4 }), (values) => {
        const [row = []] = parse(writeCsvLine(values), { relax_column_count: true });
        expect(row.map((cell) => cell.replaceAll("'", ''))).toEqual(values.map((value) => value.replaceAll("'", '')));
      }),
    ));

  it('leaves numbers, ids and times as they are', () => {
    expect(writeCsvLine([-1, '5215512345678', 'a-b+c', '2026-11-29T10:00:00.000Z', undefined])).toBe(
      '-1,5215512345678,a-b+c,2026-11-29T10:00:00.000Z,\r\n',
    );
  });
});
