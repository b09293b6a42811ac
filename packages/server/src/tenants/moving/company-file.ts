import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { decodeText, readStateCompany } from '@hilo/stores';
import { z } from 'zod';
import { invalidRequest } from '../../platform/http/errors.ts';
import { listColumns, type MovedTable, movedTables } from './moved-tables.ts';

// A company on its way is a file of JSON lines: a header, a line for each row, and an end with the number of rows and a code of all before it
// (HMAC-SHA-256), which only services with the same HILO_SECRET_KEY can make. A file that was cut or changed is refused as a whole.

/** What files are authenticated with. @param masterKey - HILO_SECRET_KEY: both services of a move have it */
export const deriveFileKey = (masterKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', masterKey, '', 'hilo company files', 32));

/** A row of a file: its table, the number it had there, and the JSON of its columns. */
export type FileRow = readonly [kind: string, number: number | null, line: string];

/** The first line of a file: which move of which company it holds. */
export interface FileHeader {
  readonly companyId: string;
  /** Random: that of the move. */
  readonly moveId: string;
  /** Which move of the company it is, from 1. */
  readonly number: number;
}

/** Grows when an older release could not read it: 2, since rows of executions have a format with a letter. Earlier ones are read. */
const format = 2;

/** The columns of each table: two releases that keep other ones do not understand each other's rows. */
const columnsOf = (tables: readonly MovedTable[]): { readonly [table: string]: readonly string[] } =>
  Object.fromEntries(tables.map((table) => [table.name, listColumns(table)]));

const Header = z.object({
  hilo: z.literal('company'),
  format: z.int().min(1).max(format),
  companyId: z.string().regex(/^\d{1,16}$/),
  moveId: z.string().regex(/^[0-9a-f]{32}$/),
  number: z.int().min(1),
  columns: z.record(z.string(), z.array(z.string())),
});
const Row = z.tuple([z.string(), z.int().nullable(), z.array(z.union([z.string(), z.int(), z.null()]))]);
const End = z.object({ rows: z.int(), hmac: z.string() });
const EarlierEnd = z.object({ rows: z.int(), sha256: z.string() });

/** The lines of a file, each with its line break. @param tables - those that move; Hilo's own, when left out */
export async function* writeCompanyFile(
  header: FileHeader,
  pages: AsyncIterable<readonly FileRow[]>,
  key: Uint8Array,
  tables: readonly MovedTable[] = movedTables,
): AsyncGenerator<string> {
  const digest = createHmac('sha256', key);
  const counted = (line: string): string => {
    digest.update(line);
    return line;
  };
  yield counted(`${JSON.stringify({ hilo: 'company', format, ...header, columns: columnsOf(tables) })}\n`);
  let rows = 0;
  for await (const page of pages) {
    rows += page.length;
    yield counted(page.map(([kind, number, line]) => `["${kind}",${number},${line}]\n`).join(''));
  }
  yield `${writeEnd(rows, digest.digest('hex'))}\n`;
}

const writeEnd = (rows: number, hmac: string): string => JSON.stringify({ rows, hmac });

/**
 * Reads a file from its bytes: the header first, then rows. Rows are only whole once the iteration has ended.
 *
 * @param tables - those that move; Hilo's own, when left out
 * @throws {HttpError} 400 with what is wrong, and in which line
 */
export async function* readCompanyFile(
  bytes: AsyncIterable<Uint8Array>,
  key: Uint8Array,
  tables: readonly MovedTable[] = movedTables,
): AsyncGenerator<FileHeader | FileRow, { readonly rows: number }> {
  const digest = createHmac('sha256', key);
  let companyId = '';
  let number = 0;
  let rows = 0;
  let isOver = false;
  for await (const line of splitLines(bytes)) {
    number += 1;
    if (isOver) throw refuse(number, 'comes after the end');
    const value = parseLine(line, number);
    if (number === 1) {
      const header = parseHeader(value, tables);
      ({ companyId } = header);
      yield header;
    } else if (Array.isArray(value)) {
      rows += 1;
      yield parseRow(value, number, companyId, tables);
    } else {
      const { data: end } = End.safeParse(value);
      if (end === undefined)
        throw EarlierEnd.safeParse(value).success
          ? refuse(number, 'ends with a checksum without a key, as an earlier build wrote it', sameRelease)
          : refuse(number, 'is neither a row nor the end');
      if (end.rows !== rows) throw refuse(number, `says that there are ${end.rows} rows, and there are ${rows}`);
      if (!isSame(end.hmac, digest.digest('hex')))
        throw refuse(
          number,
          'has another checksum than the lines before it: one of them was changed, or the file was written with another HILO_SECRET_KEY',
          'give the file as "hilo move out" wrote it, and run both services with the same HILO_SECRET_KEY',
        );
      if (line !== writeEnd(rows, end.hmac)) throw refuse(number, 'is another end than was written'); // no checksum covers it
      isOver = true;
    }
    if (!isOver) digest.update(line).update('\n');
  }
  if (number === 0) throw invalidRequest(`The file is empty: ${asWritten}`);
  if (!isOver) throw invalidRequest(`The file was cut after line ${number}: export the company again, it can be done any number of times`);
  return { rows };
}

/** A chat's files are in one line each. */
const longestLine = 64_000_000;

/** Each byte is copied once, however the file is cut into chunks. */
async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let parts: Uint8Array[] = [];
  let length = 0;
  const keep = (part: Uint8Array): void => {
    if (part.length > 0) parts.push(part);
    length += part.length;
    if (length > longestLine) throw invalidRequest(`The file has a line of more than 64 MB: ${asWritten}`);
  };
  const takeLine = (): string => {
    const line = Buffer.concat(parts, length);
    [parts, length] = [[], 0];
    try {
      return decoder.decode(line);
    } catch {
      throw invalidRequest(`The file is no text in UTF-8: ${asWritten}`);
    }
  };
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      keep(chunk.subarray(start, end));
      yield takeLine();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (length === 0) return;
  takeLine();
  throw invalidRequest('The file was cut within its last line: export the company again, it can be done any number of times');
}

