// Names and texts that one person types and another reads: what nobody sees is refused or left out, and what people write stays.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeUnseen, tidyName, unseenInName, unseenInText } from './shown-text.ts';

const written = [
  'Ana María',
  'José (Lima) – №1',
  '👩‍⚕️ Dr. Núñez 👨🏽‍🚀❤️‍🔥',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿 England 🇵🇪 1️⃣',
  '👨‍👩‍👧‍👦',
  'می‌خواهم',
  'ශ්‍රී ලංකා',
  'क्‍ष',
  'עברית',
  '日本語　名前',
  'ＡＢＣ',
  'نص ؀١',
];

/** Unseen signs, alone or where those that people write may stand. */
const unseen = [
  ['\0', '\u0007', '\n', '\r', '\t', '\u001b', '\u007f', '\u0085', '\u009b', '\u00ad', '\u034f', '\u061c', '\u115f', '\u180e'],
  ['\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u2028', '\u2029', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'],
  ['\u2060', '\u2061', '\u2064', '\u2065', '\u2066', '\u2067', '\u2068', '\u2069', '\u206a', '\u206f', '\u3164', '\ufeff', '\uffa0'],
  ['\ufff9', '\ufffb', '\u{1d173}', '\u{e0001}', '\u{e0061}', '\u{e007f}', '\u{e0100}'],
].flat();

describe('a name that people read', () => {
  it.each(written)('is %s as people write it', (name) => {
    expect(unseenInName(name)).toBe(undefined);
    expect(unseenInText(name)).toBe(undefined);
    expect(tidyName(name)).toBe(name);
  });

  it('holds nothing that nobody sees, wherever it stands', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...unseen),
        fc.constantFrom('admin', '', '管理', 'админ', '🏴', '1'),
        fc.string(),
        (sign, before, after) => {
          const name = `${before}${sign}${after}`;
          expect(unseenInName(name)).toMatch(/^holds U\+[0-9A-F]{4,6}, which nobody sees: leave it out$/);
          const tidy = tidyName(name);
          expect(unseenInName(tidy)).toBe(undefined);
          expect(tidyName(tidy)).toBe(tidy);
        },
      ),
    ));

  it.each([
    'a\u200cdmin',
    'admi\u200dn',
    '\u200d👩',
    '👩\u200d',
    '👩\u200dx',
    'م\u200c',
    'م\u200c\u200cم',
    '🏴\u{e0067}',
    'x\u{e0067}\u{e007f}',
  ])('has no joiner that joins nothing: %j', (name) => {
    expect(unseenInName(name)).toMatch(/^holds/);
    expect(unseenInName(tidyName(name))).toBe(undefined);
  });

  it('keeps a line break as a blank, so that words stay apart', () => {
    expect(tidyName('\u202eAna\nMaría\u2028Paz\t\u200b')).toBe('Ana María Paz');
  });
});

describe('a text of several lines', () => {
  it.each(['one\ntwo\r\n\tthree', 'שלום\u200f!', 'a\u200bb'])('may be %j', (text) => expect(unseenInText(text)).toBe(undefined));
  it.each(['\0', '\u001b[31m', '\u0085', '\u009b', '\u2028', '\u202e', '\u202a', '\u2066', '\u2069', '\u{e0001}'])(
    'does not hold %j',
    (sign) => {
      expect(unseenInText(`one\n${sign}two`)).toMatch(/^holds U\+/);
    },
  );
});

describe('JSON in which what nobody sees is an escape', () => {
  const anything = fc.string({
    unit: fc.oneof(fc.constantFrom('a', '"', '\\', '\n', 'é', '😀', ...unseen), fc.string({ unit: 'binary', maxLength: 1 })),
  });

  it('means the same, and has no such sign', () => {
    fc.assert(
      fc.property(fc.dictionary(anything, fc.array(anything)), (value) => {
        const plain = JSON.stringify(value);
        const escaped = escapeUnseen(plain);
        expect(JSON.parse(escaped)).toEqual(JSON.parse(plain));
        expect(escaped).not.toMatch(/\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|[\p{Zl}\p{Zp}]|[^\P{Cc}\t\n\r]/u);
      }),
    );
  });

  it.each([
    ['a\u200bb', String.raw`a\u200bb`],
    ['1\ufe0f\u20e3', '1\\ufe0f\u20e3'],
    ['x\u{e0041}', String.raw`x\udb40\udc41`],
    ['\u{e0100}', String.raw`\udb40\udd00`],
    ['one\n\ttwo', 'one\n\ttwo'],
    ['שלום', 'שלום'],
  ])('of %j', (text, written) => expect(escapeUnseen(text)).toBe(written));
});
