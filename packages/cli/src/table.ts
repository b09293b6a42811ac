import Table from 'cli-table3';
import type { Paint } from './paint.ts';

/** How a table is drawn: its colours, and the width of the terminal in characters. */
export interface TableRoom {
  readonly paint: Paint;
  readonly columns: number;
}

/** Rows below a header, in as few lines as possible. The last column takes the remaining width, and wraps. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], { paint, columns }: TableRoom): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)) + 2);
  const room = columns - widths.slice(0, -1).reduce((sum, width) => sum + width, 0) - 2;
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
    colWidths: widths.map((width, column) => (column === widths.length - 1 ? Math.max(16, Math.min(width, room)) : width)),
  });
  drawn.push(...rows.map((row) => [...row]));
  return drawn.toString().replace(/[ \t]+$/gm, '');
}
