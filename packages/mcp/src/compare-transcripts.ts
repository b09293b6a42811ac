// Compares a transcript with what happens now, line by line.
import { diff } from 'node:util';

/** A line of a comparison; `gap` stands for equal lines that are left out. */
export interface ComparedLine {
  readonly kind: 'same' | 'expected' | 'happens' | 'gap';
  readonly line: string;
}

/** Equal lines that are shown around what differs. */
const around = 3;

/** What differs, with some lines around it; `undefined` when nothing does. */
export function compareTranscripts(expected: string, actual: string): readonly ComparedLine[] | undefined {
  const [before, after] = [splitLines(expected), splitLines(actual)];
  if (before.length === after.length && before.every((line, index) => line === after[index])) return undefined;
  const changes = diff(after, before); // util.diff takes the actual value first
  const isNear = (at: number): boolean => changes.slice(Math.max(0, at - around), at + around + 1).some(([kind]) => kind !== 0);
  const lines = changes.map(([kind, line], index): ComparedLine => {
    if (kind === 0) return isNear(index) ? { kind: 'same', line } : { kind: 'gap', line: '' };
    return { kind: kind === 1 ? 'happens' : 'expected', line };
  });
  return lines.filter(({ kind }, index) => kind !== 'gap' || lines[index - 1]?.kind !== 'gap');
}

const marks: Readonly<Record<ComparedLine['kind'], string>> = { same: '  ', expected: '- ', happens: '+ ', gap: '  …' };

/** A line with its mark: `-` for what a transcript says, `+` for what happens. */
export const writeComparedLine = ({ kind, line }: ComparedLine): string => `${marks[kind]}${line}`;

const splitLines = (text: string): readonly string[] =>
  text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .replace(/\n$/, '')
    .split('\n');
