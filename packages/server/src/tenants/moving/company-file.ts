import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidRequest } from '../../platform/http/errors.ts';
import { listColumns, movedTables } from './moved-tables.ts';

// A company on its way is a file of JSON lines: a header, a line for each row, and an end with the number of rows and the SHA-256 of all
// before it. A file that was cut or changed is refused as a whole.

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

/** Grows when an older release could not read it. */
const format = 1;

/** The columns of each table: two releases that keep other ones do not understand each other's rows. */
const columns: { readonly [table: string]: readonly string[] } = Object.fromEntries(
  movedTables.map((table) => [table.name, listColumns(table)]),
);

const Header = z.object({
  hilo: z.literal('company'),
  format: z.literal(format),
  companyId: z.string().regex(/^\d{1,16}$/),
  moveId: z.string().regex(/^[0-9a-f]{32}$/),
  number: z.int().min(1),
  columns: z.record(z.string(), z.array(z.string())),
});
const Row = z.tuple([z.string(), z.int().nullable(), z.array(z.union([z.string(), z.int(), z.null()]))]);
const End = z.object({ rows: z.int(), sha256: z.string() });

/** The lines of a file, each with its line break. */
export async function* writeCompanyFile(header: FileHeader, pages: AsyncIterable<readonly FileRow[]>): AsyncGenerator<string> {
  const digest = createHash('sha256');
  const counted = (line: string): string => {
    digest.update(line);
    return line;
  };
  yield counted(`${JSON.stringify({ hilo: 'company', format, ...header, columns })}\n`);
  let rows = 0;
  for await (const page of pages) {
    rows += page.length;
    yield counted(page.map(([kind, number, line]) => `["${kind}",${number},${line}]\n`).join(''));
  }
  yield `${JSON.stringify({ rows, sha256: digest.digest('hex') })}\n`;
}

/**
 * Reads a file from its bytes: the header first, then rows. Rows are only whole once the iteration has ended.
 *
 * @throws {HttpError} 400 with what is wrong, and in which line
 */
export async function* readCompanyFile(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FileHeader | FileRow, { readonly rows: number }> {
  const digest = createHash('sha256');
  let number = 0;
  let rows = 0;
  let isOver = false;
  for await (const line of splitLines(bytes)) {
    number += 1;
    if (isOver) throw refuse(number, 'comes after the end');
    const value = parseLine(line, number);
    if (number === 1) yield parseHeader(value);
    else if (Array.isArray(value)) {
      rows += 1;
      yield parseRow(value, number);
    } else {
      const { data: end } = End.safeParse(value);
      if (end === undefined) throw refuse(number, 'is neither a row nor the end');
      if (end.rows !== rows) throw refuse(number, `says that there are ${end.rows} rows, and there are ${rows}`);
      if (end.sha256 !== digest.digest('hex'))
        throw refuse(number, 'has another checksum than the lines before it, one of which was changed');
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

async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw invalidRequest(`The file is no text in UTF-8: ${asWritten}`);
    }
  };
  for await (const chunk of bytes) {
    const parts = (rest + decode(chunk)).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > longestLine) throw invalidRequest(`The file has a line of more than 64 MB: ${asWritten}`);
    yield* parts;
  }
  rest += decode();
  if (rest !== '')
    throw invalidRequest('The file was cut within its last line: export the company again, it can be done any number of times');
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw refuse(number, 'is no JSON');
  }
}

function parseHeader(value: unknown): FileHeader {
  const { data, error } = Header.safeParse(value);
  if (data === undefined) {
    if (error.issues.every(({ path: [field] }) => field === 'format'))
      throw refuse(1, `is of another format than ${format}, which this release reads`, sameRelease);
    throw refuse(1, 'is not the header of a company');
  }
  if (JSON.stringify(data.columns) !== JSON.stringify(columns)) throw refuse(1, 'lists other columns than this release keeps', sameRelease);
  const { companyId, moveId, number } = data;
  return { companyId, moveId, number };
}

function parseRow(value: unknown, number: number): FileRow {
  const { data } = Row.safeParse(value);
  if (data === undefined) throw refuse(number, 'is no row');
  const [kind, own, values] = data;
  const table = movedTables.find(({ name }) => name === kind);
  if (table === undefined) throw refuse(number, `is of "${kind}", which is no table`);
  if (values.length !== listColumns(table).length) throw refuse(number, `has ${values.length} columns, not those of "${kind}"`);
  const isMixed = values.some((one, index) => one !== null && (typeof one === 'string') !== index < table.texts.length);
  if (isMixed) throw refuse(number, `has a text for a number of "${kind}", or a number for a text`);
  return [kind, own, JSON.stringify(values)];
}

const asWritten = 'give the file as "hilo move out" wrote it';
const sameRelease = 'use the same release on both sides';

/** @param remedy - what to do about it */
const refuse = (line: number, what: string, remedy = asWritten) => invalidRequest(`Line ${line} ${what}: ${remedy}`);
