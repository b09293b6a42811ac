/** A way of writing: size in pixels, and whether it is bold. */
export interface Lettering {
  readonly size: number;
  readonly isBold?: boolean;
}

/**
 * How wide a line comes out, in pixels: there is no font to ask, so this goes by the usual widths of Arial and its kin
 * and rounds up a little.
 */
export function textWidth(text: string, { size, isBold = false }: Lettering): number {
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width * size * (isBold ? 1.1 : 1.04);
}

/** In em. */
function charWidth(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20 || /\p{M}|\u200b|\u200d|\ufe0f/u.test(char)) return 0;
  if (code < 0x7f) return asciiWidths[code - 0x20] ?? 0.56;
  if (
    /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Extended_Pictographic}|[\u3000-\u303f\uff00-\uff60]/u.test(
      char,
    )
  )
    return 1.05;
  return /\p{Lu}/u.test(char) ? 0.74 : 0.6;
}

/** Arial's widths of the characters from blank to tilde, in em. */
const asciiWidths: readonly number[] = [
  0.28, 0.28, 0.36, 0.56, 0.56, 0.89, 0.67, 0.2, 0.34, 0.34, 0.39, 0.59, 0.28, 0.34, 0.28, 0.28, 0.56, 0.56, 0.56, 0.56, 0.56, 0.56, 0.56,
  0.56, 0.56, 0.56, 0.28, 0.28, 0.59, 0.59, 0.59, 0.56, 1.02, 0.67, 0.67, 0.73, 0.73, 0.67, 0.62, 0.78, 0.73, 0.28, 0.5, 0.67, 0.56, 0.84,
  0.73, 0.78, 0.67, 0.78, 0.73, 0.67, 0.62, 0.73, 0.67, 0.95, 0.67, 0.67, 0.62, 0.28, 0.28, 0.28, 0.47, 0.56, 0.34, 0.56, 0.56, 0.5, 0.56,
  0.56, 0.28, 0.56, 0.56, 0.23, 0.23, 0.5, 0.23, 0.84, 0.56, 0.56, 0.56, 0.56, 0.34, 0.5, 0.28, 0.56, 0.5, 0.73, 0.5, 0.5, 0.5, 0.34, 0.26,
  0.34, 0.59,
];

/** What people see as one character is never cut in two. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What people see as the first character of a text. */
export const firstCharacter = (text: string): string => graphemes.segment(text)[Symbol.iterator]().next().value?.segment ?? '';

/** The most of a text that is drawn, and so measured. */
const longest = 1_000;

/** One line of at most a width: the excess is replaced by an ellipsis. */
export function clippedLine(text: string, maxWidth: number, lettering: Lettering): string {
  const line = onOneLine(text);
  return line.length <= longest && textWidth(line, lettering) <= maxWidth ? line : withEllipsis(line, maxWidth, lettering);
}

/** As much of a line as fits before an ellipsis. */
function withEllipsis(line: string, maxWidth: number, lettering: Lettering): string {
  let kept = '';
  for (const { segment } of graphemes.segment(line.slice(0, longest))) {
    if (textWidth(`${kept}${segment}…`, lettering) > maxWidth) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Lines of at most a width, broken between words, or inside one that is longer than a line; the last may end in an ellipsis. */
export function wrappedLines(text: string, maxWidth: number, maxLines: number, lettering: Lettering): readonly string[] {
  const paragraphs = text
    .slice(0, longest * maxLines)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(onOneLine);
  while (paragraphs.at(-1) === '') paragraphs.pop();
  const lines: string[] = [];
  for (let rest = paragraphs.shift(); rest !== undefined; ) {
    if (lines.length === maxLines - 1) {
      const hasMore = paragraphs.length > 0;
      return [...lines, hasMore ? withEllipsis(rest, maxWidth, lettering) : clippedLine(rest, maxWidth, lettering)];
    }
    const line = cutToWidth(rest, maxWidth, lettering);
    lines.push(line.trimEnd());
    rest = line.length < rest.length ? rest.slice(line.length) : paragraphs.shift();
  }
  return lines;
}

/** As many whole words as fit, or a part of a single word. */
function cutToWidth(text: string, maxWidth: number, lettering: Lettering): string {
  let fitting = '';
  for (const word of text.match(/\S+\s*/g) ?? []) {
    if (textWidth((fitting + word).trimEnd(), lettering) > maxWidth) break;
    fitting += word;
  }
  if (fitting !== '' || text === '') return fitting;
  let letters = '';
  for (const { segment } of graphemes.segment(text.slice(0, longest))) {
    if (letters !== '' && textWidth(letters + segment, lettering) > maxWidth) break;
    letters += segment;
  }
  return letters;
}

const onOneLine = (text: string): string =>
  text
    .slice(0, longest * 10)
    .replace(/\s+/g, ' ')
    .trim();
