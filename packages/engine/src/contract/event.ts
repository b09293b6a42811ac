import type { InboxEvent } from './inbox.ts';
import type { Settled, Trigger } from './execution.ts';
import type { Json, JsonObject } from './json.ts';
import type { Write } from './variables.ts';

/** What every event carries. */
interface Happened {
  /** When it was accepted, in milliseconds since the Unix epoch. */
  readonly atMs: number;
  /** Scopes that changed outside since the last event: `$user`, `$memory`, `$bot`, `$company`. */
  readonly contextUpdates?: readonly Write[];
}

/** Why an execution is cancelled: the reason of the caller, or a start that `interrupts` and matched the user's message. */
export type CancelCause = 'CANCELLED' | 'INTERRUPTED';

interface Answer extends Happened {
  /** The wait that is answered. */
  readonly waitId: string;
}

/** Every event of an execution. One that is illegal in its status leaves it unchanged. */
export type ExecutionEvent =
  | ({ readonly type: 'execution.started'; readonly entry: string; readonly trigger: Trigger } & Happened)
  | ({ readonly type: 'effect.settled'; readonly key: string; readonly settled: Settled } & Happened)
  | ({ readonly type: 'canvas.entered'; readonly key: string; readonly canvasHash: string; readonly entry: string } & Happened)
  | ({ readonly type: 'reply.received'; readonly message: JsonObject } & Answer)
  | ({ readonly type: 'webhook.received'; readonly via: string; readonly once: boolean; readonly writes: readonly Write[] } & Answer)
  | ({ readonly type: 'timer.fired'; readonly lateByMs: number } & Answer)
  | ({ readonly type: 'signal.received'; readonly payload: Json } & Answer)
  | ({ readonly type: 'child.ended'; readonly result: JsonObject } & Answer)
  | ({ readonly type: 'execution.cancelled'; readonly reason: string; readonly cause?: CancelCause } & Happened)
  /** `accepted` is the item that could not be processed: a release retries it. */
  | ({ readonly type: 'execution.quarantined'; readonly reason: string; readonly accepted?: InboxEvent } & Happened)
  | ({ readonly type: 'execution.released' } & Happened);

export type ExecutionEventType = ExecutionEvent['type'];
