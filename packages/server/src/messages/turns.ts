import type { Clock, JsonObject } from '@hilo/engine/contract';
import { askOne, read, type Runner, type Steps } from '@hilo/stores';
import { claimMs } from './claims.ts';
import { claimFirst, firstDue, type LaneColumns, queuedMessage } from './outbox-sql.ts';

/** A message whose turn it is. */
export interface Turn {
  /** Of its row in the outbox. */
  readonly id: number;
  readonly lane: LaneColumns;
  readonly messageId: string;
  readonly idempotencyKey: string;
  readonly userId: string;
  readonly message: JsonObject;
  /** Null where no workflow sent it. */
  readonly executionId: string | null;
  readonly nodeId: string | null;
  /** This one counted. */
  readonly attempts: number;
}

/** What is next in a lane: a message, one that somebody else has or that pauses, or nothing. */
export type Next =
  | { readonly kind: 'turn'; readonly turn: Turn }
  | { readonly kind: 'later'; readonly dueAtMs: number }
  | { readonly kind: 'empty' };

/** Takes the next message of a lane for this process. */
export function takeNext(runner: Runner, lane: LaneColumns, me: string, clock: Pick<Clock, 'now'>): Promise<Next> {
  return runner.write(function* (): Steps<Next> {
    const nowMs = clock.now();
    const claimed = yield* askOne(claimFirst, { ...lane, me, nowMs, untilMs: nowMs + claimMs });
    if (claimed === undefined) {
      const first = yield* askOne(firstDue, lane);
      return first === undefined ? { kind: 'empty' } : { kind: 'later', dueAtMs: first.due_at_ms };
    }
    const { id, attempts, idempotency_key: idempotencyKey } = claimed;
    const row = yield* askOne(queuedMessage, { companyId: lane.companyId, idempotencyKey });
    if (row === undefined) throw new Error(`Message ${idempotencyKey} is in the outbox and nowhere else`);
    const { message_id, user_id, message, execution_id, node_id } = row;
    return {
      kind: 'turn',
      turn: {
        id,
        lane,
        attempts,
        idempotencyKey,
        messageId: read(message_id),
        userId: read(user_id),
        message: JSON.parse(message) as JsonObject,
        executionId: execution_id,
        nodeId: node_id,
      },
    };
  });
}
