// Removes jobs that ended long ago, as their executions are removed.
import type { DurableStore } from '@hilo/stores';
import { deleteEndedJobs } from './sql.ts';

/** So many are removed at a time. */
const batch = 500;

/** Removes jobs that ended before an instant. @returns how many */
export async function pruneJobs({ runner }: Pick<DurableStore, 'runner'>, beforeMs: number): Promise<number> {
  for (let removed = 0; ; ) {
    const remove = deleteEndedJobs({ beforeMs, limit: batch });
    const count = (await runner.write([remove])).rowsOf(remove).length;
    removed += count;
    if (count < batch) return removed;
  }
}
