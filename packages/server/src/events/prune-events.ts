// Removes deliveries that need not be kept any longer.
import type { DurableStore } from '@hilo/stores';
import { triedForMs } from './deliver-events.ts';
import { deleteEnded, deleteOrphans, parkOld } from './sql.ts';

const dayMs = 86_400_000;
/** How long deliveries are kept after their end, for replays. */
const keptForMs = { delivered: 7 * dayMs, parked: 30 * dayMs };
/** So many are removed at a time. */
const batch = 500;

/** @returns how many were removed */
export async function pruneEvents({ runner }: Pick<DurableStore, 'runner'>, nowMs: number): Promise<number> {
  await runner.write([parkOld({ beforeMs: nowMs - triedForMs, nowMs })]);
  const orphans = deleteOrphans({});
  let removed = (await runner.write([orphans])).rowsOf(orphans).length;
  for (const state of ['delivered', 'parked'] as const) {
    for (let count = batch; count === batch; ) {
      const remove = deleteEnded({ state, beforeMs: nowMs - keptForMs[state], limit: batch });
      count = (await runner.write([remove])).rowsOf(remove).length;
      removed += count;
    }
  }
  return removed;
}
