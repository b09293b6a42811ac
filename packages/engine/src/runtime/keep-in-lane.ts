// Keeps what reaches an execution that the nodes of this release cannot run, until a release runs that can.
import type { InboxEvent } from '../contract/event.ts';
import type { Json } from '../contract/json.ts';
import { commit, seenForMs } from './advance.ts';
import type { EngineContext } from './context.ts';

/** What is kept, and for whom. */
interface Kept {
  readonly companyId: string;
  readonly accepted: InboxEvent;
  /** Those by which it is recognised when it comes again. */
  readonly keys: readonly string[];
  /** What whoever sends it again is answered. */
  readonly answer: Json;
}

/** Makes it an item of the execution's lane, behind what is there. */
export async function keepInLane(context: EngineContext, lane: string, { companyId, accepted, keys, answer }: Kept): Promise<void> {
  const nowMs = context.clock.now();
  const enqueue = [{ companyId, lane, acceptedAtMs: nowMs, accepted }];
  const seen = keys.length === 0 ? undefined : { keys, untilMs: nowMs + seenForMs, answer };
  await commit(context, lane, { saves: [], history: [], contacts: [], enqueue, dequeue: [], ...(seen && { seen }) });
}
