import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clippedLine, textWidth, wrappedLines } from './text-width.ts';

const lettering = { size: 12 };
const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.lorem({ maxCount: 40 }), fc.string({ unit: 'binary' }));
const width = fc.integer({ min: 20, max: 300 });

describe('clippedLine', () => {
  it('keeps what fits and cuts what does not', () => {
    expect(clippedLine('short', 100, lettering)).toBe('short');
    expect(clippedLine('a line that is far too long for this', 100, lettering)).toMatch(/^a line that.*…$/);
  });

  it('never cuts a character in two', () => {
    expect(clippedLine('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 40, { size: 12 })).toMatch(/^(?:👩‍👩‍👧)*…$/u);
  });

  it('never gets wider than it may', () => {
    fc.assert(
      fc.property(text, width, (text, width) => {
        expect(textWidth(clippedLine(text, width, lettering), lettering)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('wrappedLines', () => {
  it('breaks between words and at line breaks', () => {
    expect(wrappedLines('one two three four\nfive', 60, 9, lettering)).toEqual(['one two', 'three four', 'five']);
  });

  it('breaks a word that is longer than a line', () => {
    expect(wrappedLines('abcdefghijklmnopqrstuvwxyz', 60, 9, lettering).join('')).toBe('abcdefghijklmnopqrstuvwxyz');
  });

  it('shows by an ellipsis that there is more', () => {
    expect(wrappedLines('one two three four five six', 60, 2, lettering)).toEqual(['one two', 'three fou…']);
    expect(wrappedLines('one\ntwo', 60, 1, lettering)).toEqual(['one…']);
  });

  it('never exceeds its width or number of lines, and loses no word before its end', () => {
    fc.assert(
      fc.property(text, width, fc.integer({ min: 1, max: 5 }), (text, width, most) => {
        const lines = wrappedLines(text, width, most, lettering);
        expect(lines.length).toBeLessThanOrEqual(most);
        for (const line of lines)
          expect([...new Intl.Segmenter().segment(line)].length === 1 || textWidth(line, lettering) <= width).toBe(true);
        const shown = lines.join('').replace(/\s/g, '').replace(/…$/, '');
        expect(text.replace(/\s/g, '').startsWith(shown)).toBe(true);
      }),
    );
  });
});
