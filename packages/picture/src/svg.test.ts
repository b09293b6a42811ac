import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSvg } from '../test/svg-tree.ts';
import { textLine } from './svg.ts';
import { clippedLine, textWidth } from './text-width.ts';

const lettering = { size: 11 };

describe('textLine', () => {
  /** What a viewer may make of a line, in pixels: its length where it is written down, else what the widest font makes of it. */
  const widest = (content: string, room: number): number => {
    const { attributes } = parseSvg(textLine(content, { x: 0, y: 0, room }, lettering, '#000000'));
    return attributes['textLength'] === undefined ? textWidth(content, lettering) * 1.35 : Number(attributes['textLength']);
  };

  it.each([
    'l'.repeat(200), // Verdana's "l" is a quarter wider than Arial's: this ran over the border of its card
    'W'.repeat(60),
    '日本語の長いラベルはここで切れるはずです日本語',
    '👨‍👩‍👧‍👦'.repeat(20),
    'مرحبا بالعالم هذا نص طويل جدا جدا لا ينتهي أبدا',
  ])('keeps a long line in its space, with any font: %s', (text) => {
    const line = clippedLine(text, 212, lettering);
    expect(widest(line, 212)).toBeLessThanOrEqual(212);
    expect(textLine(line, { x: 0, y: 0, room: 212 }, lettering, '#000000')).toContain('lengthAdjust="spacingAndGlyphs"');
  });

  it('leaves a short line as the font draws it', () => {
    expect(textLine('Ask', { x: 0, y: 0, room: 212 }, lettering, '#000000')).not.toContain('textLength');
  });

  it('never leaves its room', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), fc.integer({ min: 40, max: 300 }), (text, room) => {
        expect(widest(clippedLine(text, room, lettering), room)).toBeLessThanOrEqual(room + 0.01);
      }),
    );
  });
});
