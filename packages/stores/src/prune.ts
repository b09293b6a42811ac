import type { Pruned, Retention } from './durable-store.ts';
import { deleteEnded, deleteHistory, deleteSeen, endedExecutions } from './statements/retention.ts';
import { ask, askOne, type Runner, type Steps } from './statements/steps.ts';

/** How much is removed in one transaction: others are served in between. */
const batch = 500;

/** Removes executions that ended long enough ago, with their histories, and delivery ids whose time is over. */
export async function prune(runner: Runner, { nowMs, completedForMs, failedForMs }: Retention): Promise<Pruned> {
  const keptMs = { completed: completedForMs, cancelled: completedForMs, expired: completedForMs, failed: failedForMs };
  let executions = 0;
  for (const [status, keptForMs] of Object.entries(keptMs))
    executions += await inBatches(runner, () => removeEnded(status, nowMs - keptForMs));
  const seen = await inBatches(runner, function* () {
    return (yield* ask(deleteSeen, { nowMs, limit: batch })).length;
  });
  return { executions, seen };
}

async function inBatches(runner: Runner, remove: () => Steps<number>): Promise<number> {
  let removed = 0;
  for (;;) {
    const count = await runner.write(remove);
    removed += count;
    if (count < batch) return removed;
  }
}

function* removeEnded(status: string, untilMs: number): Steps<number> {
  let removed = 0;
  for (const { id } of yield* ask(endedExecutions, { status, untilMs, limit: batch })) {
    if ((yield* askOne(deleteEnded, { id, untilMs })) === undefined) continue;
    yield* ask(deleteHistory, { execution: id });
    removed += 1;
  }
  return removed;
}
