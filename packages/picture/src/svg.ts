import type { PortTone } from './card.ts';
import { type Lettering, textWidth } from './text-width.ts';

/** Attributes by name; a number is written without a tail of decimals. */
type Attributes = { readonly [name: string]: string | number | undefined };

/** One SVG element. `content` is markup already; a text goes through {@link escapeXml} first. */
export function element(name: string, attributes: Attributes, content: string | readonly string[] = ''): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXml(attribute(value))}"`],
  );
  const inside = typeof content === 'string' ? content : content.join('');
  return inside === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${inside}</${name}>`;
}

const attribute = (value: string | number): string => (typeof value === 'number' ? roundText(value) : value);

/** Two decimals at most: the same picture whatever the last bit of a sum is. */
export const roundText = (value: number): string => String(Math.round(value * 100) / 100 + 0);

/** A text escaped for XML. Characters that XML does not allow become U+FFFD. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"']/g, (char) => entities[char] ?? char);

const entities: { readonly [char: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Where a line of text may be. */
interface TextPlace {
  readonly x: number;
  readonly y: number;
  /** Which end of the line is at `x`; its beginning when left out. */
  readonly anchor?: 'end' | 'middle';
  /** How wide the line may come out, in pixels. */
  readonly room: number;
}

/**
 * A line of text that stays in its space with any font of the viewer: a line that a wide font would make too long has an explicit
 * length, to which the viewer fits the letters.
 */
export function textLine(content: string, { x, y, anchor, room }: TextPlace, lettering: Lettering, fill: string): string {
  const { size, isBold = false } = lettering;
  const width = textWidth(content, lettering);
  const fitted = width * widestFont > room ? { textLength: Math.min(width, room), lengthAdjust: 'spacingAndGlyphs' } : {};
  return element(
    'text',
    { x, y, 'font-size': size, 'font-weight': isBold ? '600' : undefined, 'text-anchor': anchor, fill, ...fitted },
    escapeXml(content),
  );
}

/** How much wider than Arial a replacement font may be: Verdana and DejaVu Sans, bold, are by a quarter, emoji by a third. */
const widestFont = 1.35;

export const ink = {
  title: '#0f172a',
  text: '#334155',
  faint: '#64748b',
  line: '#94a3b8',
  border: '#dbe2ea',
  paper: '#f8fafc',
  dots: '#e2e8f0',
} as const;
/** Ports and the lines that leave by them. */
export const toneColours: { readonly [Tone in PortTone]: string } = {
  plain: '#475569',
  aside: '#b45309',
  error: '#dc2626',
  faulty: '#dc2626',
};
