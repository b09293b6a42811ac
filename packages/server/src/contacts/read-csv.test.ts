import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCsv } from './read-csv.ts';

/** Reads a file that comes in these pieces, whole. A line that is no row may be told of a little later: the order is none. */
async function readFile(pieces: Iterable<Uint8Array>) {
  const file = await openCsv(pieces);
  const rows = [];
  for await (const row of file.rows()) rows.push(row);
  return { header: file.header, rows: new Set(rows.map((row) => JSON.stringify(row))) };
}

const hostile = {
  'short lines': 'x\n'.repeat(20_000),
  'quotes in the wrong place': 'x"y\n'.repeat(10_000),
  'one line of separators': ','.repeat(40_000),
  'one quoted value': `"${'x\n'.repeat(20_000)}"`,
  'empty lines': '\n'.repeat(40_000),
  'lines that end with a carriage return': 'x\r'.repeat(20_000),
  'a header': `${'a,'.repeat(40_000)}\n`,
};

describe('a CSV', () => {
  it.each(Object.entries(hostile))('gives way while it is read, though it comes as one piece: %s', async (what, text) => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await readFile([Buffer.from(what === 'a header' ? text : `phone,name\n${text}`)]).catch(() => undefined);
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(text.length / 4_096);
  });

  it('has a problem for each line that is no row, however many quotes of it are in the wrong place', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.constantFrom('a', 'b"c', 'd"e"f', '5" x'), { minLength: 2, maxLength: 2 })), async (lines) => {
        const text = lines.map((values) => `${values.join(',')}\n`).join('');
        const { rows } = await readFile([Buffer.from(`phone,name\n${text}`)]);
        const found = [...rows].map((row) => JSON.parse(row) as { readonly line: number; readonly problem?: string });
        const isWrong = new Map(lines.map((values, index) => [index + 2, values.some((value) => value.includes('"'))]));
        expect(new Map(found.map(({ line, problem }) => [line, problem !== undefined]))).toEqual(isWrong);
        expect(found).toHaveLength(lines.length);
      }),
      { numRuns: 50 },
    ));

  it.each([
    ['a row that is too long', `1,${'x'.repeat(200_001)}\n`, 'a row has more than 200000 characters, or a quote begins that does not end'],
    ['a quote that does not end', '1,"x\n2,y\n', /after line \d+: a quote begins that does not end/],
    ['Latin-1 on its fourth line', Buffer.from('1,a\n2,b\n3,Jos\xe9\n4,c\n', 'latin1'), 'about line 4: the file is not UTF-8'],
    ['Latin-1 in its first line', Buffer.from('Jos\xe9\n', 'latin1'), 'about line 2: the file is not UTF-8'],
  ])('is refused in words that are true of it: %s', async (_what, text, words) => {
    const whole = Buffer.concat([Buffer.from('phone,name\n'), Buffer.from(text)]);
    await expect(readFile([whole]).catch((error: unknown) => JSON.stringify(error))).resolves.toMatch(words);
  });

  it.each([',', ';', '\t', '|'])('may say by a line of its own that it is separated by %j', async (separator) => {
    const lines = [`sep=${separator}`, `phone${separator}"a,b;c|d"`, `1${separator}x`, `2${separator}y"z`];
    for (const end of ['\n', '\r\n']) {
      const { header, rows } = await readFile([Buffer.from(`\uFEFF${lines.join(end)}${end}`)]);
      expect(header).toEqual(['phone', 'a,b;c|d']);
      const found = [...rows].map((row) => JSON.parse(row) as { readonly line: number; readonly values?: unknown });
      expect(found.toSorted((one, other) => one.line - other.line)).toMatchObject([
        { line: 3, values: ['1', 'x'] },
        { line: 4, problem: expect.stringContaining('quote') as string },
      ]);
    }
  });

  it('is the same in any pieces', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'é', '\u{1f600}', ',', ';', '"', '\n', '\r\n', ' ') }),
        fc.array(fc.nat(40), { maxLength: 8 }),
        async (text, at) => {
          const bytes = Buffer.from(`phone,"na\nme"\n${text}`);
          const places = [0, ...at.toSorted((a, b) => a - b), bytes.length];
          const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
          const [cut, whole] = await Promise.allSettled([readFile(pieces), readFile([bytes])]);
          expect(cut).toEqual(whole);
        },
      ),
      { numRuns: 50 },
    ));
});
