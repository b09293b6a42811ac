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
