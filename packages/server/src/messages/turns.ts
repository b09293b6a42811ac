import type { Clock, JsonObject } from '@hilo/engine/contract';
import { call, condition, read, type Runner } from '@hilo/stores';
import { claimMs } from './claims.ts';
import { claimedMessage, claimFirst, firstDue, type LaneColumns } from './outbox-sql.ts';

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
export async function takeNext(runner: Runner, lane: LaneColumns, me: string, clock: Pick<Clock, 'now'>): Promise<Next> {
  const nowMs = clock.now();
  const claiming = condition(claimFirst, { ...lane, me, nowMs, untilMs: nowMs + claimMs });
  const reading = call(claimedMessage, { ...lane, me });
  const { rowsOf } = await runner.write([claiming, reading]);
  const [claimed] = rowsOf(claiming);
  if (claimed === undefined) {
    const first = await runner.readOne(call(firstDue, lane));
    if (first === undefined) return { kind: 'empty' };
    // One that came, or became free, between the two questions is taken now.
    return first.due_at_ms <= nowMs ? takeNext(runner, lane, me, clock) : { kind: 'later', dueAtMs: first.due_at_ms };
  }
  const { id, attempts, idempotency_key: idempotencyKey } = claimed;
  const [row] = rowsOf(reading);
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
}
