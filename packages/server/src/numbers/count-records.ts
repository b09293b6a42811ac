// What an execution did, as counts: a pure fold over its history, of which each record is counted once whenever that is.
import type { HistoryRecord, Origin } from '@hilo/engine/contract';
import type { countKinds } from '../platform/tables/numbers.ts';

/** A record of a history, and whether it is to be counted now. */
export interface CountedRecord {
  readonly record: HistoryRecord;
  readonly isNew: boolean;
}

/** A published version. */
export interface CountedVersion {
  readonly workflowId: string;
  readonly version: number;
}

/** One thing that happened. */
export interface Count extends CountedVersion {
  readonly hour: number;
  readonly nodeId: string;
  readonly kind: (typeof countKinds)[number];
  readonly name: string;
  /** Where the user is; empty without one. */
  readonly channel: string;
  /** How long it took; undefined where nothing is measured. */
  readonly tookMs?: number;
}

const hourMs = 3_600_000;
export const hourOf = (atMs: number): number => Math.floor(atMs / hourMs);

const finals: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'expired']);

/**
 * Counts the new records of an execution. What it did in a draft is left out: that was a test.
 *
 * @param history - from the beginning, since a visit may have begun in an earlier record than it ends in
 * @param status - of the execution after the last record
 * @param versionOf - the version that has a content at an instant
 */
export function countRecords(
  history: readonly CountedRecord[],
  status: string,
  versionOf: (canvasHash: string, atMs: number) => CountedVersion | undefined,
): readonly Count[] {
  const counts: Count[] = [];
  const enteredAtMs = new Map<string, number>();
  const last = history.findLast(({ record: { event } }) => event.type !== 'execution.continued');
  let [beganAtMs, nodeId]: [number | undefined, string] = [undefined, ''];
  let at: CountedVersion | undefined;
  let channel = '';

  for (const one of history) {
    const { isNew, record } = one;
    const { event } = record;
    beganAtMs ??= event.atMs;
    at = stand(event, at, versionOf);
    channel = originOf(event)?.channel ?? channel;
    const count = (atMs: number, what: Omit<Count, keyof CountedVersion | 'hour' | 'channel'>): void => {
      if (isNew && at !== undefined) counts.push({ ...at, hour: hourOf(atMs), channel, ...what });
    };
    if (event.type === 'execution.accepted') count(event.atMs, { nodeId: '', kind: 'entered', name: '' });
    if (event.type === 'canvas.entered') enteredAtMs.clear(); // its nodes may have the names of those before it
    for (const { at: atMs, nodeId: visited, visitNumber, port, cause } of entriesOf(record)) {
      nodeId = visited;
      const visit = `${visitNumber} ${visited}`;
      if (!enteredAtMs.has(visit)) {
        enteredAtMs.set(visit, atMs);
        count(atMs, { nodeId, kind: 'entered', name: '' });
      }
      if (cause !== undefined) count(atMs, { nodeId, kind: 'failed', name: cause });
      if (port !== undefined) count(atMs, { nodeId, kind: 'left', name: port, tookMs: atMs - (enteredAtMs.get(visit) ?? atMs) });
    }
    if (one !== last || !finals.has(status)) continue;
    if (nodeId !== '') count(event.atMs, { nodeId, kind: 'ended', name: status });
    count(event.atMs, { nodeId: '', kind: 'ended', name: status, tookMs: event.atMs - beganAtMs });
  }
  return counts;
}

/** Whose execution an event begins. */
function originOf(event: HistoryRecord['event']): Origin | undefined {
  if (event.type === 'execution.accepted') return event.input.origin;
  return event.type === 'execution.forked' ? event.state.origin : undefined;
}

/** The version in which an event is applied. */
function stand(
  event: HistoryRecord['event'],
  before: CountedVersion | undefined,
  versionOf: (canvasHash: string, atMs: number) => CountedVersion | undefined,
): CountedVersion | undefined {
  switch (event.type) {
    case 'execution.accepted':
      return versionOf(event.input.canvasHash, event.atMs);
    case 'execution.forked':
      return versionOf(event.state.canvasHash, event.atMs);
    case 'canvas.entered':
      return versionOf(event.canvasHash, event.atMs);
    case 'execution.migrated':
      return event.version === 'draft' ? undefined : versionOf(event.canvasHash, event.atMs);
    default:
      return before;
  }
}

/** The entries of a record but the end of a jump, which is of the canvas before it. */
const entriesOf = ({ event, entries }: HistoryRecord): HistoryRecord['entries'] =>
  event.type === 'canvas.entered' ? entries.slice(1) : entries;
