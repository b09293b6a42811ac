// A request that names an execution: it answers the wait of that execution or of a member of its family, or is kept for one.
import { HiloError, isHiloError } from '../contract/errors.ts';
import type { ExecutionRecord } from '../contract/store.ts';
import { admit } from '../machine/decide.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import type { LaneCall, ResumingRequest, WebhookAccepted } from './calls.ts';
import type { Lane } from './lane.ts';
import { type LaneReads, type LaneStep, nothing, readCanvas, readRecord, readSeen, seenForMs, stepOn, unchanged } from './step.ts';

type ResumeCall = Extract<LaneCall, { readonly type: 'resume' }>;

/**
 * Answers the wait of an execution; of many at once under `oneTimeOnly`, one wins (P7). What comes while the execution is at work is
 * kept for its wait (WEB-23); what comes for one that the nodes of this release cannot run, for a release that can.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`, `EXECUTION_NOT_WAITING`, the refusals of its webhook
 */
export function resumeCalled(lane: Lane, { call, executionId }: ResumeCall, reads: LaneReads): LaneStep {
  const { workflowId, nodeId, request, visit } = call;
  const keys = listResumeKeys(call, executionId);
  const member = visit === undefined ? findMember(lane, executionId, workflowId, reads) : findContinuation(lane, executionId, reads);
  if (member === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  try {
    const event = { type: 'webhook', executionId, nodeId, request, ...(visit !== undefined && { visit }) } as const;
    const step = stepOn(member, event, reads, { keys });
    if (step.isApplied) return step;
    const repeated = readSeen(reads, keys);
    return repeated === undefined ? step : unchanged(repeated.answer);
  } catch (error) {
    if (isHiloError(error, 'INVALID_CANVAS') && visit === undefined) return keepForRelease(call, executionId, member, keys, reads);
    // One that does not wait may have been resumed by the same request before.
    const repeated = isHiloError(error, 'EXECUTION_NOT_WAITING') ? readSeen(reads, keys) : undefined;
    if (repeated === undefined) throw error;
    return unchanged(repeated.answer);
  }
}

function listResumeKeys({ companyId, workflowId, nodeId, idempotencyKey, visit }: ResumingRequest, executionId: string): readonly string[] {
  if (idempotencyKey === undefined) return [];
  const place = visit === undefined ? `${companyId}:webhook:${workflowId}:${nodeId}` : `${companyId}:callback:${nodeId}:${visit}`;
  return [`${place}:resume:${executionId}:${idempotencyKey}`];
}

/** The execution, or the one that continues it, whose waits and visits are the same: what was given out in the name of the one is for the other. */
export function findContinuation(lane: Pick<Lane, 'executions'>, executionId: string, reads: LaneReads): ExecutionRecord | undefined {
  let record = readRecord(lane, reads, executionId);
  for (let as = continuationOf(record); as !== undefined; as = continuationOf(record)) record = readRecord(lane, reads, as);
  return record;
}

/** The execution, or its waiting descendant that runs this workflow: they share `$context.executionId`. */
export function findMember(
  lane: Pick<Lane, 'executions'>,
  executionId: string,
  workflowId: string,
  reads: LaneReads,
): ExecutionRecord | undefined {
  let record = findContinuation(lane, executionId, reads);
  while (record !== undefined && !runsWorkflow(record, workflowId, reads)) {
    const childId: string | undefined = record.state.wait?.childId;
    record = childId === undefined ? undefined : readRecord(lane, reads, childId);
  }
  return record;
}

/** The execution that continues one which has ended. */
const continuationOf = (record: ExecutionRecord | undefined): string | undefined => record?.state.ending?.continuedAs;

/** Whether an execution is in this workflow: started so, or after a jump. */
const runsWorkflow = ({ workflowId: started, state }: ExecutionRecord, workflowId: string, reads: LaneReads): boolean =>
  started === workflowId || readCanvas(reads, state.canvasHash, true).canvas.id === workflowId;

/** Whether an execution waits for a request now. */
export const waitsForRequest = ({ state: { status, wait } }: ExecutionRecord): boolean =>
  status === 'waiting' && (wait?.kind === 'webhook' || wait?.kind === 'external');

/**
 * Keeps a request for a release that can run its execution. It is answered at once, since what the execution would answer is not known yet.
 *
 * @throws {HiloError} `EXECUTION_NOT_WAITING` where it would not be accepted later either, `INVALID_REQUEST`, `METHOD_NOT_ALLOWED`
 */
function keepForRelease(
  { companyId, nodeId, request }: ResumingRequest,
  named: string,
  found: ExecutionRecord,
  keys: readonly string[],
  reads: LaneReads,
): LaneStep {
  const { executionId, lane, state } = found;
  const { webhook } = readCanvas(reads, state.canvasHash, true);
  const isOpen = state.status === 'waiting' ? waitsForRequest(found) : !finalStatuses.has(state.status);
  const status = state.wait === undefined ? state.status : `${state.status} for ${state.wait.kind}`;
  if (webhook?.id !== nodeId || !isOpen) throw new HiloError('EXECUTION_NOT_WAITING', { executionId, status });
  admit(webhook, request); // an invalid one is refused now, while there is a caller
  const answer: WebhookAccepted = { executionId: named, mode: 'resume', isNewExecution: false, respond: 'onAccept' };
  const accepted = { kind: 'webhook', executionId, named, nodeId, request } as const;
  const enqueue = [{ companyId, lane, acceptedAtMs: reads.nowMs, accepted }];
  const seen = keys.length === 0 ? {} : { seen: { keys, untilMs: reads.nowMs + seenForMs, answer: { ...answer } } };
  return { ...unchanged(answer), commit: { ...nothing, enqueue, ...seen }, isApplied: true };
}
