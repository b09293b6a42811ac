import type { ChannelFacts } from '@hilo/nodes';
import { textLength } from '@hilo/nodes';

/** Cuts a text into parts that a channel takes (GRP-02): behind its last line break that fits, else in the middle of a line. */
export function splitText(text: string, { max, unit }: ChannelFacts['textLimit']): readonly string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest !== '') {
    const fits = longestThatFits(rest, max, unit);
    const lineEnd = fits.length === rest.length ? -1 : rest.lastIndexOf('\n', fits.length);
    const part = lineEnd > 0 ? rest.slice(0, lineEnd) : fits;
    rest = rest.slice(lineEnd > 0 ? lineEnd + 1 : part.length);
    if (part.trim() !== '') parts.push(part);
  }
  return parts;
}

/** At least one character, so that there is an end. */
function longestThatFits(text: string, max: number, unit: ChannelFacts['textLimit']['unit']): string {
  let length = 0;
  let end = 0;
  for (const character of text) {
    length += unit === 'characters' ? 1 : textLength(character, unit);
    if (length > max && end > 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}
