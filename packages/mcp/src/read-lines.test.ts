/** Lines of a client in any pieces: those that are JSON are passed on whole, the others are told, and nothing ends. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maxLineBytes, readLines } from './read-lines.ts';

/** What is passed on of some pieces, and what is told. */
async function passed(pieces: readonly Uint8Array[]): Promise<{ readonly lines: readonly string[]; readonly faults: readonly string[] }> {
  const faults: string[] = [];
  const lines = readLines(({ name }) => faults.push(name));
  const read: Buffer[] = [];
  lines.on('data', (piece: Buffer) => read.push(piece));
  for (const piece of pieces) lines.write(piece);
  await new Promise<void>((resolve) => lines.end(resolve));
  return { lines: Buffer.concat(read).toString('utf8').split('\n').slice(0, -1), faults };
}

it('passes on the lines that are JSON, however they are cut', async () => {
  const line = fc.oneof(
    fc.json().map((text) => ({ text, isMessage: true })),
    fc.string({ unit: 'binary' }).map((text) => ({ text: `# ${text.replaceAll('\n', '')}`, isMessage: false })),
    fc.constantFrom('{"a":', '{"a":1}}', "{'a':1}", 'undefined', '\u0000', '\ufeff{}').map((text) => ({ text, isMessage: false })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 6 }), fc.array(fc.nat({ max: 20 })), async (lines, cuts) => {
      const all = Buffer.from(lines.map(({ text }) => `${text}\n`).join('\n \n'));
      const pieces: Buffer[] = [];
      let at = 0;
      for (const cut of cuts) {
        pieces.push(all.subarray(at, at + cut));
        at += cut;
      }
      const { lines: read, faults } = await passed([...pieces, all.subarray(at)]);
      expect(read).toEqual(lines.flatMap(({ text, isMessage }) => (isMessage ? [text] : [])));
      expect(faults).toEqual(lines.flatMap(({ isMessage }) => (isMessage ? [] : ['SyntaxError'])));
    }),
  );
});

it.each([
  [maxLineBytes - 1, true],
  [maxLineBytes, true],
  [maxLineBytes + 1, false],
  [3 * maxLineBytes, false],
])('passes on a line of %i bytes, or goes on without it', async (bytes, isPassed) => {
  const long = Buffer.alloc(bytes, 'x');
  long[0] = long[bytes - 1] = '"'.charCodeAt(0);
  const { lines, faults } = await passed([long.subarray(0, 1_000_000), long.subarray(1_000_000), Buffer.from('\n7\n8')]);
  expect(lines.map(({ length }) => length)).toEqual(isPassed ? [bytes, 1] : [1]);
  expect(faults).toEqual(isPassed ? [] : ['RangeError']);
});
