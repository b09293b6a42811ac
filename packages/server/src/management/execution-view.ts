import { type ExecutionRecord, formatPath, type HistoryEntry, type HistoryRecord, type OpenWait, type Write } from '@hilo/engine/contract';
import { instant } from './instant.ts';

/** An execution as management shows it (DESIGN.md, "Management"). */
export function executionView(record: ExecutionRecord) {
  const { executionId, workflowId, version, parent, createdAtMs, updatedAtMs, state } = record;
  const { userId = null, botId = null, channel = null } = state.origin;
  return {
    executionId,
    workflowId,
    version,
    status: state.status,
    userId,
    botId,
    channel,
    parentExecutionId: parent?.executionId ?? null,
    wait: state.wait === undefined ? null : waitView(state.wait),
    variables: state.variables,
    createdAt: instant(createdAtMs),
    updatedAt: instant(updatedAtMs),
  };
}

const waitView = ({ id, kind, nodeId, openedAtMs, dueAtMs, onDue, correlation, childId }: OpenWait) => ({
  id,
  kind,
  nodeId,
  openedAt: instant(openedAtMs),
  dueAt: dueAtMs === null ? null : instant(dueAtMs),
  onDue,
  ...(correlation !== undefined && { correlation }),
  ...(childId !== undefined && { childExecutionId: childId }),
});

/** What an execution did, one entry after the other; what an operator did with it stands at the node where it was. */
export function historyView(executionId: string, records: readonly HistoryRecord[]) {
  const entries: HistoryEntry[] = [];
  for (const record of records) {
    const fromOutside = interventionIn(record);
    const { nodeId = '', visitNumber = 0 } = entries.at(-1) ?? {};
    if (fromOutside !== undefined) entries.push({ nodeId, visitNumber, ...fromOutside });
    entries.push(...record.entries);
  }
  return { executionId, entries: entries.map(entryView) };
}

/** What came over the execution, which no node of it did. */
function interventionIn({ event }: HistoryRecord): Pick<HistoryEntry, 'at' | 'type' | 'cause'> | undefined {
  switch (event.type) {
    case 'execution.cancelled':
    case 'execution.quarantined':
      return { at: event.atMs, type: event.type, cause: event.reason };
    case 'execution.released':
      return { at: event.atMs, type: event.type };
    default:
      return undefined;
  }
}

function entryView({ at, nodeId, visitNumber, type, port, effect, cause, limitMs, configuredMs, appliedMs, writes }: HistoryEntry) {
  return {
    at: instant(at),
    nodeId,
    visitNumber,
    type,
    ...(port !== undefined && { port }),
    ...(effect !== undefined && { effect }),
    ...(cause !== undefined && { cause }),
    ...(limitMs !== undefined && { limitMs }),
    ...(configuredMs !== undefined && { configuredMs }),
    ...(appliedMs !== undefined && { appliedMs }),
    ...(writes !== undefined && { writes: writes.map(writeView) }),
  };
}

/** A value that is left out was removed. */
const writeView = ({ path, value, ttlMs }: Write) => ({
  path: formatPath(path),
  ...(value !== undefined && { value }),
  ...(ttlMs !== undefined && { ttlMs }),
});
