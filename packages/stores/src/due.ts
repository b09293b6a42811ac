import type { DueWait } from '@hilo/engine/contract';
import { type RowDecoder, readOr } from './row-decoder.ts';
import type { Sharing } from './sharing.ts';
import { call, type Runner } from './statements/call.ts';
import { decodeText } from './text-encoding.ts';

/** Waits that are due, in lanes that are this process's. */
export async function due(
  runner: Runner,
  decoder: RowDecoder,
  { me, questions }: Sharing,
  atMs: number,
  limit: number,
): Promise<readonly DueWait[]> {
  const waits: DueWait[] = [];
  for (const row of await runner.read(call(questions.dueWaits, { atMs, me: me(), limit }))) {
    const wait = readOr(() => ({
      companyId: decodeText(row.company_id),
      executionId: decodeText(row.execution_id),
      lane: decodeText(row.lane),
      waitId: decodeText(row.wait_id ?? ''),
      dueAtMs: row.due_at_ms ?? atMs,
    }));
    if (wait === undefined) await decoder.setAside(row);
    else waits.push(wait);
  }
  return waits;
}
