// CSV as people bring it: any of the usual separators, UTF-8 with or without its mark, and what is wrong named by line. It streams.
import { setImmediate as turn } from 'node:timers/promises';
import { canonicalPhone } from '@hilo/engine/contract';
import { parse, type Parser } from 'csv-parse';
import { invalidFields, type HttpError } from '../platform/http/errors.ts';

/** A row, and the line of the file on which it ends. */
interface CsvRow {
  readonly line: number;
  /** In the order of the header; what a short row lacks is not there. */
  readonly values: readonly string[];
}

/** A line that is no row. */
export interface CsvProblem {
  readonly line: number;
  readonly problem: string;
}

/** A file whose header is read. */
export interface CsvFile {
  readonly header: readonly string[];
  /** @throws {HttpError} 422 for what makes the rest unreadable, with the line */
  rows(): AsyncGenerator<CsvRow | CsvProblem, void, undefined>;
}

/** Columns of a file, and characters of its first line and of one row. */
const [maxColumns, maxHeaderChars, maxRowChars] = [500, 100_000, 200_000];

const separators = [',', ';', '\t', '|'] as const;

/**
 * Reads the header of a file.
 *
 * @throws {HttpError} 422 for another encoding than UTF-8, an empty file, too many columns or two of one name
 */
export async function openCsv(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<CsvFile> {
  const decoded = decode(inPieces(bytes));
  const findEnd = createLineEnd();
  let first = '';
  let end = -1;
  let isOver = false;
  while (end < 0 && !isOver) {
    const { value, done } = await decoded.next();
    isOver = done === true;
    const found = findEnd(value ?? '');
    if (found >= 0) end = first.length + found;
    first += value ?? '';
    if ((end < 0 ? first.length : end) > maxHeaderChars)
      throw refuse(
        `the first line has more than ${maxHeaderChars} characters: a file has at most ${maxColumns} columns, named in its first line`,
      );
  }
  if (first.trim() === '') throw refuse('the file is empty: its first line names the columns');
  const firstLine = end < 0 ? first : first.slice(0, end);
  // Excel is told by a line of its own how a file is separated, and some programs write it.
  const [, told] = /^sep=([,;\t|])$/i.exec(firstLine) ?? [];
  const rows = readRows(join(first, decoded), told ?? guessSeparator(firstLine), told === undefined ? 1 : 2);
  const { value: head } = await rows.next();
  if (head === undefined || 'problem' in head) throw refuse(`line 1: ${head?.problem ?? 'it names no columns'}`);
  const { length } = head.values;
  if (length > maxColumns) throw refuse(`the file has ${length} columns, and at most ${maxColumns} are read`);
  const header = head.values.map((name) => name.trim());
  const twice = header.find((name, index) => name !== '' && header.indexOf(name) !== index);
  if (twice !== undefined) throw refuse(`two columns are named "${twice}"`);
  return {
    header,
    async *rows() {
      for await (const row of rows)
        yield 'values' in row && row.values.length > header.length
          ? { line: row.line, problem: `it has ${row.values.length} values, and the first line ${header.length} columns` }
          : row;
    },
  };
}

const refuse = (reason: string): HttpError => invalidFields({ file: [reason] });

/** Finds the end of the first line, outside of quotes, in what comes piece by piece: -1 where it is not in this one. */
function createLineEnd(): (piece: string) => number {
  let isQuoted = false;
  return (piece) => {
    for (let index = 0; index < piece.length; index += 1) {
      const char = piece[index];
      if (char === '"') isQuoted = !isQuoted;
      else if (!isQuoted && (char === '\n' || char === '\r')) return index;
    }
    return -1;
  };
}

/** The separator that the header has most of, outside of quotes; a comma, where it has none. */
function guessSeparator(header: string): (typeof separators)[number] {
  const bare = header.replaceAll(/"[^"]*"/g, '');
  const counts = separators.map((separator) => bare.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** What was looked through for the end of the header goes on in pieces, too: it may have tens of thousands of columns. */
async function* join(first: string, rest: AsyncGenerator<string, void, undefined>): AsyncGenerator<string, void, undefined> {
  for (let from = 0; from < first.length; from += bytesATurn) {
    yield first.slice(from, from + bytesATurn);
    await turn();
  }
  yield* rest;
}

/** What is read in one turn. Of lines of two characters these are a thousand rows, which take up to 20 µs each. */
const bytesATurn = 2_048;

/** The bytes in pieces, with a turn of the event loop between them: a body may come as one piece, and each piece is read at once. */
async function* inPieces(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of bytes)
    for (let from = 0; from < chunk.length; from += bytesATurn) {
      yield chunk.subarray(from, from + bytesATurn);
      await turn();
    }
}

/** @throws {HttpError} 422 for what is not UTF-8 */
async function* decode(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let lines = 1;
  let begin: number[] = [];
  const read = (chunk?: Uint8Array): string => {
    try {
      const text = chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
      lines += text.split('\n').length - 1;
      return text;
    } catch {
      const [whole = ''] = new TextDecoder().decode(chunk).split('\uFFFD', 1);
      lines += whole.split('\n').length - 1;
      throw refuse(`about line ${lines}: the file is not UTF-8, it looks like Latin-1 (ISO 8859-1, Windows-1252): save it as "CSV UTF-8"`);
    }
  };
  for await (const chunk of bytes) {
    if (begin.length < 4) {
      begin = [...begin, ...chunk.subarray(0, 4)];
      if (begin.slice(0, 4).join() === '80,75,3,4')
        throw refuse('the file is a workbook or an archive (.xlsx, .ods, .zip): save it as "CSV UTF-8"');
      if (['255,254', '254,255'].includes(begin.slice(0, 2).join())) throw refuse('the file is UTF-16: save it as "CSV UTF-8"');
    }
    yield read(chunk);
  }
  yield read();
}

async function* readRows(
  text: AsyncIterable<string>,
  separator: string,
  fromLine: number,
): AsyncGenerator<CsvRow | CsvProblem, void, undefined> {
  const problems: CsvProblem[] = [];
  let [line, count, wrongLine] = [0, 0, 0];
  let reason = '';
  /** Records before a quote that does not end: what follows it is inside it, and where the next row begins cannot be known. */
  let wholeRecords = Number.POSITIVE_INFINITY;
  const parser = parse({
    delimiter: separator,
    from_line: fromLine,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRowChars,
    skip_records_with_error: true,
    on_skip(error) {
      if (error === undefined) return;
      const at = typeof error['lines'] === 'number' ? error['lines'] : line + 1;
      const endsAll = error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE';
      if (endsAll) {
        wholeRecords = Math.min(wholeRecords, parser.info.records);
        reason ||= `${error.code === 'CSV_MAX_RECORD_SIZE' ? `a row has more than ${maxRowChars} characters, or ` : ''}a quote begins that does not end`;
      } else if (at !== wrongLine) {
        wrongLine = at; // a row may have several, and is one row
        problems.push({
          line: at,
          problem: 'a quote is in the wrong place: a value with quotes is in quotes, and each one inside is doubled',
        });
      }
    },
  });
  const isOver = (): boolean => parser.destroyed || wholeRecords < Number.POSITIVE_INFINITY;
  const feed = async (): Promise<void> => {
    try {
      for await (const chunk of text) {
        if (isOver()) break;
        if (!parser.write(chunk)) await untilDrained(parser);
      }
      if (!parser.destroyed) parser.end();
    } catch (error) {
      parser.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const feeding = feed();
  for await (const found of parser as AsyncIterable<{ readonly record: readonly string[]; readonly info: { readonly lines: number } }>) {
    if (count >= wholeRecords) break;
    count += 1;
    line = found.info.lines;
    yield { line, values: found.record };
    yield* problems.splice(0);
  }
  await feeding;
  if (wholeRecords < Number.POSITIVE_INFINITY) throw refuse(`after line ${line}: ${reason}; nothing behind it was read`);
  yield* problems.splice(0);
}

/** Resolves once a parser takes more, or is gone. */
const untilDrained = (parser: Parser): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      parser.off('drain', done).off('close', done);
      resolve();
    };
    parser.on('drain', done).on('close', done);
  });

/** Why a cell is no longer what somebody typed, where a spreadsheet took it for a number: its digits are lost, or a zero follows them. */
export function explainNumber(text: string): string | undefined {
  const shown = text.slice(0, 40);
  if (/^[+-]?\d+(?:[.,]\d+)?[eE][+-]?\d+$/.test(text))
    return `"${shown}" is a number in scientific notation, whose digits are lost: format the column as text, and export it again`;
  if (/^[+-]?\d{5,}[.,]0{1,2}$/.test(text)) return `"${shown}" is a number with decimals: format the column as text, and export it again`;
  return undefined;
}

/** The digits of a phone number as people write it in a file or a list, with brackets and dots as well; null for anything else. */
export const readWrittenPhone = (text: string): string | null => canonicalPhone(text.replaceAll(/[().]/g, ''));

/**
 * Where a formula may begin: first in a field, and behind each separator or line break in it, since a spreadsheet takes the separator of its
 * country whatever the file has. Blanks before it are passed over, as some do; the wide forms are typed with Asian keyboards.
 */
const formulaBegins = /(?<=^|[,;\|\t\n\r"])(?=[[\s\p{DI}\p{Cc}]--[\t\n\r]]*[=+\-@＝＋－＠−])|^(?=[\t\r\n])/gv;

/** A value as a field of CSV that no spreadsheet takes for a formula: a text that would be one has an apostrophe before it. */
function writeCsvField(value: string | number | undefined): string {
  const text = typeof value === 'string' ? value.replace(formulaBegins, "'") : String(value ?? '');
  return /[",;|\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV. */
export const writeCsvLine = (values: readonly (string | number | undefined)[]): string => `${values.map(writeCsvField).join(',')}\r\n`;
