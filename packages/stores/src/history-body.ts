import type { HistoryRecord } from '@hilo/engine/contract';
import { createPacker, createUnpacker, type Packer, type Unpacker } from './packed.ts';

type Line = readonly [HistoryRecord['revision'], HistoryRecord['event'], HistoryRecord['entries']];

/** Whose execution it is: what stands beside all that is packed of it. */
interface Named {
  readonly companyId: string;
  readonly executionId: string;
}

export const packerOf = ({ executionId, companyId }: Named): Packer => createPacker([executionId, companyId]);

export const unpackerOf = ({ executionId, companyId }: Named): Unpacker => createUnpacker([executionId, companyId]);

/** What one commit records of one execution, as text: its advances, without the names that are the same in all. */
export const historyBody = (records: readonly HistoryRecord[], packer: Packer): string =>
  packer.pack(records.map(({ revision, event, entries }): Line => [revision, event, entries]));

/**
 * @param body - what {@link historyBody} gave
 * @throws {SyntaxError} when it is not: a bug wrote it, or a disk
 */
export function historyRecords({ companyId, executionId }: Named, body: string): readonly HistoryRecord[] {
  const lines = unpackerOf({ companyId, executionId }).unpack(body) as readonly Line[];
  return lines.map(([revision, event, entries]) => ({ companyId, executionId, revision, event, entries }));
}
