// Status reports of providers on sent messages, by the provider's id of a message, which may arrive before that id is known here.
import type { ChannelEvent } from '@hilo/channels';
import type { JsonObject } from '@hilo/engine/contract';
import { asCondition, type Call, encodeKey, integer, lookup, optional, pick, plain, text } from '@hilo/stores';
import { sql } from 'kysely';
import { isNotAway } from '../platform/database/not-away.ts';
import { meetPeople } from '../platform/database/people.ts';
import { type CompanyDatabase, companyQuery, query } from '../platform/database/schema.ts';
import { telling } from '../platform/events/telling.ts';
import { tellKept } from './message-events.ts';
import { messages } from '../platform/tables/messages.ts';
import { providerMessages, providerUsers } from '../platform/tables/sending.ts';
import { insertMessage, type WrittenMessage } from './sql.ts';
import { laneColumns, laneOf, type OfBot } from '../platform/database/lanes.ts';

/** A message by its provider's own name. */
const named = { botId: text(), providerKey: lookup() };
interface NamedMessage extends OfBot {
  readonly providerKey: string;
}

type Status = Extract<ChannelEvent, { readonly kind: 'status' }>;

/** A status only rises: a late lower one is ignored. A message that was delivered has not failed. */
const ranks = { none: 0, sent: 1, failed: 2, delivered: 3, read: 4 } as const;

/** How long a provider's name of a message is kept for statuses that are still to come. */
const namesLastMs = 30 * 86_400_000;

/** What a report says. Hilo's own name of the message, and the key with which it was sent, are given where they are known. */
const reported = {
  ...pick(providerMessages.columns, 'messageId', 'status', 'code', 'explanation', 'atMs'),
  idempotencyKey: optional(plain()),
  rank: integer(),
};

/** Stores a status; returns no row when it is not higher. */
const upsertStatus = companyQuery({ ...named, ...reported }, {}, (company, given, db) =>
  db
    .insertInto('provider_messages')
    .values({
      company_id: given.companyId,
      bot_id: given.botId,
      provider_key: given.providerKey,
      message_id: sql<string | null>`coalesce(${given.messageId}, (${company
        .selectFrom('messages')
        .select('message_id')
        .where('bot_id', '=', given.botId)
        .where('idempotency_key', '=', given.idempotencyKey)
        .where('direction', '=', 'outbound')}))`,
      status_rank: given.rank,
      status: given.status,
      code: given.code,
      explanation: given.explanation,
      at_ms: given.atMs,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'bot_id', 'provider_key'])
        .doUpdateSet(({ ref }) => ({
          message_id: sql<string | null>`coalesce(provider_messages.message_id, excluded.message_id)`,
          status_rank: ref('excluded.status_rank'),
          status: ref('excluded.status'),
          code: ref('excluded.code'),
          explanation: ref('excluded.explanation'),
          at_ms: ref('excluded.at_ms'),
        }))
        .whereRef('excluded.status_rank', '>', 'provider_messages.status_rank'),
    )
    .returning('provider_key'),
);

/** Stores the provider's id of a message; a status that was reported under it before stays. */
const upsertName = query(
  { companyId: text(), ...named, messageId: text(), atMs: integer() },
  pick(providerMessages.columns, 'code'),
  (db, given) =>
    db
      .insertInto('provider_messages')
      .values({
        company_id: given.companyId,
        bot_id: given.botId,
        provider_key: given.providerKey,
        message_id: given.messageId,
        status_rank: ranks.none,
        status: null,
        code: null,
        explanation: null,
        at_ms: given.atMs,
      })
      .onConflict((conflict) =>
        conflict.columns(['company_id', 'bot_id', 'provider_key']).doUpdateSet(({ ref }) => ({ message_id: ref('excluded.message_id') })),
      )
      .returning('code'),
);

/** Sets the status that the provider reported on the message; does nothing while its id or its status is unknown. */
const applyStatus = companyQuery(named, {}, (company, given) => {
  const reported = company
    .selectFrom('provider_messages')
    .where('bot_id', '=', given.botId)
    .where('provider_key', '=', given.providerKey)
    .where('status', 'is not', null);
  return company
    .updateTable('messages')
    .set({ status: sql<string>`(${reported.select('status')})`, cause: sql<string | null>`(${reported.select('code')})` })
    .where('bot_id', '=', given.botId)
    .where('direction', '=', 'outbound')
    .where('message_id', 'in', reported.select('message_id'));
});

