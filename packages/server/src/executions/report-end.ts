// A workflow that waits for a payment or for a conversation is told that it has ended: again and again, later each time, until the workflow
// has continued or waits no longer. It may not have reached its wait yet.
import type { Engine } from '@hilo/engine';
import type { ExecutionStore } from '@hilo/engine/contract';
import { loadContinuation } from '../platform/load-continuation.ts';

interface ReportParts {
  readonly executions: Pick<ExecutionStore, 'load'>;
  /** Signals waiting workflows. @returns the executions that continued */
  readonly signal: Engine['signal'];
}

/** What has ended, and the execution that began it. */
interface End {
  readonly companyId: string;
  readonly executionId: string;
  readonly kind: 'payment' | 'handoff';
  readonly correlation: string;
  readonly payload: Parameters<Engine['signal']>[0]['payload'];
}

/** @returns whether the execution has continued by this, or waits no longer; `undefined` while it may still reach its wait */
export async function reportEnd(
  { executions, signal }: ReportParts,
  { companyId, executionId, kind, correlation, payload }: End,
): Promise<'continued' | 'over' | undefined> {
  const { executionIds } = await signal({ companyId, kind, name: kind, correlation, payload });
  if (executionIds.includes(executionId)) return 'continued';
  if (await mightStillWait(executions, companyId, executionId, correlation)) return undefined;
  return executionIds.length > 0 ? 'continued' : 'over'; // what was retried or forked waits in its place
}

/** When it is told again: after a quarter of the time that has passed since the end, and a second at least. */
export const reportAgainMs = (nowMs: number, endedMs: number | null): number =>
  Math.ceil(nowMs + Math.max(1_000, (nowMs - (endedMs ?? nowMs)) / 4));

/**
 * Whether an execution waits for the signal with this correlation value, or may still reach that wait: it is running, or its node is
 * about to be retried. Of one that was continued, the other.
 */
async function mightStillWait(
  executions: Pick<ExecutionStore, 'load'>,
  companyId: string,
  executionId: string,
  correlation: string,
): Promise<boolean> {
  const record = await loadContinuation(executions, companyId, executionId);
  if (record === undefined) return false;
  const { status, wait } = record.state;
  return (
    status === 'running' ||
    status === 'quarantined' ||
    (status === 'waiting' && wait?.kind === 'retry') ||
    wait?.correlation?.value === correlation
  );
}
