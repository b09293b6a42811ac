import { advanceExecution } from './advance-execution.ts';
import { finalStatuses } from './machine/lifecycle.ts';
import type { Accepted, ExecutionRecord, Queued } from './contract/store.ts';
import { type Kernel, tell } from './kernel.ts';
import { routeMessage } from './route-message.ts';

/**
 * Whether something comes from the family of executions itself. A child begins and ends, and is cancelled, before the lane
 * looks at what users wrote meanwhile: calling a child is to be no different from running its nodes in place.
 */
export const isInternal = ({ accepted: { kind } }: Pick<Queued, 'accepted'>): boolean =>
  kind === 'child.start' || kind === 'child.ended' || kind === 'cancel';

/** Gives something accepted its turn in its lane; what it leads to removes it from the queue, in the same commit. */
export function processQueued(kernel: Kernel, queued: Queued): void {
  const { lane, accepted } = queued;
  const turn = isInternal(queued) ? kernel.lanes.runFirst : kernel.lanes.run;
  turn(lane, () => consequence(kernel, queued)).catch((error: unknown) =>
    tell(kernel, 'engine.fault', { error, while: `processing "${accepted.kind}" of lane ${lane}` }),
  );
}

async function consequence(kernel: Kernel, { seq, companyId, accepted }: Queued): Promise<unknown> {
  const beside = { dequeue: [seq] };
  switch (accepted.kind) {
    case 'start':
    case 'child.start':
      return advanceExecution(
        kernel,
        companyId,
        accepted.executionId,
        () => ({ type: 'execution.started', entry: accepted.entry, trigger: accepted.trigger }),
        beside,
      );
    case 'message':
      return routeMessage(kernel, companyId, accepted, seq);
    case 'child.ended':
      return advanceExecution(
        kernel,
        companyId,
        accepted.executionId,
        () => ({ type: 'child.ended', waitId: accepted.waitId, result: accepted.result }),
        beside,
      );
    case 'cancel':
      return advanceExecution(kernel, companyId, accepted.executionId, (record) => cancelled(record, accepted), beside);
  }
}

const cancelled = ({ state }: ExecutionRecord, { reason }: Extract<Accepted, { readonly kind: 'cancel' }>) =>
  finalStatuses.has(state.status) ? undefined : ({ type: 'execution.cancelled', reason } as const);
