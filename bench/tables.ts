import { styleText } from 'node:util';

/** A figure without a fraction. */
export const whole = (value: number): string => Math.round(value).toLocaleString('en');

/** A table as cells; the first row is its head. */
export type Table = readonly (readonly string[])[];

/** What a figure ought to be, and whether it is. */
export interface Aim {
  readonly text: string;
  readonly isMet: boolean;
}

export function aligned(table: Table): string {
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '),
  );
  return lines.map((line, index) => (index === 0 ? styleText('bold', line) : line)).join('\n');
}

export const markdownTable = ([head = [], ...rows]: Table): string =>
  [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export const aimsInTerminal = (aims: readonly Aim[]): string =>
  aims.map(({ text, isMet }) => `${isMet ? styleText('green', 'met    ') : styleText('yellow', 'not met')}  ${text}`).join('\n');

export const aimsInMarkdown = (aims: readonly Aim[]): string =>
  aims.map(({ text, isMet }) => `- ${isMet ? 'met' : '**not met**'}: ${text}`).join('\n');
