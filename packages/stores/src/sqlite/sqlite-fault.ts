import { storeUnavailable } from '../store-error.ts';
import { sqliteReason } from './sqlite-reason.ts';

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
