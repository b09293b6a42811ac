import type { Dialer, DialerResponse } from '@hilo/drivers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDialerFetch } from './dialer-fetch.ts';

/** Reads a stream that comes in these pieces. @returns what the library gets, piece by piece */
async function readPieces(pieces: Iterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const answer: DialerResponse = {
    status: 200,
    headers: {},
    body: new Uint8Array(),
    url: '',
    retryAfterMs: undefined,
    stream: { body: ReadableStream.from(pieces), ended: Promise.resolve() },
  };
  const dialer: Pick<Dialer, 'request'> = { request: async () => answer };
  const signal = new AbortController().signal;
  const { fetch } = createDialerFetch({ dialer, scope: '1', leftMs: () => 1_000, signal, stream: true, sign: (call) => call });
  const response = await fetch('https://models.example', { method: 'POST', body: '{}' });
  const got: Uint8Array[] = [];
  const body: ReadableStream<Uint8Array> | null = response.body;
  if (body !== null) for await (const chunk of body) got.push(chunk);
  return got;
}

function* cut(bytes: Uint8Array, at: readonly number[]): Generator<Uint8Array> {
  const places = [0, ...at.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  for (const [index, place] of places.slice(1).entries()) yield bytes.slice(places[index], place);
}

describe('a stream for a library', () => {
  it('is what came, in whole lines, wherever it was cut', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'é', '\u{1f600}', 'data: ') }),
        fc.array(fc.nat()),
        async (text, at) => {
          const got = await readPieces(cut(Buffer.from(text), at));
          expect(Buffer.concat(got).toString()).toBe(text);
          expect(got.slice(0, -1).every((piece) => piece.at(-1) === 0x0a)).toBe(true);
        },
      ),
    ));

  it('is given once for each line, however many pieces it comes in: the library looks through a whole line for each', async () => {
    const line = Buffer.from(`data: ${'x'.repeat(50_000)}\n`);
    expect(await readPieces(Array.from(line, (_byte, at) => line.subarray(at, at + 1)))).toHaveLength(1);
  });

  it.each([
    ['of half a megabyte at most', 512 * 1024, true],
    ['of more', 512 * 1024 + 1, false],
  ])('has lines %s', async (_what, bytes, isTaken) => {
    const pieces = [new Uint8Array(bytes - 1).fill(0x61), new Uint8Array([0x61])];
    expect(
      await readPieces(pieces).then(
        () => true,
        () => false,
      ),
    ).toBe(isTaken);
  });

  it('is refused where a line nests too deep, in any pieces, also without an end', async () => {
    const text = `data: ${'['.repeat(2_000)}`;
    for (const whole of [text, `${text}\n\n`])
      await expect(readPieces(cut(Buffer.from(whole), [7, 900]))).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});
