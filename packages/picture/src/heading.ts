import { ink } from './colours.ts';
import type { Sketch } from './sketch.ts';
import { textLine } from './svg.ts';
import { clippedLine, wrappedLines } from './text-width.ts';

/** Name, description and size of the canvas, above the picture. */
export function headingOf(
  { id, name, kind, description, nodes }: Sketch,
  edgeCount: number,
  room: number,
): { readonly markup: readonly string[]; readonly width: number; readonly height: number } {
  const maxWidth = Math.min(room, 900);
  const facts = [id, kind, counted(nodes.length, 'node'), counted(edgeCount, 'edge')].filter(Boolean).join('  ·  ');
  const title = { size: 24, isBold: true };
  const small = { size: 12.5 };
  const described = wrappedLines(description, maxWidth, 3, small);
  return {
    markup: [
      textLine(clippedLine(name || id || 'Canvas', maxWidth, title), { x: 0, y: 20, room: maxWidth }, title, ink.title),
      textLine(clippedLine(facts, maxWidth, small), { x: 0, y: 44, room: maxWidth }, small, ink.faint),
      ...described.map((line, index) => textLine(line, { x: 0, y: 66 + index * 17, room: maxWidth }, small, ink.text)),
    ],
    width: maxWidth,
    height: 76 + described.length * 17,
  };
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