/** Keeps why, and when. */
const applyOutcome = companyQuery(named, {}, (company, given, db) =>
  db
    .insertInto('message_outcomes')
    .columns(['company_id', 'bot_id', 'message_id', 'code', 'explanation', 'updated_at_ms'])
    .expression(
      company
        .selectFrom('provider_messages')
        .select(['company_id', 'bot_id', sql<string>`message_id`.as('message_id'), 'code', 'explanation', 'at_ms'])
        .where('bot_id', '=', given.botId)
        .where('provider_key', '=', given.providerKey)
        .where('status', 'is not', null)
        .where('message_id', 'is not', null),
    )
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'bot_id', 'message_id']).doUpdateSet(({ ref }) => ({
        code: ref('excluded.code'),
        explanation: ref('excluded.explanation'),
        updated_at_ms: ref('excluded.updated_at_ms'),
      })),
    ),
);

/** The message of ours that has a provider's name; no row while that is unknown. */
const reportedMessage = (company: CompanyDatabase, { botId, providerKey }: NamedMessage) =>
  company
    .selectFrom('provider_messages as reported')
    .innerJoin('messages as sent', (join) =>
      join
        .onRef('sent.company_id', '=', 'reported.company_id')
        .onRef('sent.bot_id', '=', 'reported.bot_id')
        .onRef('sent.message_id', '=', 'reported.message_id'),
    )
    .where('reported.bot_id', '=', botId)
    .where('reported.provider_key', '=', providerKey)
    .where('sent.direction', '=', 'outbound');

/** A message that failed behind a closed window closes the window of its user here as well (WIN-02). */
const applyClosedWindow = companyQuery(named, {}, (company, given, db) =>
  db
    .insertInto('provider_users')
    .columns(['company_id', 'bot_id', 'user_key', 'window_closed_at_ms'])
    .expression(
      reportedMessage(company, given)
        .select(['sent.company_id', 'sent.bot_id', 'sent.user_key', 'reported.at_ms'])
        .where('reported.code', '=', 'OUTSIDE_SESSION_WINDOW'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'bot_id', 'user_key'])
        .doUpdateSet(({ ref }) => ({ window_closed_at_ms: ref('excluded.window_closed_at_ms') })),
    ),
);

/** Applies a stored status once the provider's id of the message is known. */
const applyReported = (name: NamedMessage): readonly Call[] => [applyStatus(name), applyOutcome(name), applyClosedWindow(name)];

/** Stores a provider's status report; the write fails when the status is not higher. */
export function keepStatus(bot: OfBot, { status, of, failure, atMs }: Status, nowMs: number): readonly [Call, ...Call[]] {
  const name = { ...bot, providerKey: providerNameOf({ of }) };
  const report = {
    messageId: 'messageId' in of ? of.messageId : undefined,
    idempotencyKey: 'idempotencyKey' in of ? of.idempotencyKey : undefined,
    rank: ranks[status],
    status,
    // A provider may not say why.
    code: failure?.cause ?? (status === 'failed' ? 'FAILED' : undefined),
    explanation: failure?.message.slice(0, 1_000).toWellFormed().replaceAll('\0', ''),
    atMs: atMs > 0 ? Math.min(atMs, nowMs) : nowMs,
  };
  return [asCondition(upsertStatus({ ...name, ...report })), ...applyReported(name)];
}

/**
 * Stores the provider's id of a sent message and applies a status reported before. Runs after the write of `sent`. The first call
 * returns the code of a failure that was reported before.
 */
export function nameMessage(bot: OfBot, messageId: string, providerMessageId: string, nowMs: number) {
  const name = { ...bot, providerKey: providerMessageId };
  return [upsertName({ ...name, messageId, atMs: nowMs }), ...applyReported(name)] as const;
}

