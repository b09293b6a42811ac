// What the world is told of a committed step: events for listeners, effects that nothing waits for, signals that are held for a wait.
import type { LaneStep } from '../lane/step.ts';
import type { EngineContext } from './context.ts';
import { publishEvents, publishTells } from './events.ts';
import { performDetached, settleUnawaited } from './perform-effect.ts';

/** Publishes a step once its commit is recorded. It is lost with the process. */
export function publishStep(context: EngineContext, { commit, moved, tells, unawaited, refusal }: LaneStep): void {
  if (commit?.hold !== undefined) for (const held of commit.hold) context.deliverHeld(held);
  for (const { before, after, history, detached } of moved) {
    const { status, wait } = after.state;
    if (status === 'waiting' && wait?.kind === 'event' && wait.correlation !== undefined && wait.id !== before.state.wait?.id)
      context.deliverHeld({ companyId: after.companyId, name: wait.correlation.name, correlation: wait.correlation.value });
    for (const call of detached) performDetached(context, call);
    publishEvents(context.events, before, after, history);
  }
  if (tells !== undefined) publishTells(context.events, tells);
  if (unawaited !== undefined) for (const call of unawaited) settleUnawaited(context, call);
  if (refusal !== undefined)
    context.events.emit('engine.fault', { error: refusal.error, while: `applying a kept request to execution ${refusal.executionId}` });
}
