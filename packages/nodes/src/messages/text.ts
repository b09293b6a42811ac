/** What a limit on text counts (MSG-16, LIM-05): Unicode code points, or bytes of UTF-8. */
export type TextUnit = 'characters' | 'bytes';

/** Whether a text is longer than allowed. Counts only when the number of UTF-16 units does not decide. */
export const isLonger = (text: string, max: number, unit: TextUnit): boolean =>
  text.length * (unit === 'characters' ? 1 : 3) > max && textLength(text, unit) > max;

/** The length of a text. A lone surrogate counts as one character and three bytes, like the U+FFFD that replaces it. */
export function textLength(text: string, unit: TextUnit): number {
  let length = 0;
  for (const character of text) length += unit === 'characters' ? 1 : utf8Bytes(character.codePointAt(0) ?? 0);
  return length;
}

function utf8Bytes(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
