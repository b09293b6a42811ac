import { statement } from './outbox-rows.ts';

/** Whose messages leave one after the other (P9). */
export type LaneColumns = {
  readonly companyId: string;
  readonly botId: string;
  readonly userKey: string;
};

/** The lane of a message. */
export const laneOf = (row: { readonly company_id: string; readonly bot_id: string; readonly user_key: string }): LaneColumns => ({
  companyId: row.company_id,
  botId: row.bot_id,
  userKey: row.user_key,
});

/** What a message is found by. */
export type MessageKey = { readonly companyId: string; readonly idempotencyKey: string };

/** Puts a message behind the others of its lane; one that is there already stays where it is. Gives the lane that it is in. */
export const enqueue = statement<LaneColumns & { readonly idempotencyKey: string }>()((db, given) =>
  db
    .insertInto('outbox')
    .values({
      company_id: given.companyId,
      bot_id: given.botId,
      user_key: given.userKey,
      idempotency_key: given.idempotencyKey,
      attempts: 0,
      due_at_ms: 0,
      claimed_by: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'idempotency_key']).doUpdateSet(({ ref }) => ({ attempts: ref('outbox.attempts') })),
    )
    .returning(['company_id', 'bot_id', 'user_key']),
);

/** Takes the first message of a lane, if it is due: no later one is ever taken before it. */
export const claimFirst = statement<LaneColumns & { readonly nowMs: number; readonly untilMs: number; readonly me: string }>()(
  (db, given) =>
    db
      .updateTable('outbox')
      .set((eb) => ({ claimed_by: given.me, due_at_ms: given.untilMs, attempts: eb('attempts', '+', 1) }))
      .where('id', '=', (eb) =>
        eb
          .selectFrom('outbox as first')
          .select('first.id')
          .where('first.company_id', '=', given.companyId)
          .where('first.bot_id', '=', given.botId)
          .where('first.user_key', '=', given.userKey)
          .orderBy('first.id')
          .limit(1),
      )
      .where('due_at_ms', '<=', given.nowMs)
      .returning(['id', 'idempotency_key', 'attempts']),
);

/** When the first message of a lane is due. */
export const firstDue = statement<LaneColumns>()((db, given) =>
  db
    .selectFrom('outbox')
    .select('due_at_ms')
    .where('company_id', '=', given.companyId)
    .where('bot_id', '=', given.botId)
    .where('user_key', '=', given.userKey)
    .orderBy('id')
    .limit(1),
);

/** The message that stands first in a lane, where this process has claimed it. */
export const claimedMessage = statement<LaneColumns & { readonly me: string }>()((db, given) =>
  db
    .selectFrom('messages')
    .innerJoin('outbox', (join) =>
      join.onRef('outbox.company_id', '=', 'messages.company_id').onRef('outbox.idempotency_key', '=', 'messages.idempotency_key'),
    )
    .select(['messages.message_id', 'messages.user_id', 'messages.message', 'messages.execution_id', 'messages.node_id'])
    .where('outbox.company_id', '=', given.companyId)
    .where('outbox.bot_id', '=', given.botId)
    .where('outbox.user_key', '=', given.userKey)
    .where('outbox.claimed_by', '=', given.me)
    .orderBy('outbox.id')
    .limit(1),
);

type Claim = { readonly id: number; readonly me: string };

/** Takes a message off the lane; gives no row when another process has claimed it since. */
export const leave = statement<Claim>()((db, given) =>
  db.deleteFrom('outbox').where('id', '=', given.id).where('claimed_by', '=', given.me).returning('id'),
);

/** Hands a claim back: the message may be taken again from an instant on. */
export const postpone = statement<Claim & { readonly dueAtMs: number; readonly attempts: number }>()((db, given) =>
  db
    .updateTable('outbox')
    .set({ due_at_ms: given.dueAtMs, attempts: given.attempts, claimed_by: null })
    .where('id', '=', given.id)
    .where('claimed_by', '=', given.me),
);

/** Lets a claim hold for longer, unless another process has claimed the message since. */
export const renewClaim = statement<Claim & { readonly untilMs: number }>()((db, given) =>
  db.updateTable('outbox').set({ due_at_ms: given.untilMs }).where('id', '=', given.id).where('claimed_by', '=', given.me),
);

/** Forgets all claims: for a process that has the store for itself. */
export const forgetClaims = statement()((db) => db.updateTable('outbox').set({ due_at_ms: 0 }).where('due_at_ms', '>', 0));

/** Lanes whose first claimable message is due. */
export const dueLanes = statement<{ readonly nowMs: number }>()((db, given) =>
  db.selectFrom('outbox').select(['company_id', 'bot_id', 'user_key']).distinct().where('due_at_ms', '<=', given.nowMs).limit(10_000),
);
