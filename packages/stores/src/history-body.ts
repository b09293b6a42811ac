import type { HistoryRecord } from '@hilo/engine/contract';
import { createUnpacker, Packer, type Unpacker } from './packed.ts';

type Line = readonly [HistoryRecord['revision'], HistoryRecord['event'], HistoryRecord['entries']];

/** The owner of an execution, which is beside everything packed of it. */
interface Named {
  readonly companyId: string;
  readonly executionId: string;
}

export const packerOf = ({ executionId, companyId }: Named): Packer => new Packer([executionId, companyId]);

export const unpackerOf = ({ executionId, companyId }: Named): Unpacker => createUnpacker([executionId, companyId]);

/** One commit's records of one execution, as text: its advances, without the keys that all share. */
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
