import type { HistoryEntry } from '../contract/execution.ts';
import type { Json } from '../contract/json.ts';
import type { HistoryRecord } from '../contract/store.ts';
import type { Write } from '../contract/variables.ts';

/**
 * A history record in one list without names: `[the record before it, revision, event, …lines]`. A line is `what it has in common with those
 * of other executions, visitNumber, …values`, or an entry as it is, where it says more than that. Nearly all that an in-memory store keeps are
 * lines of visits: as objects, with their writes and instants, they are several times the memory, and the work of the garbage collector is
 * the memory that is kept.
 */
export type PackedRecord = readonly unknown[];

/** What the lines of many executions have in common. */
class CommonLine {
  readonly nodeId: string;
  readonly type: string;
  readonly port: string;
  /** What was written to; `undefined` where the entry has no list of writes. */
  readonly paths: readonly Write['path'][] | undefined;

  constructor(entry: Line) {
    this.nodeId = entry.nodeId;
    this.type = entry.type;
    this.port = entry.port;
    this.paths = entry.writes?.map(({ path }) => path);
  }
}

type Line = HistoryEntry & { readonly port: string };

/** So many common lines of one node are looked for: more than it has ports, unless it writes to places that its users name. */
const maxCommon = 8;

/** Makes the function that packs the records of a store, each behind the one before it. */
export function createPacker(): (record: HistoryRecord, before: PackedRecord | undefined) => PackedRecord {
  const byNode = new Map<string, readonly CommonLine[]>();

  const findCommon = (entry: Line): CommonLine => {
    const known = byNode.get(entry.nodeId) ?? [];
    for (const one of known) if (isAsIn(one, entry)) return one;
    const common = new CommonLine(entry);
    if (known.length < maxCommon) byNode.set(entry.nodeId, [...known, common]);
    return common;
  };

  return ({ revision, event, entries }, before) => {
    let size = 3;
    for (const { writes } of entries) size += 2 + (writes?.length ?? 0);
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
      list[end++] = findCommon(entry);
      list[end++] = entry.visitNumber;
      if (entry.writes !== undefined) for (const { value } of entry.writes) list[end++] = value;
    }
    list.length = end;
    return list;
  };
}

function isAsIn({ type, port, paths }: CommonLine, entry: Line): boolean {
  const { writes } = entry;
  if (port !== entry.port || type !== entry.type || paths?.length !== writes?.length) return false;
  return paths === undefined || paths.every((path, index) => isSamePath(path, writes?.[index]?.path ?? []));
}

const isSamePath = (path: Write['path'], other: Write['path']): boolean =>
  path === other || (path.length === other.length && path.every((step, index) => step === other[index]));

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
    const common = list[at];
    if (!(common instanceof CommonLine)) {
      entries.push(common as HistoryEntry);
      at += 1;
      continue;
    }
    const { nodeId, type, port, paths } = common;
    const line = { at: event.atMs, nodeId, visitNumber: list[at + 1] as number, type, port };
    const first = at + 2;
    const writes = paths?.map((path, index): Write => ({ path, value: list[first + index] as Json }));
    entries.push(writes === undefined ? line : { ...line, writes });
    at = first + (paths?.length ?? 0);
  }
  return { companyId, executionId, revision, event, entries };
}

/** Whether an entry is a plain visit, without further fields. */
function isLine(entry: HistoryEntry, atMs: number): entry is Line {
  const { at, port, writes } = entry;
  if (at !== atMs || port === undefined) return false;
  if (writes !== undefined) for (const write of writes) if (!('value' in write) || 'ttlMs' in write) return false;
  let names = 0;
  for (const _name in entry) names += 1;
  return names === (writes === undefined ? 5 : 6);
}
