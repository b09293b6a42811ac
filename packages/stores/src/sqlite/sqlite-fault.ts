import { storeUnavailable } from '../store-error.ts';

/** SQLite's primary result codes for what is not the fault of a statement. */
const reasons = {
  3: 'no permission',
  5: 'in use by another process',
  6: 'locked',
  7: 'out of memory',
  8: 'read-only',
  9: 'interrupted',
  10: 'the disk failed',
  11: 'damaged',
  13: 'the disk is full',
  14: 'cannot be opened',
  15: 'locking failed',
  26: 'not a database',
} as const;

type SqliteReason = (typeof reasons)[keyof typeof reasons];

/** Why SQLite itself could not do what it was asked; `undefined` for the fault of a statement, and for any other error. */
export function sqliteReason(error: unknown): SqliteReason | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return (reasons as { readonly [code: number]: SqliteReason | undefined })[error.errcode & 0xff];
}

/** An error of the disk or of another process as `STORE_UNAVAILABLE`; a wrong statement stays the bug that it is. */
export function sqliteFault(error: unknown): unknown {
  const reason = sqliteReason(error);
  if (reason === undefined || !(error instanceof Error)) return error;
  return storeUnavailable(`SQLite: ${reason} (${error.message})`, { cause: error });
}

/** Does something with SQLite. @throws what {@link sqliteFault} makes of its error */
export function withFaults<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw sqliteFault(error);
  }
}
