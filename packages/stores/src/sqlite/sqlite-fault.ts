import { StoreError, storeUnavailable } from '../store-error.ts';
import { sqliteReason } from './sqlite-reason.ts';

/** SQLITE_CONSTRAINT_TRIGGER: a trigger of an extension refuses the row for now. */
const refusedByTrigger = 1811;

/** An error of the disk, of another process or of a trigger as `STORE_UNAVAILABLE`; a wrong statement stays the bug that it is. */
export function sqliteFault(error: unknown): unknown {
  const isRefused = error instanceof Error && 'errcode' in error && error.errcode === refusedByTrigger;
  const reason = isRefused ? 'refused for now' : sqliteReason(error);
  if (reason === undefined || !(error instanceof Error)) return error;
  return storeUnavailable(`SQLite: ${reason} (${error.message})`, { cause: error });
}

/** What an operator can do about a file that is not opened. */
const remedies: { readonly [reason: string]: string } = {
  'the disk is full': 'make room on it',
  'the disk failed or is full': 'make room on it, or look at whether it is sound',
  'no permission': 'let this user read and write it',
  'read-only': 'let this user write it',
  'cannot be opened': 'let this user read and write it, and its directory',
};

/** The refusal to open a file, with what to do about it. @param fault - what {@link sqliteFault} made of the error */
export function unreachable(place: string, error: unknown, fault: Error): StoreError {
  const remedy = remedies[sqliteReason(error) ?? ''];
  const reason = remedy === undefined ? fault.message : `${fault.message}: ${remedy}`;
  return new StoreError('STORE_UNREACHABLE', { place, reason }, { cause: fault });
}

/** Does something with SQLite. @throws what {@link sqliteFault} makes of its error */
export function withFaults<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw sqliteFault(error);
  }
}
