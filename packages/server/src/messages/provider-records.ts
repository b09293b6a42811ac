// Status reports of providers on sent messages, by the provider's id of a message, which may arrive before that id is known here.
import type { ChannelEvent } from '@hilo/channels';
import type { JsonObject } from '@hilo/engine/contract';
import { type Call, call, condition, encodeKey, encodeText } from '@hilo/stores';
import { sql } from 'kysely';
import { isNotAway } from '../platform/database/not-away.ts';
import { type Database, type MessageRow, ofCompany, statement } from '../platform/database/schema.ts';
import { telling } from '../platform/events/telling.ts';
import { tellKept } from './message-events.ts';
import { insertMessage } from './sql.ts';
import type { BotColumns, LaneColumns } from '../platform/database/lanes.ts';

/** A message by its provider's own name. */
type NamedMessage = BotColumns & { readonly providerKey: string };

type Status = Extract<ChannelEvent, { readonly kind: 'status' }>;

/** A status only rises: a late lower one is ignored. A message that was delivered has not failed. */
const ranks = { none: 0, sent: 1, failed: 2, delivered: 3, read: 4 } as const;

/** How long a provider's name of a message is kept for statuses that are still to come. */
const namesLastMs = 30 * 86_400_000;

type ReportedStatus = {
  /** Hilo's own name of the message; null where it is not known. */
  readonly messageId: string | null;
  /** With which it was sent; null where it is not known. */
  readonly idempotencyKey: string | null;
  readonly rank: number;
  readonly status: string | null;
  readonly code: string | null;
  readonly explanation: string | null;
  readonly atMs: number;
};

