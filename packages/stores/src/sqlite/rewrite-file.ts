// Writes a database file anew, so that nothing that was removed can be read in it any more.
import type { Connection } from './connection.ts';

/** How often the log is tried to be emptied, and the pause in between: another thread may be moving pages of it. */
const tries = { count: 200, pauseMs: 20 };

/**
 * Rewrites the file and empties its log. Measured: without this, thousands of removed texts are found in free pages and in free places of
 * used ones; `secure_delete` leaves those that a page kept when its rows moved to another, and costs every write.
 *
 * @throws errors of SQLite unchanged; an error when somebody else reads the log all the time
 */
export function rewriteFile(connection: Connection): void {
  connection.once('vacuum');
  for (let tried = 0; tried < tries.count; tried += 1) {
    const [state] = connection.run('pragma wal_checkpoint(truncate)') as readonly { readonly busy: number }[];
    if (state?.busy !== 1) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, tries.pauseMs);
  }
  throw new Error('SQLite: the log could not be emptied, since another program reads it: close what has the file open');
}
