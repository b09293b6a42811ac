import { basename } from 'node:path';
import { StoreRefused } from '../store-refused.ts';
import { behind, commitNumber } from './commit-number.ts';
import { type Connection, connectAside } from './connection.ts';
import { type LogNumbers, logNumbers } from './log-numbers.ts';
import { inMemory } from './prepare-file.ts';
import { SqliteFault } from './sqlite-fault.ts';

/**
 * Makes sure, before SQLite puts a file and its log together, that the log goes on where the file ends, and that nothing
 * is missing at its end: SQLite would write the pages of any log into any file, and forget what it cannot read.
 *
 * @param known - the number of the last commit that the witness knows of
 * @throws {StoreRefused} `STORE_DAMAGED`
 */
export function checkOnDisk(path: string, known: number | undefined): void {
  if (path === inMemory) return;
  const file = readAside(path, true, commitNumber);
  if (file === undefined || file === 0) return; // what it is, SQLite says
  const log = logNumbers(path);
  const finding = findingOf(path, file, log, known);
  // Another process may be at work in both: whoever opens it then is told so.
  if (finding === undefined || readAside(path, false, commitNumber) === 'in use') return;
  throw new StoreRefused('STORE_DAMAGED', { place: path, finding });
}

/**
 * Makes sure that nothing is missing of what the witness knows to have been committed.
 *
 * @param number - of the last commit there is; 0 when there is none
 * @throws {StoreRefused} `STORE_DAMAGED`
 */
export function checkNothingMissing(path: string, number: number, known: number | undefined): void {
  if (isMissing(number, known)) throw new StoreRefused('STORE_DAMAGED', { place: path, finding: missing(path) });
}

function findingOf(path: string, file: number | 'in use', log: LogNumbers | undefined, known: number | undefined): string | undefined {
  if (file === 'in use') return undefined;
  if (log !== undefined && log.first !== 0 && !isOneStory(file, log))
    return `the log ${basename(path)}-wal does not belong to this file: one of the two was replaced`;
  return isMissing(log?.last ?? file, known) ? missing(path) : undefined;
}

/** The log begins right after the file, or the file has some of it already. */
const isOneStory = (file: number, { first, last }: LogNumbers): boolean => behind(first, file) >= -1 && behind(file, last) >= 0;

const isMissing = (number: number, known: number | undefined): boolean =>
  known !== undefined && (number === 0 || behind(known, number) < 0);

function missing(path: string): string {
  const name = basename(path);
  return `commits are missing that were acknowledged: ${name} or ${name}-wal was removed, cut off or replaced by an older one; \
where that was on purpose, remove ${name}-witness too`;
}

/** @returns what is read from the file without writing anything, or nothing when it cannot be */
function readAside<Result>(path: string, isFileAlone: boolean, read: (connection: Connection) => Result): Result | 'in use' | undefined {
  let connection: Connection | undefined;
  try {
    connection = connectAside(path, isFileAlone);
    return read(connection);
  } catch (error) {
    return error instanceof SqliteFault && (error.reason === 'in use by another process' || error.reason === 'locked')
      ? 'in use'
      : undefined;
  } finally {
    connection?.close();
  }
}
