import Table from 'cli-table3';
import type { Paint } from './paint.ts';

/** How a table is drawn: its colours, and the width of the terminal in characters. */
export interface TableRoom {
  readonly paint: Paint;
  readonly columns: number;
}

/**
 * Rows below a header, in as few lines as possible. The last column takes the remaining width, and wraps between words: an id or an address
 * that is wider is whole all the same, since one that is cut is of no use. Where little width remains, it stands below its row instead,
 * with those before it for which there is no width either.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[], { paint, columns }: TableRoom): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)) + 2);
  const room = columns - widths.slice(0, -1).reduce((sum, width) => sum + width, 0) - 2;
  const natural = (widths.at(-1) ?? 0) - 2;
  if (head.length > 2 && natural > room && room < narrow && columns - indent.length > room)
    return tableAbove(head, rows, { paint, columns });
  const words = rows.flatMap((row) => (row[head.length - 1] ?? '').split(/\s+/));
  const longest = Math.max(0, ...words.map((word) => word.length)) + 2;
  const last = Math.max(16, longest, Math.min(widths.at(-1) ?? 0, room));
  const drawn = new Table({
    head: head.map((title) => paint('bold', title)),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    chars: {
      top: '',
      'top-mid': '',
      'top-left': '',
      'top-right': '',
      bottom: '',
      'bottom-mid': '',
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: '',
    },
    wordWrap: true,
    colWidths: widths.map((width, column) => (column === widths.length - 1 ? last : width)),
  });
  drawn.push(...rows.map((row) => [...row]));
  return drawn.toString().replace(/[ \t]+$/gm, '');
}

/** A last column of fewer characters that has to wrap stands below its row. */
const narrow = 40;
const indent = '    ';

/** A table without its last columns, which stand below each row, behind an indent. */
function tableAbove(head: readonly string[], rows: readonly (readonly string[])[], room: TableRoom): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => (row[column] ?? '').length)) + 2);
  let kept = head.length - 1;
  while (kept > 2 && widths.slice(0, kept).reduce((sum, width) => sum + width, -2) > room.columns) kept -= 1;
  const [title, ...lines] = table(
    head.slice(0, kept),
    rows.map((row) => row.slice(0, kept)),
    { ...room, columns: wide },
  ).split('\n');
  const join = (cells: readonly string[]): string => cells.filter((cell) => cell.trim() !== '').join('  ');
  const below = (row: readonly string[]): readonly string[] => {
    const text = join(row.slice(kept));
    const isShort = text.length <= room.columns - indent.length; // columns stay apart where they stand in one line
    return text === '' ? [] : (isShort ? [text] : wrap(text, room.columns - indent.length)).map((line) => indent + line);
  };
  return [
    title,
    `${indent}${room.paint('bold', join(head.slice(kept)))}`,
    ...lines.flatMap((line, index) => [line, ...below(rows[index] ?? [])]),
  ].join('\n');
}

/** So wide that no column has to wrap: each row is one line. */
const wide = 100_000;

/** Words in lines of at most so many characters; a longer word has a line of its own. */
function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
