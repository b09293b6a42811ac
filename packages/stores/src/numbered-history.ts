// Reads a history with the places of its records: what counts each record once needs to know which of them it has not seen.
import type { HistoryRecord } from '@hilo/engine/contract';
import { historyRecords, readOr } from './rows.ts';
import { call, type Runner } from './statements/call.ts';
import { selectHistory } from './statements/executions.ts';
import { encodeText } from './text-encoding.ts';

/** An execution with all that it did. */
export interface NumberedHistory {
  readonly status: string;
  /** In order; `position` is the number of its row among the histories, 0 for a record in the row of the execution. Unreadable ones are left out. */
  readonly records: readonly { readonly record: HistoryRecord; readonly position: number }[];
}

/**
 * Reads a history and the status after it at one moment.
 *
 * @returns `undefined` when there is no such execution
 */
export async function readNumberedHistory(
  runner: Pick<Runner, 'read'>,
  named: { readonly companyId: string; readonly executionId: string },
): Promise<NumberedHistory | undefined> {
  const given = { companyId: encodeText(named.companyId), executionId: encodeText(named.executionId) };
  const rows = await runner.read(call(selectHistory, given));
  const [first] = rows;
  if (first === undefined) return undefined;
  const records = rows.flatMap(({ body, position }) =>
    body === null ? [] : (readOr(() => historyRecords(named, body)) ?? []).map((record) => ({ record, position })),
  );
  return { status: first.status, records };
}
