// Sessions with files of SQLite.
import { DriverError } from '@hilo/drivers';
import { type DatabaseError, type DatabaseErrorCode, placesProblem } from '@hilo/drivers/kit';
import { type DatabaseCredential, maxResultBytes, type SqliteLimits } from './database-credential.ts';
import { type ColumnKind, type Dialect, type Opening, type Outcome, type Session, type Statement, readTable } from './session.ts';
import { bytesBelow, fileBelow } from './sqlite-file.ts';
import { folderFull, type SqliteAnswer } from './sqlite-process.ts';
import type { SqliteProcesses } from './sqlite-processes.ts';

type Credential = Extract<DatabaseCredential, { readonly kind: 'sqlite' }>;

const dialect: Dialect = { quote: (name) => `"${name.replaceAll('"', '""')}"`, place: () => '?', returns: true };

/** How SQLite files are located and opened. */
export interface SqliteParts {
  /** Where a company's files are; none are served where left out. */
  readonly directory: ((companyId: string) => string) | undefined;
  readonly processes: SqliteProcesses;
  readonly limits: SqliteLimits;
}

/** Opens a file in a process that is used by no other call meanwhile. @throws {DriverError} */
export async function openSqlite({ file }: Credential, { directory, processes, limits }: SqliteParts, opening: Opening): Promise<Session> {
  const { signal, readOnly, companyId } = opening;
  const folder = directory?.(companyId);
  const path = await fileBelow(folder, file);
  const { process, isNew } = processes.borrow(path, readOnly);
  signal.addEventListener('abort', process.end, { once: true });
  if (signal.aborted) process.end();
  const end = (): void => {
    signal.removeEventListener('abort', process.end);
    processes.giveBack(process);
  };
  /** How much one statement may add to its file: the maximum of concurrent statements fits into the rest of the folder. */
  const growth = async (): Promise<number> => {
    if (readOnly || folder === undefined) return 0;
    return Math.max(0, Math.floor((limits.folderBytes - (await bytesBelow(folder))) / limits.atOnce));
  };
  const ask = async ({ text, values }: Statement, maxRows: number): Promise<Outcome> => {
    const answer = await process.say({ text, values, maxRows, growthBytes: await growth() });
    if (answer.kind === 'outcome') return answer;
    if (answer.kind === 'places') throw placesFailure(answer, values.length);
    throw answer.kind === 'error' && answer.code === fileFull ? folderFull(limits) : convertError(answer);
  };

  try {
    const opened = isNew ? await process.say({ file: path, readOnly }) : undefined;
    if (opened !== undefined && opened.kind !== 'open') throw convertError(opened);
  } catch (error) {
    process.end();
    end();
    throw error;
  }
  return {
    dialect,
    async table(name) {
      const { rows } = await ask({ text: selectColumns, values: [name] }, 2_000);
      return readTable(rows, classifyColumn);
    },
    run: ask,
    end,
  };
}

const selectColumns = `select x.name, x.type, x.pk from sqlite_schema s join pragma_table_xinfo(s.name) x
  where s.name = ? and s.type in ('table', 'view') and x.hidden <> 1 order by x.cid`;

/** By SQLite's own rules of affinity. */
function classifyColumn(type: string): ColumnKind {
  if (/int|real|floa|doub|num|dec/i.test(type)) return 'number';
  if (/char|clob|text/i.test(type)) return 'text';
  return /json/i.test(type) ? 'json' : 'other';
}

/** SQLITE_FULL: the file has its maximum of pages, or the disk is full. */
const fileFull = 13;

/** The failure of a statement that has other places for values than there are values. */
function placesFailure({ places, hasNames }: Extract<SqliteAnswer, { readonly kind: 'places' }>, given: number): DatabaseError {
  const what = hasNames ? 'The statement has places with names: write "?" for each value' : placesProblem(places, given);
  return new DriverError('invalid', what, { isAnswer: true });
}

function convertError(answer: SqliteAnswer): DatabaseError {
  switch (answer.kind) {
    case 'own-store':
      return new DriverError('refused', 'This file holds Hilo’s own data, which no canvas reaches');
    case 'too-large':
      return new DriverError('too-large', `There are more rows than requested, or more than ${maxResultBytes} bytes of them`);
    case 'error':
      return new DriverError(classifyError(answer.code), answer.message, { nativeCode: `SQLITE_${answer.code}`, isAnswer: true });
    default:
      return new DriverError('failed', 'The file returned an invalid answer');
  }
}

/** By SQLite's primary result codes. */
function classifyError(code: number): DatabaseErrorCode {
  switch (code & 0xff) {
    case 19:
      return 'constraint';
    case 8:
      return 'read-only';
    case 18:
      return 'too-large';
    case 5:
    case 6:
      return 'unreachable'; // busy, locked
    case 3:
    case 14:
    case 23:
    case 26:
      return 'refused'; // rights, no file, not authorized, no database
    default:
      return 'failed';
  }
}
