import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portableDigest } from './canvas/hash.ts';
import { systemDigest, systemRandom } from './node.ts';

describe('systemRandom', () => {
  it.each([16, 4_095, 4_096, 4_097, 10_000])('returns %i bytes, and never the same ones again', (length) => {
    const drawn = Array.from({ length: 3 }, () => systemRandom.bytes(length));
    expect(drawn.map((bytes) => bytes.length)).toEqual([length, length, length]);
    expect(new Set(drawn.map((bytes) => Buffer.from(bytes).toString('hex'))).size).toBe(3);
  });

  it('returns bytes that no later draw changes', () => {
    const drawn = systemRandom.bytes(32);
    const before = Buffer.from(drawn).toString('hex');
    for (let draw = 0; draw < 200; draw += 1) systemRandom.bytes(64);
    expect(Buffer.from(drawn).toString('hex')).toBe(before);
    expect(before).not.toBe('00'.repeat(32));
  });
});

describe('systemDigest', () => {
  it('agrees with the digest without platform functions for any text (P4)', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }), (text) => {
        expect(systemDigest(text)).toBe(portableDigest(text));
      }),
    ));

  it('is SHA-256', () => {
    expect(systemDigest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
