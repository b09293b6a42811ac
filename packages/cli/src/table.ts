import Table from 'cli-table3';
import type { Paint } from './paint.ts';

/** How a table is drawn: its colours, and the width of the terminal in characters. */
export interface TableRoom {
  readonly paint: Paint;
  readonly columns: number;
}

/**
 * Rows below a header, in as few lines as possible. The last column takes the remaining width, and wraps between words: an id or an address
 * that is wider is whole all the same, since one that is cut is of no use.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[], { paint, columns }: TableRoom): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)) + 2);
  const room = columns - widths.slice(0, -1).reduce((sum, width) => sum + width, 0) - 2;
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
