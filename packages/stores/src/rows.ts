// Executions and histories as rows, with checksums.
import {
  type ExecutionRecord,
  type ExecutionState,
  executionStatuses,
  type HeldSignal,
  type HistoryRecord,
  type InboxEvent,
  type InboxItem,
  isInternal,
  type Json,
  keepsLane,
} from '@hilo/engine/contract';
import type { Selectable } from 'kysely';
import { createUnpacker, type Unpacker } from './first-format.ts';
import { RowReader } from './row-reader.ts';
import { isFirstFormat, isSealedAfterBegun, readText } from './row-text.ts';
import { type Advance, type Named, RowWriter } from './row-writer.ts';
import { call, type Runner } from './statements/call.ts';
import { type ExecutionValues, type recordColumns, setExecutionAside } from './statements/executions.ts';
import type { HeldValues } from './statements/held-signals.ts';
import { dequeue, type QueueValues, setQueuedAside } from './statements/inbox.ts';
import type { Tables } from './schema/row-types.ts';
import { decodeText, encodeText, encodeKey, orNull } from './text-encoding.ts';

const unpackerOf = ({ executionId, companyId }: Named): Unpacker => createUnpacker([executionId, companyId]);

/**
 * @param body - what `RowWriter.history` gave, or an earlier release wrote
 * @throws {RowError} when it is neither: a bug wrote it, a disk or a later release
 */
export function historyRecords({ companyId, executionId }: Named, body: string): readonly HistoryRecord[] {
  const named = { companyId, executionId };
  return readText(() => {
    if (!isFirstFormat(body)) return new RowReader(named).history(body).map((advance) => ({ ...named, ...advance }));
    const lines = unpackerOf(named).unpack(body) as readonly (readonly [Advance['revision'], Advance['event'], Advance['entries']])[];
    return lines.map(([revision, event, entries]) => ({ ...named, revision, event, entries }));
  });
}

const ended: ReadonlySet<ExecutionState['status']> = new Set(['completed', 'failed', 'cancelled', 'expired']);

/** Stands before a state of the first format that is to be unpacked after the history that its row begins with. */
const afterBegun = '+';

/**
 * The row of a record: its state, and the columns by which it is found. Only a `waiting` execution is found by its wait.
 *
 * @param history - the first history record of a new execution, to which its state refers for repeated values
 */
export function createRow(record: ExecutionRecord, history: readonly HistoryRecord[] = []): ExecutionValues {
  const { state, parent } = record;
  const { status, origin } = state;
  const wait = status === 'waiting' ? state.wait : undefined;
  const userKey = orNull(origin.userId, encodeKey);
  const writer = new RowWriter(record);
  const begun = history.length === 0 ? null : writer.history(history);
  const takesReply = wait?.takesReply === true && origin.botId !== undefined && userKey !== null;
  return {
    company_id: encodeText(record.companyId),
    execution_id: encodeText(record.executionId),
    workflow_id: encodeText(record.workflowId),
    version: record.version === 'draft' ? null : record.version,
    revision: record.revision,
    lane: encodeText(record.lane),
    parent_execution_id: orNull(parent?.executionId, encodeText),
    parent_wait_id: orNull(parent?.waitId, encodeText),
    created_at_ms: record.createdAtMs,
    updated_at_ms: record.updatedAtMs,
    bot_key: orNull(origin.botId, encodeKey),
    user_key: userKey,
    begun,
    state: writer.state(state),
    status,
    wait_id: orNull(wait?.id, encodeText),
    due_at_ms: wait?.dueAtMs ?? null,
    reply_since_ms: takesReply ? wait.openedAtMs : null,
    reply_user_key: takesReply ? userKey : null,
    signal_name: orNull(wait?.correlation?.name, encodeKey),
    signal_value: orNull(wait?.correlation?.value, encodeKey),
    unsettled: keepsLane(state) ? 1 : null,
    ended_at_ms: ended.has(status) ? record.updatedAtMs : null,
  };
}

/** The columns from which a record is restored. */
export type RecordRow = Pick<Selectable<Tables['executions']>, (typeof recordColumns)[number]>;

/** @throws when the row is not as {@link createRow} makes them: a bug wrote it, or a hand */
export const readRecord = (row: RecordRow): ExecutionRecord => ({
  executionId: decodeText(row.execution_id),
  companyId: decodeText(row.company_id),
  workflowId: decodeText(row.workflow_id),
  version: row.version ?? 'draft',
  revision: row.revision,
  lane: decodeText(row.lane),
  ...(row.parent_execution_id !== null &&
    row.parent_wait_id !== null && {
      parent: { executionId: decodeText(row.parent_execution_id), waitId: decodeText(row.parent_wait_id) },
    }),
  createdAtMs: row.created_at_ms,
  updatedAtMs: row.updated_at_ms,
  state: readState(row),
});

const readState = ({ company_id, execution_id, begun, state }: RecordRow): ExecutionState =>
  stateOf({ companyId: decodeText(company_id), executionId: decodeText(execution_id) }, begun, state);

/** @throws {RowError} */
const stateOf = (named: Named, begun: string | null, state: string): ExecutionState =>
  readText(() => {
    if (isFirstFormat(state)) return unpackState(named, begun, state);
    const reader = new RowReader(named);
    if (isSealedAfterBegun(state)) reader.history(begun ?? '');
    return reader.state(state);
  });

