import type { ExecutionRecord, OpenWait } from '@hilo/engine/contract';
import { instant } from '../platform/http/instant.ts';

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
