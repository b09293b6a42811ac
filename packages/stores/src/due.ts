import type { DueWait } from '@hilo/engine/contract';
import { type RowDecoder, readOr } from './row-decoder.ts';
import type { Sharing } from './sharing.ts';
import { call, type Runner } from './statements/call.ts';
import { dueWaits } from './statements/executions.ts';
import { read } from './text-encoding.ts';

/** Waits that are due, in lanes that are now this process's. */
export async function due(
  runner: Runner,
  decoder: RowDecoder,
  { me, claimAll }: Sharing,
  atMs: number,
  limit: number,
): Promise<readonly DueWait[]> {
  for (;;) {
    const rows = await runner.read(call(dueWaits, { atMs, me: me(), limit }));
    const waits: DueWait[] = [];
    for (const row of rows) {
      const wait = readOr(() => ({
        companyId: read(row.company_id),
        executionId: read(row.execution_id),
        lane: read(row.lane),
        waitId: read(row.wait_id ?? ''),
        dueAtMs: row.due_at_ms ?? atMs,
      }));
      if (wait === undefined) await decoder.setAside(row);
      else waits.push(wait);
    }
    if (rows.length === 0 || me() === 0) return waits;
    const claimed = await claimAll([...new Set(waits.map(({ lane }) => lane))]);
    const ours = waits.filter(({ lane }) => claimed.has(lane));
    // Another process was faster with all of them: what it left is looked for again.
    if (ours.length > 0) return ours;
  }
}
