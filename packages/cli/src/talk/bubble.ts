import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import type { Paint } from '../paint.ts';

/** Lines in a frame with round corners, as wide as they need and at most as wide as is given. */
export function bubble(lines: readonly string[], paint: Paint, maxWidth: number): readonly string[] {
  const inside = lines.flatMap((line) => wrapAnsi(line, maxWidth - 4, { hard: true, trim: false }).split('\n'));
  const width = Math.max(8, ...inside.map((line) => stringWidth(line)));
  const side = paint('blue', '│');
  return [
    paint('blue', `╭${'─'.repeat(width + 2)}╮`),
    ...inside.map((line) => `${side} ${line}${' '.repeat(width - stringWidth(line))} ${side}`),
    paint('blue', `╰${'─'.repeat(width + 2)}╯`),
  ];
}
