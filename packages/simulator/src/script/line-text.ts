/**
 * A text on one line, so that {@link lineToText} gives it back: line breaks, other control characters, half surrogate
 * pairs and blanks at either end are written as escapes.
 *
 * @param reserved - first characters that would mean something else where the text stands
 */
export function textToLine(text: string, reserved = ''): string {
  const escaped = text.replace(/[\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, (char) =>
    char === '\\' ? '\\\\' : char === '\n' ? '\\n' : unicodeEscape(char),
  );
  const framed = escaped.replace(/^\s|\s$/g, unicodeEscape);
  const first = framed.charAt(0);
  return first !== '' && reserved.includes(first) ? unicodeEscape(first) + framed.slice(1) : framed;
}

/** Reads what {@link textToLine} wrote. A backslash before anything else is a backslash. */
export const lineToText = (line: string): string =>
  line.replace(/\\(?:u([0-9a-f]{4})|(n)|\\)/g, (_escape, hex?: string, lineBreak?: string) =>
    hex !== undefined ? String.fromCharCode(Number.parseInt(hex, 16)) : lineBreak === undefined ? '\\' : '\n',
  );

const unicodeEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
