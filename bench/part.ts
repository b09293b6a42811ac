// One shape for everything that the benchmark measures, and how it is shown: to people at a terminal, to machines, in RESULTS.md.
import { styleText } from 'node:util';

/** What one contestant did in a part. */
export interface Measured {
  readonly name: string;
  /** In the unit of the part: the median of the rounds. */
  readonly median: number;
  /** In milliseconds, where answers were waited for. */
  readonly p99?: number;
  /** Median of the ratios to the floor within each round. A part without a floor has none. */
  readonly ratioToFloor?: number;
  /** Microseconds that the contestant's processes had of the processors for one: what else the machine does counts less. */
  readonly cpuUs?: number;
  /** The longest collection of V8's old generation in a round, in milliseconds: the median of the rounds. */
  readonly collectionMs?: number;
  /** Bytes that V8 allocated for one execution, and its garbage collections in a second of work. */
  readonly allocatedBytes?: number;
  readonly collectionsPerSecond?: number;
}

/** What a figure ought to be, and whether it is. */
export interface Aim {
  readonly name: string;
  readonly holds: boolean;
  readonly value: number;
  /** Such as "at most 12". */
  readonly aim: string;
  /** What limits the value, from the same run: shown for an aim that is missed. */
  readonly bound?: string;
}

/** Contestants side by side in one unit. */
export interface Part {
  readonly name: string;
  /** Of `median`, such as "µs an execution". */
  readonly unit: string;
  readonly contestants: readonly Measured[];
  readonly aims: readonly Aim[];
  /** Notes on this run, such as a peer that could not be installed. */
  readonly notes?: readonly string[];
}

export const atMost = (name: string, value: number, most: number, bound?: string): Aim =>
  aimOf(name, value, value <= most, `at most ${most}`, bound);
export const atLeast = (name: string, value: number, least: number, bound?: string): Aim =>
  aimOf(name, value, value >= least, `at least ${least}`, bound);

/** A value that is missing, because its contestant is, is missed. */
const aimOf = (name: string, value: number, holds: boolean, aim: string, bound: string | undefined): Aim =>
  bound === undefined || holds ? { name, holds, value, aim } : { name, holds, value, aim, bound };

/** A part that could not be measured. */
export const failedPart = (name: string, reason: string): Part => ({
  name,
  unit: '',
  contestants: [],
  aims: [],
  notes: [`This part failed: ${reason}`],
});

export function partInTerminal(part: Part): string {
  const [head = [], ...rows] = tableOf(part);
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ');
  const aims = part.aims.map((aim) => `${aim.holds ? styleText('green', 'holds ') : styleText('yellow', 'missed')}  ${textOf(aim)}`);
  return [styleText('bold', line(head)), ...rows.map(line), ...aims, ...(part.notes ?? [])].join('\n');
}

export function partInMarkdown(part: Part): string {
  const [head = [], ...rows] = tableOf(part);
  const table = [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const aims = part.aims.map((aim) => `- ${aim.holds ? 'holds' : '**missed**'}: ${textOf(aim)}`);
  return [table.join('\n'), aims.join('\n'), ...(part.notes ?? [])].filter((text) => text !== '').join('\n\n');
}

const textOf = ({ name, value, aim, bound }: Aim): string =>
  `${name}: ${figure(value)} (${aim})${bound === undefined ? '' : `. What bounds it: ${bound}`}`;

/** The columns that some contestant has a figure for. */
function tableOf({ name, unit, contestants }: Part): readonly (readonly string[])[] {
  const columns: readonly (readonly [string, (measured: Measured) => number | undefined])[] = [
    [unit, ({ median }) => median],
    ['p99 ms', ({ p99 }) => p99],
    ['× floor', ({ ratioToFloor }) => ratioToFloor],
    ['CPU µs', ({ cpuUs }) => cpuUs],
    ['bytes allocated', ({ allocatedBytes }) => allocatedBytes],
    ['collections/s', ({ collectionsPerSecond }) => collectionsPerSecond],
  ];
  const shown = columns.filter(([, read]) => contestants.some((measured) => read(measured) !== undefined));
  return [
    [name, ...shown.map(([head]) => head)],
    ...contestants.map((measured) => [measured.name, ...shown.map(([, read]) => figure(read(measured)))]),
  ];
}

/** Three digits that count, thousands apart. */
export function figure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}