/** Stores a status; returns no row when it is not higher. */
const upsertStatus = ofCompany<NamedMessage & ReportedStatus>()((company, given, db) =>
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
const upsertName = statement<NamedMessage & { readonly messageId: string; readonly atMs: number }>()((db, given) =>
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
const applyStatus = ofCompany<NamedMessage>()((company, given) => {
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
const applyOutcome = ofCompany<NamedMessage>()((company, given, db) =>
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

/** A message that failed behind a closed window closes the window of its user here as well (WIN-02). */
const applyClosedWindow = ofCompany<NamedMessage>()((company, given, db) =>
  db
    .insertInto('provider_users')
    .columns(['company_id', 'bot_id', 'user_key', 'window_closed_at_ms'])
    .expression(
      company
        .selectFrom('provider_messages as reported')
        .innerJoin('messages as sent', (join) =>
          join
            .onRef('sent.company_id', '=', 'reported.company_id')
            .onRef('sent.bot_id', '=', 'reported.bot_id')
            .onRef('sent.message_id', '=', 'reported.message_id'),
        )
        .select(['sent.company_id', 'sent.bot_id', 'sent.user_key', 'reported.at_ms'])
        .where('reported.bot_id', '=', given.botId)
        .where('reported.provider_key', '=', given.providerKey)
        .where('reported.code', '=', 'OUTSIDE_SESSION_WINDOW')
        .where('sent.direction', '=', 'outbound'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'bot_id', 'user_key'])
        .doUpdateSet(({ ref }) => ({ window_closed_at_ms: ref('excluded.window_closed_at_ms') })),
    ),
);

/** Applies a stored status once the provider's id of the message is known. */
const applyReported = (name: NamedMessage): readonly Call[] => [
  call(applyStatus, name),
  call(applyOutcome, name),
  call(applyClosedWindow, name),
];

/** Stores a provider's status report; the write fails when the status is not higher. */
export function keepStatus(bot: BotColumns, { status, of, failure, atMs }: Status, nowMs: number): readonly [Call, ...Call[]] {
  const name = { ...bot, providerKey: providerKeyOf({ of }) };
  const reported: ReportedStatus = {
    messageId: 'messageId' in of ? encodeText(of.messageId) : null,
    idempotencyKey: 'idempotencyKey' in of ? of.idempotencyKey : null,
    rank: ranks[status],
    status,
    code: failure?.cause ?? null,
    explanation: failure?.message.slice(0, 1_000).toWellFormed().replaceAll('\0', '') ?? null,
    atMs: atMs > 0 ? Math.min(atMs, nowMs) : nowMs,
  };
  return [condition(upsertStatus, { ...name, ...reported }), ...applyReported(name)];
}

/**
 * Stores the provider's id of a sent message and applies a status reported before. Runs after the write of `sent`. The first call
 * returns the code of a failure that was reported before.
 */
export function nameMessage(bot: BotColumns, messageId: string, providerMessageId: string, nowMs: number) {
  const name = { ...bot, providerKey: encodeKey(providerMessageId) };
  return [call(upsertName, { ...name, messageId, atMs: nowMs }), ...applyReported(name)] as const;
}

/** The message of ours that has a provider's name; no row while that is unknown. */
const reportedMessage = (db: Database, { companyId, botId, providerKey }: NamedMessage) =>
  db
    .selectFrom('provider_messages as reported')
    .innerJoin('messages as sent', (join) =>
      join
        .onRef('sent.company_id', '=', 'reported.company_id')
        .onRef('sent.bot_id', '=', 'reported.bot_id')
        .onRef('sent.message_id', '=', 'reported.message_id'),
    )
    .where('reported.company_id', '=', companyId)
    .where('reported.bot_id', '=', botId)
    .where('reported.provider_key', '=', providerKey)
    .where('sent.direction', '=', 'outbound');

/** The execution or caller that sent the message with this provider id, which came too late for its user. */
export const sentByName = statement<NamedMessage>()((db, given) =>
  reportedMessage(db, given).select(['sent.execution_id', 'sent.idempotency_key']).where('reported.code', '=', 'OUTSIDE_SESSION_WINDOW'),
);

/** Hilo's own name of the message with this provider id; no row, or null, while it is unknown. */
export const messageOfName = ofCompany<NamedMessage>()((company, given) =>
  company
    .selectFrom('provider_messages')
    .select('message_id')
    .where('bot_id', '=', given.botId)
    .where('provider_key', '=', given.providerKey),
);

/** The message with this provider id, and its user. */
export const namedUser = statement<NamedMessage>()((db, given) => reportedMessage(db, given).select(['sent.message_id', 'sent.user_id']));

/** The message with this id of ours, and its user. */
export const userOfMessage = ofCompany<BotColumns & { readonly messageId: string }>()((company, given) =>
  company
    .selectFrom('messages')
    .select(['message_id', 'user_id'])
    .where('bot_id', '=', given.botId)
    .where('message_id', '=', given.messageId)
    .where('direction', '=', 'outbound'),
);

/** The key of what a status is about. */
export const providerKeyOf = ({ of }: Pick<Status, 'of'>): string =>
  encodeKey('messageId' in of ? `hilo ${of.messageId}` : of.providerMessageId);

/** Keeps where a user is reached. */
export const upsertAddress = statement<LaneColumns & { readonly address: string }>()((db, given) =>
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
export const providerUser = ofCompany<LaneColumns>()((company, given) =>
  company
    .selectFrom('provider_users')
    .select(['address', 'window_closed_at_ms'])
    .where('bot_id', '=', given.botId)
    .where('user_key', '=', given.userKey),
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
export const keepMark = (bot: BotColumns, mark: Mark, nowMs: number): Call => condition(insertMessage, markedRow(bot, mark, nowMs));

const markedRow = ({ companyId, botId }: BotColumns, { eventId, userId, content, cause }: Mark, nowMs: number): MessageRow => ({
  company_id: companyId,
  bot_id: botId,
  user_key: encodeKey(userId),
  user_id: encodeText(userId),
  message_id: encodeText(eventId),
  direction: 'inbound',
  message: JSON.stringify(content),
  idempotency_key: encodeKey(`told ${botId} ${eventId}`),
  status: 'received',
  created_at_ms: nowMs,
  execution_id: null,
  node_id: null,
  cause: cause ?? null,
});

/**
 * Stores what a person said in the provider's own app as a message to its user, with the provider's id, by which its statuses come. The
 * first of the calls is a condition, which fails for one that was stored before (P10).
 */
export function keepSaid(bot: BotColumns, { eventId, userId, content }: Mark, nowMs: number): readonly [Call, ...Call[]] {
  const row: MessageRow = {
    ...markedRow(bot, { eventId, userId, content }, nowMs),
    direction: 'outbound',
    idempotency_key: encodeKey(`said ${bot.botId} ${eventId}`),
    status: 'sent',
  };
  const [naming, ...applying] = nameMessage(bot, row.message_id, eventId, nowMs);
  return [telling(condition(insertMessage, row), () => tellKept(row)), naming, ...applying];
}

const deleteOldNames = statement<{ readonly beforeMs: number }>()((db, given) =>
  db.deleteFrom('provider_messages').where('at_ms', '<', given.beforeMs).where(isNotAway(db, 'provider_messages')),
);

/** Removes provider ids of messages that get no more reports. */
export const forgetProviderMessages = (nowMs: number): Call => call(deleteOldNames, { beforeMs: nowMs - namesLastMs });