/** The execution or caller that sent the message with this provider id, which came too late for its user. */
export const sentByName = companyQuery(named, pick(messages.columns, 'executionId', 'idempotencyKey'), (company, given) =>
  reportedMessage(company, given)
    .select(['sent.execution_id', 'sent.idempotency_key'])
    .where('reported.code', '=', 'OUTSIDE_SESSION_WINDOW'),
);

/** Hilo's own name of the message with this provider id; no row, or none in it, while it is unknown. */
export const messageOfName = providerMessages.read(['messageId'], named, (rows, given) =>
  rows.where('bot_id', '=', given.botId).where('provider_key', '=', given.providerKey),
);

/** The message with this provider id, and its user. */
export const namedUser = companyQuery(named, pick(messages.columns, 'messageId', 'userId'), (company, given) =>
  reportedMessage(company, given).select(['sent.message_id', 'sent.user_id']),
);

/** The message with this id of ours, and its user. */
export const userOfMessage = messages.read(['messageId', 'userId'], pick(messages.columns, 'botId', 'messageId'), (rows, given) =>
  rows.where('bot_id', '=', given.botId).where('message_id', '=', given.messageId).where('direction', '=', 'outbound'),
);

/** The name by which a message is found that a status is about. */
export const providerNameOf = ({ of }: Pick<Status, 'of'>): string => ('messageId' in of ? `hilo ${of.messageId}` : of.providerMessageId);

/** Keeps where a user is reached. */
export const upsertAddress = query({ companyId: text(), ...laneColumns, address: text() }, {}, (db, given) =>
  db
    .insertInto('provider_users')
    .values({
      company_id: given.companyId,
      bot_id: given.botId,
      user_key: given.userKey,
      address: given.address,
      window_closed_at_ms: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'bot_id', 'user_key']).doUpdateSet(({ ref }) => ({ address: ref('excluded.address') })),
    ),
);

/** What the provider has reported about a user. */
export const providerUser = providerUsers.read(['address', 'windowClosedAtMs'], laneColumns, (rows, given) =>
  rows.where('bot_id', '=', given.botId).where('user_key', '=', given.userKey),
);

/** What is no message, as it is stored. */
interface Mark {
  readonly eventId: string;
  readonly userId: string;
  readonly content: JsonObject;
  /** Why no workflow took it. */
  readonly cause?: string | undefined;
}

/** Stores what is no message among the messages of its user; the write fails for one that was stored before (P10). */
export const keepMark = (bot: OfBot, mark: Mark, nowMs: number): Call => asCondition(insertMessage(markedRow(bot, mark, nowMs)));

const markedRow = ({ companyId, botId }: OfBot, { eventId, userId, content, cause }: Mark, nowMs: number): WrittenMessage => ({
  ...laneOf({ companyId, botId, userId }),
  userId,
  messageId: eventId,
  direction: 'inbound',
  message: content,
  idempotencyKey: encodeKey(`told ${botId} ${eventId}`),
  status: 'received',
  createdAtMs: nowMs,
  executionId: undefined,
  nodeId: undefined,
  cause,
});

/**
 * Stores what a person said in the provider's own app as a message to its user, with the provider's id, by which its statuses come. The
 * first of the calls is a condition, which fails for one that was stored before (P10).
 */
export function keepSaid(bot: OfBot, { eventId, userId, content }: Mark, nowMs: number): readonly [Call, ...Call[]] {
  const row: WrittenMessage = {
    ...markedRow(bot, { eventId, userId, content }, nowMs),
    direction: 'outbound',
    idempotencyKey: encodeKey(`said ${bot.botId} ${eventId}`),
    status: 'sent',
  };
  const [naming, ...applying] = nameMessage(bot, eventId, eventId, nowMs);
  return [telling(asCondition(insertMessage(row)), () => tellKept(row)), naming, ...applying, ...meetPeople(bot, [userId])];
}

const deleteOldNames = query({ beforeMs: integer() }, {}, (db, given) =>
  db.deleteFrom('provider_messages').where('at_ms', '<', given.beforeMs).where(isNotAway(db, 'provider_messages')),
);

/** Removes provider ids of messages that get no more reports. */
export const forgetProviderMessages = (nowMs: number): Call => deleteOldNames({ beforeMs: nowMs - namesLastMs });
