import { type ExecutionRecord, type ExecutionState, executionStatuses, type HistoryRecord, keepsLane } from '@hilo/engine/contract';
import type { Selectable } from 'kysely';
import { historyBody, packerOf, unpackerOf } from './history-body.ts';
import type { ExecutionValues } from './statements/executions.ts';
import type { Tables } from './tables.ts';
import { keyOf, decodeText, encodeText } from './text-encoding.ts';

const ended: ReadonlySet<ExecutionState['status']> = new Set(['completed', 'failed', 'cancelled', 'expired']);

/** Stands before a state that is to be unpacked after the history that its row begins with. */
const afterBegun = '+';

/**
 * The row of a record: its state, and the columns by which it is found. Only a `waiting` execution is found by its wait.
 *
 * @param history - the first history record of a new execution, to which its state refers for repeated values
 */
export function rowOf(record: ExecutionRecord, history: readonly HistoryRecord[] = []): ExecutionValues {
  const { state, parent } = record;
  const { status, origin } = state;
  const wait = status === 'waiting' ? state.wait : undefined;
  const userKey = origin.userId === undefined ? null : keyOf(origin.userId);
  const packer = packerOf(record);
  const begun = history.length === 0 ? null : historyBody(history, packer);
  const takesReply = wait?.takesReply === true && origin.botId !== undefined && userKey !== null;
  return {
    companyId: encodeText(record.companyId),
    executionId: encodeText(record.executionId),
    workflowId: encodeText(record.workflowId),
    version: record.version === 'draft' ? null : record.version,
    revision: record.revision,
    lane: encodeText(record.lane),
    parentExecutionId: parent === undefined ? null : encodeText(parent.executionId),
    parentWaitId: parent === undefined ? null : encodeText(parent.waitId),
    createdAtMs: record.createdAtMs,
    updatedAtMs: record.updatedAtMs,
    botKey: origin.botId === undefined ? null : keyOf(origin.botId),
    userKey,
    begun,
    state: `${begun === null ? '' : afterBegun}${packer.pack(state)}`,
    status,
    waitId: wait === undefined ? null : encodeText(wait.id),
    dueAtMs: wait?.dueAtMs ?? null,
    replySinceMs: takesReply ? wait.openedAtMs : null,
    replyUserKey: takesReply ? userKey : null,
    signalName: wait?.correlation === undefined ? null : keyOf(wait.correlation.name),
    signalValue: wait?.correlation === undefined ? null : keyOf(wait.correlation.value),
    unsettled: keepsLane(state) ? 1 : null,
    endedAtMs: ended.has(status) ? record.updatedAtMs : null,
  };
}

/** The columns from which a record is restored. */
export type RecordRow = Pick<
  Selectable<Tables['executions']>,
  | 'id'
  | 'company_id'
  | 'execution_id'
  | 'workflow_id'
  | 'version'
  | 'revision'
  | 'lane'
  | 'parent_execution_id'
  | 'parent_wait_id'
  | 'created_at_ms'
  | 'updated_at_ms'
  | 'status'
  | 'begun'
  | 'state'
>;

/** @throws when the row is not as {@link rowOf} makes them: a bug wrote it, or a hand */
export const recordOf = (row: RecordRow): ExecutionRecord => ({
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
  state: stateOf(row),
});

function stateOf({ company_id, execution_id, begun, state }: RecordRow): ExecutionState {
  const unpacker = unpackerOf({ companyId: decodeText(company_id), executionId: decodeText(execution_id) });
  const isAfterBegun = state.startsWith(afterBegun);
  if (isAfterBegun) unpacker.unpack(begun ?? '');
  const unpacked = unpacker.unpack(isAfterBegun ? state.slice(afterBegun.length) : state);
  if (!isState(unpacked)) throw new SyntaxError('This is not the state of an execution');
  return unpacked;
}

/** The state as far as it can be checked here: otherwise unchanged, or no JSON. */
const isState = (value: unknown): value is ExecutionState =>
  typeof value === 'object' && value !== null && 'status' in value && executionStatuses.some((status) => status === value.status);
