import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createByteCollector } from './exchange.ts';

describe('createByteCollector', () => {
  it('keeps all that fits, in order, and nothing of what does not (P16)', () =>
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40_000 })), fc.nat(200_000), (chunks, maxBytes) => {
        const collector = createByteCollector(maxBytes);
        const kept = chunks.filter((chunk) => collector.add(chunk));
        expect(Buffer.compare(collector.bytes(), Buffer.concat(kept))).toBe(0);
        const sizes = chunks.reduce((sum, { length }) => (sum + length > maxBytes ? sum : sum + length), 0);
        expect(collector.bytes().length).toBe(sizes);
      }),
    ));

  it('counts what it need not keep (MED-04)', () =>
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 400 })), fc.nat(2_000), fc.nat(2_000), (chunks, maxBytes, keepBytes) => {
        const collector = createByteCollector(maxBytes, keepBytes);
        const taken = chunks.filter((chunk) => collector.add(chunk));
        expect(Buffer.compare(collector.bytes(), Buffer.concat(taken).subarray(0, keepBytes))).toBe(0);
        const all = createByteCollector(maxBytes);
        expect(taken).toEqual(chunks.filter((chunk) => all.add(chunk)));
      }),
    ));
});
