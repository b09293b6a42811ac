import { StoreUnavailable } from '../store-unavailable.ts';
import { type SqliteReason, sqliteReason } from './sqlite-reason.ts';

/** What SQLite itself could not do. */
export class SqliteFault extends StoreUnavailable {
  readonly reason: SqliteReason;

  constructor(reason: SqliteReason, cause: Error) {
    super(`SQLite: ${reason} (${cause.message})`, { cause });
    this.reason = reason;
  }
}

/** An error of the disk or of another process as what it is; a wrong statement stays the bug that it is. */
export function sqliteFault(error: unknown): unknown {
  const reason = sqliteReason(error);
  return reason === undefined || !(error instanceof Error) ? error : new SqliteFault(reason, error);
}

/** Does something with SQLite. @throws what {@link sqliteFault} makes of its error */
export function withFaults<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw sqliteFault(error);
  }
}
