import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from './text.ts';

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
  ])('treats "%s" and "%s" as equal', (text, other) => expect(foldText(text)).toBe(foldText(other)));

  it.each([
    ['दिन', 'दान'],
    ['はい', 'ばい'],
    ['ば', 'ぱ'],
    ['가', '각'],
    ['กา', 'กิ'],
    ['👍', '👎'],
    ['a b', 'ab'],
  ])('distinguishes "%s" from "%s"', (text, other) => expect(foldText(text)).not.toBe(foldText(other)));

  it('is idempotent', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    ));
});
