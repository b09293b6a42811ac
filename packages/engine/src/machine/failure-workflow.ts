import { DateTime } from 'luxon';
import { finalStatuses } from './lifecycle.ts';
import type { Commit, ExecutionRecord, HistoryRecord } from '../contract/store.ts';
import { externalScopes, type Missing, type Reads } from './child-executions.ts';
import { childId, childSeed } from './deterministic-ids.ts';
import { laneOf, newExecution } from './new-execution.ts';

/** What a start leads to that is accepted in the commit of something else. */
export interface AcceptedBeside {
  readonly kind: 'accepted';
  readonly saves: readonly ExecutionRecord[];
  readonly history: readonly HistoryRecord[];
  readonly enqueue: readonly Commit['enqueue'][number][];
}

/** What its ids derive from; the ids of waits, from which those of children do, are digests. */
const name = 'failure';

/**
 * Starts the company's failure workflow with `$input.failure`, in the commit in which an execution fails: exactly once, whatever dies
 * then. Not for its own failures, nor for drafts, nor for a child, whose caller gets the failure.
 *
 * @returns `undefined` when there is no failure to report, or no such workflow
 */
export function startForFailure(before: ExecutionRecord, failed: ExecutionRecord, reads: Reads): AcceptedBeside | Missing | undefined {
  const { companyId, executionId, workflowId, version, parent, state, updatedAtMs: atMs } = failed;
  const { origin, seed, ending } = state;
  if (state.status !== 'failed' || finalStatuses.has(before.state.status)) return undefined;
  if (parent !== undefined || origin.route !== 'production') return undefined;
  const called = reads.failureWorkflow?.();
  if (called === undefined && reads.failureWorkflow !== undefined) return { kind: 'missing', need: { kind: 'failureWorkflow' } };
  if (called === undefined || called === null || called.canvas.canvas.id === workflowId) return undefined;
  const id = childId(failed.state, name);
  const lane = laneOf(origin, id);
  const { record, history } = newExecution({
    executionId: id,
    rootId: id,
    seed: childSeed(seed, name),
    origin,
    depth: 0,
    lane,
    version: called.version,
    canvas: called.canvas,
    variables: externalScopes(state.variables),
    atMs,
  });
  const failure = {
    executionId,
    workflowId,
    version,
    nodeId: ending?.failure?.nodeId ?? null,
    cause: ending?.failure?.cause ?? '',
    message: ending?.failure?.message ?? '',
    userId: origin.userId ?? null,
    botId: origin.botId ?? null,
    at: DateTime.fromMillis(atMs, { zone: 'utc' }).toISO(),
  };
  const trigger = { kind: 'call', inputs: { failure }, webhook: {} } as const;
  const accepted = { kind: 'start', executionId: id, entry: called.entry, trigger } as const;
  return { kind: 'accepted', saves: [record], history: [history], enqueue: [{ companyId, lane, acceptedAtMs: atMs, accepted }] };
}
