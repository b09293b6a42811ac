import type { HistoryRecord } from '@hilo/engine/contract';

type Line = readonly [HistoryRecord['revision'], HistoryRecord['event'], HistoryRecord['entries']];

/** What one commit records of one execution, as text: its advances, without the names that are the same in all. */
export const historyBody = (records: readonly HistoryRecord[]): string =>
  JSON.stringify(records.map(({ revision, event, entries }): Line => [revision, event, entries]));

/**
 * @param body - what {@link historyBody} gave
 * @throws {SyntaxError} when it is not: a bug wrote it, or a disk
 */
export const historyRecords = (companyId: string, executionId: string, body: string): readonly HistoryRecord[] =>
  (JSON.parse(body) as readonly Line[]).map(([revision, event, entries]) => ({ companyId, executionId, revision, event, entries }));
