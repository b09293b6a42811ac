import type { Lettering } from './text-width.ts';

/** Attributes by name; a number is written without a tail of decimals. */
type Attributes = { readonly [name: string]: string | number | undefined };

/** One SVG element. `content` is markup already; a text goes through {@link escaped} first. */
export function element(name: string, attributes: Attributes, content: string | readonly string[] = ''): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escaped(attribute(value))}"`],
  );
  const inside = typeof content === 'string' ? content : content.join('');
  return inside === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${inside}</${name}>`;
}

const attribute = (value: string | number): string => (typeof value === 'number' ? rounded(value) : value);

/** Two decimals at most: the same picture whatever the last bit of a sum. */
export const rounded = (value: number): string => String(Math.round(value * 100) / 100 + 0);

/** A text as XML has it. Characters that XML does not know at all become U+FFFD. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"']/g, (char) => entities[char] ?? char);

const entities: { readonly [char: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** A line of text. @param anchor - which end of the line stands at `x`; its beginning, when left out */
export function textLine(
  content: string,
  x: number,
  y: number,
  { size, isBold = false }: Lettering,
  fill: string,
  anchor?: 'end' | 'middle',
): string {
  return element(
    'text',
    { x, y, 'font-size': size, 'font-weight': isBold ? '600' : undefined, 'text-anchor': anchor, fill },
    escaped(content),
  );
}
