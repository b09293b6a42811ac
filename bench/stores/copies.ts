import type { Commit, ExecutionRecord, HistoryRecord } from '../../packages/engine/src/contract/index.ts';
import type { Progress } from '../progress.ts';

/** As many are written in one commit. */
const together = 500;

/** Writes copies of an execution, each with an id and a history of its own. */
export async function writeCopies(
  commit: (commit: Commit) => unknown,
  record: ExecutionRecord,
  history: readonly HistoryRecord[],
  count: number,
  progress: Progress,
): Promise<void> {
  const text = JSON.stringify({ record: { ...record, revision: 1 }, history });
  for (let from = 1; from < count; from += together) {
    progress.say(`${from} of ${count} written`);
    const copies = Array.from({ length: Math.min(together, count - from) }, (_, index) => {
      const id = (from + index).toString(16).padStart(12, '0');
      const copy = text.replaceAll(record.executionId, record.executionId.slice(0, -12) + id);
      return JSON.parse(copy) as { readonly record: ExecutionRecord; readonly history: readonly HistoryRecord[] };
    });
    await commit({
      saves: copies.map((copy) => copy.record),
      history: copies.flatMap((copy) => copy.history),
      contacts: [],
      enqueue: [],
      dequeue: [],
    });
  }
}
