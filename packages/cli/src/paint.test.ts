import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCount, printable, printableLines, toSafeJson } from './paint.ts';

describe('printable', () => {
  it('shows what a terminal would obey', () => {
    expect(printable('a\u001b[31mb\u0007\u009b\u202e')).toBe('a␛[31mb␇\ufffd\ufffd');
    expect(printable('one\ntwo\tthree')).toBe('one two three');
  });

  it('leaves what people write as it is', () => {
    expect(printable('¿Qué tal? 日本語 👩‍👩‍👧 ß')).toBe('¿Qué tal? 日本語 👩‍👩‍👧 ß');
  });

  it('shows what nobody sees, and leaves emoji and scripts that need it', () => {
    expect(printable('a\u200bb\u{e0041}\u{e0042}c\ufe01\ufe02\u00add')).toBe('a\ufffdb\ufffdc\ufffdd');
    expect(printableLines('one\u2060\ntwo ✔\ufe0f می\u200cخواهم')).toBe('one\ufffd\ntwo ✔\ufe0f می\u200cخواهم');
    expect(toSafeJson('a\u200b\u{e0041}')).toBe(String.raw`"a\u200b\udb40\udc41"`);
  });

  it('lets no control character through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        expect(printableLines(text)).not.toMatch(/[^\P{Cc}\n]|\p{Cs}/u);
      }),
    );
  });

  it('keeps the lines of a longer text', () => {
    expect(printableLines('one\r\ntwo\u2028three\u0000')).toBe('one\ntwo\nthree␀');
  });
});

describe('toSafeJson', () => {
  it('means what JSON means, and has nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: 'binary' }),
        fc.constantFrom('\u009b31m', '\u007f', '\u202e', '\u2028', '\u200f'),
        (value, text) => {
          const written = toSafeJson({ [text]: [value, text] }, 2);
          expect(written).not.toMatch(/[^\P{Cc}\n]|\p{Zl}|\p{Zp}|\p{Bidi_Control}/u);
          expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify({ [text]: [value, text] })));
        },
      ),
    );
  });
});

describe('formatCount', () => {
  it.each([
    [0, 'companies', '0 companies'],
    [1, 'companies', '1 company'],
    [2, 'companies', '2 companies'],
    [1, 'bots', '1 bot'],
    [1, 'apiKeys', '1 apiKey'],
  ])('counts %i %s as "%s"', (number, plural, text) => {
    expect(formatCount(number, plural)).toBe(text);
  });
});
