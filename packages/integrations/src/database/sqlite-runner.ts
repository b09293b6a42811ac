import { createInterface } from 'node:readline';
import { constants, DatabaseSync } from 'node:sqlite';

/**
 * The program of the process in which one call reads or writes an SQLite file: SQLite is synchronous, so only killing its process ends a
 * slow call. Each statement is a line of JSON on stdin, each result one on stdout. The process has access to that file's folder only, and
 * no environment.
 */

const bytesKept = 64 * 1024;

/** The longest text, blob or row that SQLite creates or reads: computed values must not exhaust the machine (P22). */
const maxValueBytes = 16 * 1024 * 1024;

/** The application id of Hilo's own store. */
const ownApplication = 0x48_69_6c_6f;

/**
 * Statements that open other files, or leave something for the next call, which may be another's: an open transaction, which would undo
 * that call's changes when the process ends, and temporary tables, which hide those of the file.
 */
const denied: ReadonlySet<number> = new Set([
  constants.SQLITE_ATTACH,
  constants.SQLITE_DETACH,
  constants.SQLITE_TRANSACTION,
  constants.SQLITE_SAVEPOINT,
  constants.SQLITE_CREATE_TEMP_TABLE,
  constants.SQLITE_CREATE_TEMP_INDEX,
  constants.SQLITE_CREATE_TEMP_VIEW,
  constants.SQLITE_CREATE_TEMP_TRIGGER,
]);

interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly maxRows: number;
  /** By how much the file may grow. */
  readonly growthBytes: number;
}

let database: DatabaseSync | undefined;

const answerLine = (line: string): object => {
  try {
    const asked = JSON.parse(line) as { file: string; readOnly: boolean } | Asked;
    return 'file' in asked ? open(asked) : run(asked);
  } catch (error) {
    const { message, errcode } = error as Error & { readonly errcode?: number };
    return { kind: 'error', message, code: errcode ?? 0 };
  }
};

function open({ file, readOnly }: { file: string; readOnly: boolean }): object {
  database = new DatabaseSync(file, {
    readOnly,
    timeout: 5_000,
    allowExtension: false,
    enableDoubleQuotedStringLiterals: false,
    defensive: true,
    limits: { length: maxValueBytes },
  });
  if (database.prepare('pragma application_id').get()?.['application_id'] === ownApplication) return { kind: 'own-store' };
  // Sorting and grouping stay in the memory of this process, which is limited, and fill no folder of the machine.
  database.exec('pragma temp_store = memory');
  if (!readOnly) database.exec(`pragma journal_size_limit = ${maxValueBytes}`);
  return { kind: 'open' };
}

function authorize(action: number, first: string | null): number {
  const { SQLITE_PRAGMA, SQLITE_DENY, SQLITE_OK } = constants;
  return denied.has(action) || (action === SQLITE_PRAGMA && first !== 'table_xinfo') ? SQLITE_DENY : SQLITE_OK;
}

function run({ text, values, maxRows, growthBytes }: Asked): object {
  if (database === undefined) throw new Error('No file is open');
  database.setAuthorizer(null);
  const [pages, pageBytes] = ['page_count', 'page_size'].map((name) => Number(database?.prepare(`pragma ${name}`).get()?.[name]));
  database.exec(`pragma max_page_count = ${(pages ?? 0) + Math.floor(growthBytes / (pageBytes ?? 1))}`);
  database.setAuthorizer(authorize);
  const statement = database.prepare(text);
  // SQLite parses one statement, and would ignore anything after it.
  if (!/^(?:\s|;|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*$/.test(text.slice(statement.sourceSQL.length))) {
    return { kind: 'error', message: 'There is more than one statement', code: 1 };
  }
  const { places, hasNames } = countPlaces(text);
  if (places !== values.length || hasNames) return { kind: 'places', places, hasNames };
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const bound = values.map(convertToSqlite);
  const names = statement.columns().map(({ name }) => name);
  if (names.length === 0) {
    const { changes, lastInsertRowid } = statement.run(...bound);
    return { kind: 'outcome', names, rows: [], affectedRows: Number(changes), insertId: convertToJson(lastInsertRowid) };
  }
  const rows: unknown[] = [];
  let bytes = 0;
  for (const row of statement.iterate(...bound)) {
    const kept = (row as unknown as readonly unknown[]).map(convertToJson);
    bytes += JSON.stringify(kept).length;
    if (rows.length >= maxRows || bytes > bytesKept) return { kind: 'too-large' };
    rows.push(kept);
  }
  return { kind: 'outcome', names, rows, affectedRows: rows.length };
}

/** More than any statement can have. */
const maxPlaces = 32_766;

/**
 * How many parameters a statement has, and whether some have names. SQLite binds a missing value as null, and refuses an excess one: so
 * the number is found by trying on EXPLAIN, which never runs the statement.
 */
function countPlaces(text: string): { readonly places: number; readonly hasNames: boolean } {
  const isExplained = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*explain\b/i.test(text);
  const program = database?.prepare(isExplained ? text : `explain ${text}`);
  const takes = (count: number): boolean => {
    try {
      program?.get(...Array.from({ length: count }, () => null));
      return true;
    } catch {
      return false;
    }
  };
  let [places, tooMany] = [0, maxPlaces + 1];
  for (let step = 1; places + step < tooMany; step *= 2) {
    if (takes(places + step)) places += step;
    else tooMany = places + step;
  }
  while (tooMany - places > 1) {
    const middle = Math.floor((places + tooMany) / 2);
    if (takes(middle)) places = middle;
    else tooMany = middle;
  }
  // Named parameters never get values; but each has a number too.
  const last = Math.max(
    0,
    ...(program?.all(...Array.from({ length: places }, () => null)) ?? []).map(({ opcode, p1 }) =>
      opcode === 'Variable' ? Number(p1) : 0,
    ),
  );
  return { places, hasNames: last > places };
}

function convertToSqlite(value: unknown): string | number | bigint | null {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string' || value === null) return value;
  return JSON.stringify(value);
}

function convertToJson(value: unknown): unknown {
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
  process.stdout.write(`${JSON.stringify(answerLine(line))}\n`);
});
