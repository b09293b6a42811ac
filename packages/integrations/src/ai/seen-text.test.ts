import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seenText } from '@hilo/engine/contract';
import { seenValue } from './seen-text.ts';

/** Characters without a shape that carry a message one after the other. */
const unseen = fc.array(
  fc.oneof(
    fc.integer({ min: 0xe0020, max: 0xe007e }),
    fc.integer({ min: 0xe0100, max: 0xe01ef }),
    fc.constantFrom(0x200b, 0x2060, 0xfeff, 0x202e),
  ),
  { minLength: 1, maxLength: 20 },
);
const written = (codes: readonly number[]): string => String.fromCodePoint(...codes);

describe('what a model is given', () => {
  it('has nothing of a text that nobody sees, wherever it stands', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('Ana', ' ', 'ñ', '👍', '7'), unseen), { maxLength: 10 }), (parts) => {
        const text = parts.map(([seen, codes]) => seen + written(codes)).join('');
        expect(seenText(text)).toBe(parts.map(([seen]) => seen).join(''));
        expect(seenValue([{ [text]: text }])).toEqual([{ [seenText(text)]: seenText(text) }]);
      }),
    ));

  it.each(['❤️‍🔥', '👩‍👩‍👧', '☎︎', '1️⃣', 'می‌خواهم', 'क्‍ष', 'Zoë 🇵🇪 👍🏽', 'line\n\ttab'])('is whole: %s', (text) =>
    expect(seenText(text)).toBe(text),
  );

  it('keeps one joiner and no row of them', () => expect(seenText('a\u200d\u200c\u200d\u200db\ufe0f\ufe0ec')).toBe('abc'));
});