const lineFeed = 0x0a;

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw refuse(number, 'is no JSON');
  }
}

function parseHeader(value: unknown, tables: readonly MovedTable[]): FileHeader {
  const { data, error } = Header.safeParse(value);
  if (data === undefined) {
    if (error.issues.every(({ path: [field] }) => field === 'format'))
      throw refuse(1, `is of another format than ${format}, which this release reads`, sameRelease);
    throw refuse(1, 'is not the header of a company');
  }
  if (JSON.stringify(data.columns) !== JSON.stringify(columnsOf(tables)))
    throw refuse(
      1,
      'lists other columns than this service keeps',
      'use the same release, with the same resources of your own, on both sides',
    );
  const { companyId, moveId, number } = data;
  return { companyId, moveId, number };
}

function parseRow(value: unknown, number: number, companyId: string, tables: readonly MovedTable[]): FileRow {
  const { data } = Row.safeParse(value);
  if (data === undefined) throw refuse(number, 'is no row');
  const [kind, own, values] = data;
  const table = tables.find(({ name }) => name === kind);
  if (table === undefined) throw refuse(number, `is of "${kind}", which is no table`);
  if (values.length !== listColumns(table).length) throw refuse(number, `has ${values.length} columns, not those of "${kind}"`);
  const isMixed = values.some((one, index) => one !== null && (typeof one === 'string') !== index < table.texts.length);
  if (isMixed) throw refuse(number, `has a text for a number of "${kind}", or a number for a text`);
  const key = table.named?.column ?? 'lane';
  const place = table.texts.indexOf(key);
  const named = place === -1 ? undefined : values[place];
  if (typeof named === 'string' && !isOfCompany(named, companyId, table.named?.before))
    throw refuse(number, `is of another company: "${key}" of "${kind}" does not begin with ${companyId}`);
  const within = findCompanyWithin(kind, companyId, (column) => values[table.texts.indexOf(column)]);
  if (within !== undefined && within !== companyId)
    throw refuse(number, `is of another company: the state of this execution works for company ${within.slice(0, 64)}`);
  return [kind, own, JSON.stringify(values)];
}

/** The company for which an execution works, as its packed state says; `undefined` for another row, and for a state that nobody can read. */
function findCompanyWithin(
  kind: string,
  companyId: string,
  read: (column: string) => string | number | null | undefined,
): string | undefined {
  if (kind !== 'executions') return undefined;
  const [executionId, begun, state] = ['execution_id', 'begun', 'state'].map((column) => String(read(column) ?? ''));
  const named = { companyId, executionId: tryDecode(executionId ?? '') ?? '' };
  return readStateCompany(named, { begun: begun ?? '', state: state ?? '' });
}

/** Whether a key or a lane begins with the company. @param separator - what has to follow the company; a slash where the text has one, else */
function isOfCompany(column: string, companyId: string, separator: '/' | ':' | undefined): boolean {
  const text = tryDecode(column);
  return text !== undefined && (text.startsWith(`${companyId}${separator ?? '/'}`) || (separator === undefined && !text.includes('/')));
}

function tryDecode(column: string): string | undefined {
  try {
    return decodeText(column);
  } catch {
    return undefined;
  }
}

/** Compares in constant time. */
function isSame(given: string, known: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(known)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const asWritten = 'give the file as "hilo move out" wrote it';
const sameRelease = 'use the same release on both sides';

/** @param remedy - what to do about it */
const refuse = (line: number, what: string, remedy = asWritten) => invalidRequest(`Line ${line} ${what}: ${remedy}`);