function unpackState(named: Named, begun: string | null, state: string): ExecutionState {
  const unpacker = unpackerOf(named);
  const isAfterBegun = state.startsWith(afterBegun);
  if (isAfterBegun) unpacker.unpack(begun ?? '');
  const unpacked = unpacker.unpack(isAfterBegun ? state.slice(afterBegun.length) : state);
  if (!isState(unpacked)) throw new SyntaxError('This is not the state of an execution');
  return unpacked;
}

/**
 * The company for which an execution works, as its stored state says: not the one beside it, under which it is found.
 *
 * @returns `undefined` for a state that cannot be read
 */
export const readStateCompany = (named: Named, { begun, state }: { readonly begun: string | null; readonly state: string }) =>
  readOr(() => stateOf(named, begun, state).origin.companyId);

/** The state as far as it can be checked here: otherwise unchanged, or no JSON. */
const isState = (value: unknown): value is ExecutionState =>
  typeof value === 'object' && value !== null && 'status' in value && executionStatuses.some((status) => status === value.status);

/** The row of something accepted. */
export const createQueueRow = (queued: Omit<InboxItem, 'seq'>): QueueValues => ({
  company_id: encodeText(queued.companyId),
  lane: encodeText(queued.lane),
  accepted_at_ms: queued.acceptedAtMs,
  accepted: JSON.stringify(queued.accepted),
  rank: isInternal(queued) ? 0 : 1,
});

/** The row of a signal that is held. */
export const createHeldRow = ({ companyId, id, name, correlation, payload, heldAtMs, untilMs }: HeldSignal): HeldValues => ({
  company_id: encodeText(companyId),
  id: encodeText(id),
  signal_name: encodeKey(name),
  signal_value: encodeKey(correlation),
  signal: JSON.stringify([name, correlation, payload]),
  held_at_ms: heldAtMs,
  until_ms: untilMs,
});

/** @throws {SyntaxError} when the row is not as {@link createHeldRow} makes them */
export function readHeld({ company_id, id, signal, held_at_ms, until_ms }: HeldValues): HeldSignal {
  const [name, correlation, payload] = JSON.parse(signal) as readonly [string, string, Json];
  return { companyId: decodeText(company_id), id: decodeText(id), name, correlation, payload, heldAtMs: held_at_ms, untilMs: until_ms };
}

type QueueRow = Omit<Selectable<Tables['queue']>, 'rank' | 'part'>;

/** @throws when the row is not as {@link createQueueRow} makes them: a bug wrote it, or a hand */
const readQueued = ({ seq, company_id, lane, accepted_at_ms, accepted }: QueueRow): InboxItem => ({
  seq,
  companyId: decodeText(company_id),
  lane: decodeText(lane),
  acceptedAtMs: accepted_at_ms,
  accepted: readAccepted(accepted),
});

function readAccepted(text: string): InboxEvent {
  const accepted: unknown = JSON.parse(text);
  if (!isAccepted(accepted)) throw new SyntaxError('This is nothing that can be accepted');
  return accepted;
}

/** All kinds, which the compiler holds: an item of another is set aside as unreadable. */
const kinds: { readonly [kind in InboxEvent['kind']]: true } = {
  start: true,
  'child.start': true,
  message: true,
  'child.ended': true,
  event: true,
  webhook: true,
};

const isAccepted = (value: unknown): value is InboxEvent =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string' && Object.hasOwn(kinds, value.kind);

/**
 * Decodes rows. An unreadable one is quarantined and skipped, so that it is not read again and delays nothing (P17). It stays in the
 * database for inspection.
 */
export interface RowDecoder {
  records(rows: readonly RecordRow[]): Promise<readonly ExecutionRecord[]>;
  /** @returns `undefined` when it was quarantined */
  queued(row: QueueRow): Promise<InboxItem | undefined>;
  /** Sets an execution aside, if it still is at this revision. */
  setAside(row: Pick<RecordRow, 'company_id' | 'execution_id' | 'revision'>): Promise<void>;
}

/** Is told of the row of an execution that cannot be read, and why: once, as it is quarantined. */
export type OnUnreadable = (row: Named & { readonly reason: string }) => void;

export function createRowDecoder(runner: Runner, onUnreadable: OnUnreadable = () => undefined): RowDecoder {
  const setAside: RowDecoder['setAside'] = async ({ company_id, execution_id, revision }) => {
    await runner.write([call(setExecutionAside, { company_id, execution_id, revision })]);
  };
  return {
    setAside,
    async records(rows) {
      const records: ExecutionRecord[] = [];
      for (const row of rows) {
        try {
          records.push(readText(() => readRecord(row)));
        } catch (error) {
          if (row.status === 'quarantined') continue;
          await setAside(row);
          onUnreadable({ companyId: row.company_id, executionId: row.execution_id, reason: reasonOf(error) });
        }
      }
      return records;
    },
    async queued(row) {
      const queued = readOr(() => readQueued(row));
      if (queued === undefined) await runner.write([call(setQueuedAside, row), call(dequeue, row)]);
      return queued;
    },
  };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @returns the decoded value, or `undefined` when decoding throws */
export function readOr<Value>(reading: () => Value): Value | undefined {
  try {
    return reading();
  } catch {
    return undefined;
  }
}
