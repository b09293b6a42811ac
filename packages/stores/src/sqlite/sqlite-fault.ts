import { StoreUnavailable } from '../store-unavailable.ts';

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

type Reason = (typeof reasons)[keyof typeof reasons];

/** What SQLite itself could not do. */
export class SqliteFault extends StoreUnavailable {
  readonly reason: Reason;

  constructor(reason: Reason, cause: Error) {
    super(`SQLite: ${reason} (${cause.message})`, { cause });
    this.reason = reason;
  }
}

/** An error of the disk or of another process as what it is; a wrong statement stays the bug that it is. */
export function sqliteFault(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error;
  const reason = (reasons as { readonly [code: number]: Reason | undefined })[error.errcode & 0xff];
  return reason === undefined ? error : new SqliteFault(reason, error);
}
