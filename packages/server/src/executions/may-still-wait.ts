import type { ExecutionStore } from '@hilo/engine/contract';

/**
 * Whether an execution waits for the signal with this correlation value, or may yet come to it: it works, or its node is
 * tried again.
 */
export async function mayStillWait(
  executions: Pick<ExecutionStore, 'load'>,
  companyId: string,
  executionId: string,
  correlation: string,
): Promise<boolean> {
  const record = await executions.load(companyId, executionId);
  if (record === undefined) return false;
  const { status, wait } = record.state;
  return (
    status === 'running' ||
    status === 'quarantined' ||
    (status === 'waiting' && wait?.kind === 'retry') ||
    wait?.correlation?.value === correlation
  );
}
