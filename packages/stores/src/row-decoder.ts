import type { ExecutionRecord, InboxItem } from '@hilo/engine/contract';
import { recordOf, type RecordRow } from './execution-row.ts';
import { queuedOf } from './queue-row.ts';
import { call, type Runner } from './statements/call.ts';
import { setExecutionAside } from './statements/executions.ts';
import { dequeue, setQueuedAside } from './statements/queue.ts';

/**
 * Decodes rows. An unreadable one is quarantined and skipped, so that it is not read again and delays nothing (P17). It stays in the
 * database for inspection.
 */
export interface RowDecoder {
  records(rows: readonly RecordRow[]): Promise<readonly ExecutionRecord[]>;
  /** @returns `undefined` when it was quarantined */
  queued(row: Parameters<typeof queuedOf>[0]): Promise<InboxItem | undefined>;
  /** Sets an execution aside, if it still is at this revision. */
  setAside(row: Pick<RecordRow, 'id' | 'revision'>): Promise<void>;
}

export function createRowDecoder(runner: Runner): RowDecoder {
  const setAside: RowDecoder['setAside'] = async ({ id, revision }) => {
    await runner.write([call(setExecutionAside, { id, revision })]);
  };
  return {
    setAside,
    async records(rows) {
      const records: ExecutionRecord[] = [];
      for (const row of rows) {
        const record = readOr(() => recordOf(row));
        if (record !== undefined) records.push(record);
        else if (row.status !== 'quarantined') await setAside(row);
      }
      return records;
    },
    async queued(row) {
      const queued = readOr(() => queuedOf(row));
      if (queued === undefined) await runner.write([call(setQueuedAside, { seq: row.seq }), call(dequeue, { seq: row.seq })]);
      return queued;
    },
  };
}

/** @returns the decoded value, or `undefined` when decoding throws */
export function readOr<Value>(reading: () => Value): Value | undefined {
  try {
    return reading();
  } catch {
    return undefined;
  }
}
