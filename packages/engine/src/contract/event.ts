import type { RequestToNode, Settled, Trigger } from './execution.ts';
import type { Json, JsonObject } from './json.ts';
import type { Write } from './variables.ts';
import type { WebhookRequest } from './webhook.ts';

/** What every event carries. */
interface Happened {
  /** When it was accepted, in milliseconds since the Unix epoch. */
  readonly atMs: number;
  /** Scopes that changed outside since the last event: `$user`, `$memory`, `$bot`, `$company`. */
  readonly contextUpdates?: readonly Write[];
}

/** What another execution led to. */
interface FromExecution {
  /** The child that ended, or the sender of an event: what it knew may be in what it gave. */
  readonly from?: string;
}

/** Why an execution is cancelled: the reason of the caller, or a start that `interrupts` and matched the user's message. */
export type CancelCause = 'CANCELLED' | 'INTERRUPTED';

interface Answer extends Happened {
  /** The wait that is answered. */
  readonly waitId: string;
}

/** What an operator, or a program on behalf of one, did to an execution. */
interface Operated extends Happened {
  /** Who did it, as the caller names them; left out where nobody was named. */
  readonly by?: string;
  /** The job that did it with others. */
  readonly job?: string;
}

/** Every event of an execution. One that is illegal in its status leaves it unchanged. */
export type ExecutionEvent =
  | ({ readonly type: 'execution.started'; readonly entry: string; readonly trigger: Trigger } & Happened)
  | ({ readonly type: 'effect.settled'; readonly key: string; readonly settled: Settled } & Happened)
  | ({ readonly type: 'canvas.entered'; readonly key: string; readonly canvasHash: string; readonly entry: string } & Happened)
  /** `acceptedAtMs`: when it came, by this service's clock, where that was before its wait began: it was kept for it. */
  | ({ readonly type: 'reply.received'; readonly message: JsonObject; readonly acceptedAtMs?: number } & Answer)
  /** `isKept`: it came while the execution was at work, and answers the next wait that it fits (WEB-23); `waitId` names none then. */
  | ({ readonly type: 'webhook.received'; readonly isKept?: true } & RequestToNode & Answer)
  | ({ readonly type: 'timer.fired'; readonly lateByMs: number } & Answer)
  | ({ readonly type: 'signal.received'; readonly payload: Json } & FromExecution & Answer)
  | ({ readonly type: 'child.ended'; readonly result: JsonObject } & FromExecution & Answer)
  | ({ readonly type: 'execution.cancelled'; readonly reason: string; readonly cause?: CancelCause } & Operated)
  /** `accepted` is the item that could not be processed: a release retries it. */
  | ({ readonly type: 'execution.quarantined'; readonly reason: string; readonly accepted?: InboxEvent } & Happened)
  /** `asks`: its node asks once more for what it is at, as it would now. */
  | ({ readonly type: 'execution.released'; readonly asks?: true } & Operated)
  /**
   * It continues in another version. Nothing of the open wait changes but the node that has it; with `enter`, the wait is over and the
   * execution goes on at that node.
   */
  | ({
      readonly type: 'execution.migrated';
      readonly canvasHash: string;
      readonly version: number | 'draft';
      /** Where it stood before. */
      readonly from: { readonly canvasHash: string; readonly version: number | 'draft' };
      readonly nodes?: { readonly [before: string]: string };
      readonly writes?: readonly Write[];
      readonly enter?: string;
      /** It was proved to have the same future there. */
      readonly isProved?: true;
    } & Operated);

/** The content that an event is applied in: that of the execution, but for an event that leads to another. */
export const canvasOfEvent = (event: ExecutionEvent, current: string): string =>
  event.type === 'canvas.entered' || event.type === 'execution.migrated' ? event.canvasHash : current;

/** The name of an event of an execution, such as `reply.received`. */
export type ExecutionEventType = ExecutionEvent['type'];

/** What decides which question a message can answer. */
interface Circumstances {
  /** When the user wrote it, as the provider tells, in milliseconds since the Unix epoch; left out, when it was accepted. */
  readonly writtenAtMs?: number;
  /**
   * The ids of the messages one of which it names as the one that it answers, as drivers gave them in `messageId`; empty where it names
   * none of ours, left out where that is not known.
   */
  readonly repliesTo?: readonly string[];
  /** The user came by a link and wrote nothing: it answers nothing, and starts a workflow by its reference alone. */
  readonly isOpening?: true;
  /** The workflow whose draft it starts, where it answers no question: nothing that is published takes it. */
  readonly draft?: string;
  /** The execution that held its user when it came, and kept it for its next wait (RET-06). */
  readonly keptBy?: string;
}

/** A user's message that was accepted. */
export type AcceptedMessage = Extract<InboxEvent, { readonly kind: 'message' }>;

/** Something accepted that has not had its consequence yet. */
export type InboxEvent =
  | { readonly kind: 'start' | 'child.start'; readonly executionId: string; readonly entry: string; readonly trigger: Trigger }
  | ({ readonly kind: 'message'; readonly botId: string; readonly userId: string; readonly message: JsonObject } & Circumstances)
  | ({ readonly kind: 'child.ended'; readonly executionId: string; readonly waitId: string; readonly result: JsonObject } & FromExecution)
  /** An event of another execution (`send-event`), for one of those that waited for it then. */
  | ({ readonly kind: 'event'; readonly executionId: string; readonly waitId: string; readonly payload: Json } & FromExecution)
  /** A request to a webhook for an execution that the nodes of a release could not run, kept for one that can; `named` is the id in it. */
  | {
      readonly kind: 'webhook';
      readonly executionId: string;
      readonly named: string;
      readonly nodeId: string;
      readonly request: WebhookRequest;
    };

/**
 * Whether something comes from the family of executions itself. A child begins and ends before the lane
 * looks at what users wrote meanwhile: calling a child is to be no different from running its nodes in place.
 */
export const isInternal = ({ accepted: { kind } }: { readonly accepted: Pick<InboxEvent, 'kind'> }): boolean =>
  kind === 'child.start' || kind === 'child.ended';
