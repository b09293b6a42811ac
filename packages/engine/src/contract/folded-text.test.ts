import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText, showsNothing } from './folded-text.ts';

describe('foldText', () => {
  it.each([
    ['Envío', 'ENVIO'],
    ['ﬁn', 'FIN'],
    ['straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ΟΔΌΣ', 'οδοσ'],
    ['οδός', 'ΟΔΟΣ'],
    ['İstanbul', 'istanbul'],
    ['Tiếng Việt', 'TIENG VIET'],
    ['مُحَمَّد', 'محمد'],
    ['❤️', '❤'],
    ['\u00a0 hola\n', 'hola'],
    ['Stop.', 'STOP!'],
    ['“stop”', "'stop'"],
    ['don’t', "don't"],
    ['don`t', 'donʼt'],
    ['a\u00a0 b', 'a b'],
    ['co\u00adop', 'coop'],
    ['co‑op', 'co-op'],
    ['\u2067yes\u2069', 'yes'],
    ['ｙｅｓ', 'yes'],
    ['sí 👍🏽', '✅ Si'],
    ['*Menu*', '_menu_'],
    ['¡¿Qué?!', 'que'],
    ['お願いします。', 'お願いします'],
    ['نعم؟', 'نعم'],
    ['👍🏽', '👍'],
    ['👍!', '👍'],
    ['2️⃣', '2'],
  ])('treats "%s" and "%s" as equal', (text, other) => expect(foldText(text)).toBe(foldText(other)));

  it.each([
    ['दिन', 'दान'],
    ['はい', 'ばい'],
    ['ば', 'ぱ'],
    ['가', '각'],
    ['กา', 'กิ'],
    ['👍', '👎'],
    ['a b', 'ab'],
    ['?', '!'],
    ['+', '-'],
    ['c++', 'c'],
    ['#1', '1'],
    ['/stop', 'stop'],
    ['can’t', 'cant'],
  ])('distinguishes "%s" from "%s"', (text, other) => expect(foldText(text)).not.toBe(foldText(other)));

  it('is idempotent', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    ));

  it('does not change what is not seen: signs without a glyph anywhere, blanks and quotes around', () =>
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', '\u200b', '\u200e', '\u2060', '\u00ad', '\ufe0f', '\u202e', '\u2066'),
        fc.constantFrom(' ', '\u00a0', '\u2009\u3000', '\t\n', ' \u2800'),
        fc.constantFrom('', '.', '!?', '…', ' 😀', '”', "'", ' :)', '*'),
        (words, unseen, blank, end) => {
          const written = end === '*' ? `*${words.join(blank)}*` : `${unseen}${words.join(`${unseen}${blank}`)}${end}${unseen}`;
          expect(foldText(written)).toBe(words.join(' '));
        },
      ),
    ));

  it.each(['', ' ', '\u200b', '\u2800\u2800', '\u3164', '\ufeff\n', '\u202a\u202c', '\u{e0020}', '\0'])('%j shows nothing', (text) => {
    expect(showsNothing(text)).toBe(true);
    expect(foldText(text)).toBe('');
    expect(showsNothing(`${text}a`)).toBe(false);
  });
});
