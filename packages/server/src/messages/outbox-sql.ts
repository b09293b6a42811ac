// Statements over the outbox, and what became of messages that left by it.
import { integer, lookup, optional, pick, plain, type ReadOf, text } from '@hilo/stores';
import { sql } from 'kysely';
import { isNotAway } from '../platform/database/not-away.ts';
import { type CompanyDatabase, companyQuery, heldMs, query } from '../platform/database/schema.ts';
import { messages, outbox } from '../platform/tables/messages.ts';
import { messageOutcomes, sendKeys } from '../platform/tables/sending.ts';
import { laneColumns } from '../platform/database/lanes.ts';

const messageKey = { idempotencyKey: plain() };

/** Appends a message to its lane; one that is queued already keeps its place. Returns its lane. */
export const enqueue = query({ companyId: text(), ...laneColumns, ...messageKey }, { companyId: text(), ...laneColumns }, (db, given) =>
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

/**
 * Takes the first message of a lane, if it is due: no later one is ever taken before it. One that was claimed before and never
 * handed back was perhaps sent; the attempt that broke off is no retry (P3).
 */
export const claimFirst = companyQuery(
  { ...laneColumns, nowMs: integer(), untilMs: integer(), me: plain() },
  pick(outbox.columns, 'id', 'idempotencyKey', 'attempts', 'wasInterrupted'),
  (company, given) =>
    company
      .updateTable('outbox')
      .set((eb) => ({
        claimed_by: given.me,
        due_at_ms: given.untilMs,
        attempts: eb
          .case()
          .when('claimed_by', 'is', null)
          .then(eb('attempts', '+', 1))
          .else(eb.ref('attempts'))
          .end(),
        was_interrupted: eb.case().when('claimed_by', 'is', null).then(0).else(1).end(),
      }))
      .where(
        'id',
        '=',
        company
          .selectFrom('outbox as first')
          .select('first.id')
          .where('first.bot_id', '=', given.botId)
          .where('first.user_key', '=', given.userKey)
          .where('first.due_at_ms', '<', heldMs)
          .orderBy('first.id')
          .limit(1),
      )
      .where('due_at_ms', '<=', given.nowMs)
      .returning(['id', 'idempotency_key', 'attempts', 'was_interrupted']),
);

/** When the first message of a lane is due. */
export const firstDue = outbox.read(['dueAtMs'], laneColumns, (rows, given) =>
  rows.where('bot_id', '=', given.botId).where('user_key', '=', given.userKey).where('due_at_ms', '<', heldMs).orderBy('id').limit(1),
);

/** The first message of a lane, when this process has claimed it. */
export const claimedMessage = companyQuery(
  { ...laneColumns, me: plain() },
  pick(messages.columns, 'messageId', 'userId', 'message', 'executionId', 'nodeId'),
  (company, given) =>
    company
      .selectFrom('outbox')
      .innerJoin('messages', (join) =>
        join.onRef('outbox.company_id', '=', 'messages.company_id').onRef('outbox.idempotency_key', '=', 'messages.idempotency_key'),
      )
      .select(['messages.message_id', 'messages.user_id', 'messages.message', 'messages.execution_id', 'messages.node_id'])
      .where('outbox.bot_id', '=', given.botId)
      .where('outbox.user_key', '=', given.userKey)
      .where('outbox.claimed_by', '=', given.me)
      .where('outbox.due_at_ms', '<', heldMs)
      .orderBy('outbox.id')
      .limit(1),
);

const claim = { id: integer(), me: plain() };

/** Removes a message from the lane; returns no row when another process has claimed it since. */
export const leave = query(claim, {}, (db, given) =>
  db.deleteFrom('outbox').where('id', '=', given.id).where('claimed_by', '=', given.me).returning('id'),
);

/** Releases a claim: the message is due again at an instant. */
export const postpone = query({ ...claim, dueAtMs: integer(), attempts: integer() }, {}, (db, given) =>
  db
    .updateTable('outbox')
    .set({ due_at_ms: given.dueAtMs, attempts: given.attempts, claimed_by: null })
    .where('id', '=', given.id)
    .where('claimed_by', '=', given.me),
);

/** Lets a claim hold for longer, unless another process has claimed the message since. */
export const renewClaim = query({ ...claim, untilMs: integer() }, {}, (db, given) =>
  db
    .updateTable('outbox')
    .set({ due_at_ms: given.untilMs })
    .where('id', '=', given.id)
    .where('claimed_by', '=', given.me)
    .where(isNotAway(db, 'outbox')),
);

/** Forgets all claims: for a process that has the store for itself. */
export const forgetClaims = query({}, {}, (db) =>
  db.updateTable('outbox').set({ due_at_ms: 0 }).where('due_at_ms', '>', 0).where('due_at_ms', '<', heldMs).where(isNotAway(db, 'outbox')),
);

/** Lanes in which a message is due: so many at once, and the others when these have left. */
export const dueLanes = query({ nowMs: integer() }, { companyId: text(), ...laneColumns }, (db, given) =>
  db
    .selectFrom('outbox')
    .select(['company_id', 'bot_id', 'user_key'])
    .distinct()
    .where('due_at_ms', '<=', given.nowMs)
    .where(isNotAway(db, 'outbox'))
    .limit(10_000),
);

/** Keeps what became of a message, in place of what became of it before, where its status is that one. */
export const keepOutcome = companyQuery(
  { ...pick(messageOutcomes.columns, 'botId', 'messageId', 'code', 'explanation', 'updatedAtMs'), status: plain() },
  {},
  (company, given, db) =>
    db
      .insertInto('message_outcomes')
      .columns(['company_id', 'bot_id', 'message_id', 'code', 'explanation', 'updated_at_ms'])
      .expression(
        company
          .selectFrom('messages')
          .select([
            'company_id',
            'bot_id',
            'message_id',
            sql<string | null>`cast(${given.code} as text)`.as('code'),
            sql<string | null>`cast(${given.explanation} as text)`.as('explanation'),
            sql<number>`cast(${given.updatedAtMs} as bigint)`.as('updated_at_ms'),
          ])
          .where('bot_id', '=', given.botId)
          .where('message_id', '=', given.messageId)
          .where('direction', '=', 'outbound')
          .where('status', '=', given.status),
      )
      .onConflict((conflict) =>
        conflict.columns(['company_id', 'bot_id', 'message_id']).doUpdateSet((eb) => ({
          code: eb.ref('excluded.code'),
          explanation: eb.ref('excluded.explanation'),
          updated_at_ms: eb.ref('excluded.updated_at_ms'),
        })),
      ),
);

const kept = {
  ...pick(messages.columns, 'messageId', 'status', 'createdAtMs'),
  ...pick(messageOutcomes.columns, 'code', 'explanation'),
  updatedAtMs: optional(integer()),
};
/** A message with what became of it, where something did. */
export type KeptMessage = ReadOf<typeof kept>;

const keptMessages = (company: CompanyDatabase) =>
  company
    .selectFrom('messages')
    .leftJoin('message_outcomes', (join) =>
      join
        .onRef('message_outcomes.company_id', '=', 'messages.company_id')
        .onRef('message_outcomes.bot_id', '=', 'messages.bot_id')
        .onRef('message_outcomes.message_id', '=', 'messages.message_id'),
    )
    .select(['messages.message_id', 'status', 'created_at_ms', 'code', 'explanation', 'updated_at_ms']);

/** A message that was sent, by its name. */
export const sentMessage = companyQuery(pick(messages.columns, 'botId', 'messageId'), kept, (company, given) =>
  keptMessages(company)
    .where('messages.bot_id', '=', given.botId)
    .where('messages.message_id', '=', given.messageId)
    .where('direction', '=', 'outbound')
    .limit(1),
);

/** The same by its key. */
export const keyedMessage = companyQuery(messageKey, kept, (company, given) =>
  keptMessages(company).where('idempotency_key', '=', given.idempotencyKey),
);

const sendKey = { botId: sendKeys.columns.botId, sendKey: lookup() };

/** Takes an unused or expired `Idempotency-Key`; returns no row otherwise. */
export const takeSendKey = companyQuery(
  {
    ...sendKey,
    ...pick(sendKeys.columns, 'fingerprint', 'messageId', 'untilMs'),
    /** The conversation whose group of texts the key is for; absent when it is for a message. */
    conversationId: optional(text()),
    nowMs: integer(),
  },
  {},
  (company, given, db) =>
    db
      .insertInto('send_keys')
      .values({
        company_id: given.companyId,
        bot_id: given.botId,
        send_key: given.sendKey,
        fingerprint: given.fingerprint,
        message_id: given.messageId,
        until_ms: given.untilMs,
        leaves_at_ms: company.selectFrom('operator_groups').select('due_at_ms').where('conversation_id', '=', given.conversationId),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['company_id', 'bot_id', 'send_key'])
          .doUpdateSet((eb) => ({
            fingerprint: eb.ref('excluded.fingerprint'),
            message_id: eb.ref('excluded.message_id'),
            until_ms: eb.ref('excluded.until_ms'),
            leaves_at_ms: eb.ref('excluded.leaves_at_ms'),
          }))
          .where('send_keys.until_ms', '<=', given.nowMs),
      )
      .returning('message_id'),
);

/** What a key was used for, while its day lasts. */
export const usedSendKey = sendKeys.read(['fingerprint', 'messageId', 'leavesAtMs'], { ...sendKey, nowMs: integer() }, (rows, given) =>
  rows.where('bot_id', '=', given.botId).where('send_key', '=', given.sendKey).where('until_ms', '>', given.nowMs),
);

/** Removes the idempotency keys whose time is over. */
export const forgetSendKeys = query({ nowMs: integer() }, {}, (db, given) =>
  db.deleteFrom('send_keys').where('until_ms', '<=', given.nowMs).where(isNotAway(db, 'send_keys')),
);

/** A template to this user that was accepted and has not left. */
export const templateOnItsWay = companyQuery(laneColumns, {}, (company, given) =>
  company
    .selectFrom('outbox')
    .innerJoin('messages', (join) =>
      join.onRef('messages.company_id', '=', 'outbox.company_id').onRef('messages.idempotency_key', '=', 'outbox.idempotency_key'),
    )
    .select('outbox.id')
    .where('outbox.bot_id', '=', given.botId)
    .where('outbox.user_key', '=', given.userKey)
    .where('messages.message', 'like', '{"type":"template",%') // its type is written first
    .limit(1),
);
