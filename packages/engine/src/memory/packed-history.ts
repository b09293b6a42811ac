import type { HistoryEntry } from '../contract/execution.ts';
import type { Json } from '../contract/json.ts';
import type { HistoryRecord } from '../contract/store.ts';
import type { Write } from '../contract/variables.ts';

/**
 * A history record in one list without names: `[the record before it, revision, event, …lines]`. A line is `nodeId, visitNumber, type, port, number of
 * writes, …path, value`, or an entry as it is, where it says more than that. Nearly all that an in-memory store keeps are lines of
 * visits: as objects, with their writes and instants, they are twice the memory, and the garbage collector has three times the work.
 */
export type PackedRecord = readonly unknown[];

/** Packs a record behind the one before it. */
export function pack({ revision, event, entries }: HistoryRecord, before: PackedRecord | undefined): PackedRecord {
  let size = 3;
  for (const entry of entries) size += isLine(entry, event.atMs) ? 5 + 2 * (entry.writes?.length ?? 0) : 1;
  const list: unknown[] = [];
  list.length = size; // one that grows is copied again and again, and keeps what it does not need
  list[0] = before;
  list[1] = revision;
  list[2] = event;
  let end = 3;
  for (const entry of entries) {
    if (!isLine(entry, event.atMs)) {
      list[end++] = entry;
      continue;
    }
    const { nodeId, visitNumber, type, port, writes } = entry;
    list[end++] = nodeId;
    list[end++] = visitNumber;
    list[end++] = type;
    list[end++] = port;
    list[end++] = writes === undefined ? noWrites : writes.length;
    if (writes === undefined) continue;
    for (const { path, value } of writes) {
      list[end++] = path;
      list[end++] = value;
    }
  }
  return list;
}

type Whose = Pick<HistoryRecord, 'companyId' | 'executionId'>;

/** The records up to the last of an execution, the first of them first. */
export function unpack(whose: Whose, last: PackedRecord | undefined): readonly HistoryRecord[] {
  const records: HistoryRecord[] = [];
  for (let list = last; list !== undefined; list = list[0] as PackedRecord | undefined) records.push(unpackRecord(whose, list));
  return records.reverse();
}

function unpackRecord({ companyId, executionId }: Whose, list: PackedRecord): HistoryRecord {
  const [, revision, event] = list as readonly [unknown, number, HistoryRecord['event']];
  const entries: HistoryEntry[] = [];
  for (let at = 3; at < list.length; ) {
    if (typeof list[at] !== 'string') {
      entries.push(list[at] as HistoryEntry);
      at += 1;
      continue;
    }
    const [nodeId, visitNumber, type, port, count] = list.slice(at, at + 5) as [string, number, string, string, number];
    const line = { at: event.atMs, nodeId, visitNumber, type, port };
    const values = list.slice(at + 5, at + 5 + 2 * Math.max(0, count));
    entries.push(count === noWrites ? line : { ...line, writes: unpackWrites(values) });
    at += 5 + values.length;
  }
  return { companyId, executionId, revision, event, entries };
}

const noWrites = -1;

/** Whether an entry is a plain visit, without further fields. */
function isLine(entry: HistoryEntry, atMs: number): boolean {
  const { at, port, writes } = entry;
  if (at !== atMs || port === undefined) return false;
  if (writes !== undefined) for (const write of writes) if (!('value' in write) || 'ttlMs' in write) return false;
  let names = 0;
  for (const _name in entry) names += 1;
  return names === (writes === undefined ? 5 : 6);
}

const unpackWrites = (values: readonly unknown[]): readonly Write[] =>
  Array.from({ length: values.length / 2 }, (_, index) => ({
    path: values[2 * index] as Write['path'],
    value: values[2 * index + 1] as Json,
  }));
