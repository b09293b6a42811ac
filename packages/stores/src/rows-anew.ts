// Writes the rows of a store that are of the first format anew, in that of this release. They would be read for ever, and written anew when
// their executions advance; this does it for all of them, so that a later release, and whoever looks into the database, finds one format.
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { parseJsonText } from '@hilo/engine/contract';
import { isFirstFormat } from './row-text.ts';
import { createRow, historyRecords, readOr, readRecord, type RecordRow } from './rows.ts';
import { RowWriter } from './row-writer.ts';
import { call, type Call, type Runner } from './statements/call.ts';
import { executionsAfter, historiesOf, rewriteExecution, rewriteHistory } from './statements/rows-anew.ts';
import { decodeText } from './text-encoding.ts';

/** So many executions are read, and written in one transaction: others are served in between. */
const batch = 200;

/** What became of the rows of a store. */
export interface RowsAnew {
  /** Executions that were read: all of the store. */
  readonly executions: number;
  /** Rows that were written anew: of executions, and of their histories. */
  readonly rewritten: number;
  /** Rows of the first format that cannot be read, or would not read as before: they stay as they are. */
  readonly unreadable: number;
}

/**
 * Writes all rows of the first format in the present one. What is written is read back first, and stays as it was where one value differs. A
 * row that another process advances meanwhile is that process's: it writes it anew itself. May be stopped and begun again at any time.
 *
 * @param onProgress - is told, after each batch, how many executions have been read
 */
export async function rewriteRows(runner: Runner, onProgress: (executions: number) => void = () => {}): Promise<RowsAnew> {
  let [executions, rewritten, unreadable] = [0, 0, 0];
  for (let after = 0; ; ) {
    const page = await runner.read(call(executionsAfter, { after, limit: batch }));
    const last = page.at(-1);
    if (last === undefined) return { executions, rewritten, unreadable };
    const histories = await runner.readEach(page.map(({ id, lane }) => call(historiesOf, { id, lane })));
    const found = page.flatMap((row, at) => [rewriteOf(row), ...(histories[at] ?? []).map((one) => rewriteOfHistory(row, one))]);
    const writes = found.filter((one) => typeof one === 'object');
    const { rowsOf } = await runner.write(writes);
    executions += page.length;
    rewritten += writes.filter((one) => rowsOf(one).length > 0).length;
    unreadable += found.filter((one) => one === 'unreadable').length;
    onProgress(executions);
    after = last.id;
    await turn();
  }
}

/** A write; `current` where the row is of the present format. */
type Rewrite = Call | 'current' | 'unreadable';

const namedOf = ({ company_id, execution_id }: RecordRow) => ({ companyId: decodeText(company_id), executionId: decodeText(execution_id) });

function rewriteOf(row: RecordRow): Rewrite {
  const isStateOld = isFirstFormat(row.state);
  if (!isStateOld && (row.begun === null || !isFirstFormat(row.begun))) return 'current';
  const before = readOr(() => contentOf(row));
  if (before === undefined) return 'unreadable';
  const { company_id, execution_id, lane, revision } = row;
  const { begun, state } = isStateOld
    ? createRow(before.record, before.begun)
    : { begun: new RowWriter(namedOf(row)).history(before.begun), state: row.state };
  const after = readOr(() => contentOf({ ...row, begun, state }));
  if (!isSame(before, after)) return 'unreadable';
  return call(rewriteExecution, { company_id, execution_id, lane, revision, begun, state });
}

const contentOf = (row: RecordRow) => ({
  record: readRecord(row),
  begun: row.begun === null ? [] : historyRecords(namedOf(row), row.begun),
});

function rewriteOfHistory(row: RecordRow, { id, body: old }: { readonly id: number; readonly body: string }): Rewrite {
  if (!isFirstFormat(old)) return 'current';
  const named = namedOf(row);
  const records = readOr(() => historyRecords(named, old));
  if (records === undefined) return 'unreadable';
  const body = new RowWriter(named).history(records);
  if (
    !isSame(
      records,
      readOr(() => historyRecords(named, body)),
    )
  )
    return 'unreadable';
  return call(rewriteHistory, { lane: row.lane, execution: row.id, id, body });
}

/** Whatever JSON says of both: a field without a value has no place in it. */
const isSame = (before: unknown, after: unknown): boolean => after !== undefined && isDeepStrictEqual(asJson(before), asJson(after));

const asJson = (value: unknown): unknown => parseJsonText(JSON.stringify(value));
