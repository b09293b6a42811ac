// Statements over the messages that are kept.
import { integer, type Parametered, pick, plain } from '@hilo/stores';
import { laneColumns } from '../platform/database/lanes.ts';
import { companyQuery, query } from '../platform/database/schema.ts';
import { messages } from '../platform/tables/messages.ts';

const { columns } = messages;

const written = {
  ...pick(columns, 'companyId', 'botId', 'userId', 'messageId', 'direction', 'message', 'idempotencyKey', 'status', 'createdAtMs'),
  ...pick(columns, 'executionId', 'nodeId', 'cause'),
  /** The bot may know the user by another id than the one that the message is for. */
  userKey: plain(),
};
/** A message as it is written. */
export type WrittenMessage = Parametered<typeof written>;

/** The same key is the same message: for a duplicate no row is written (P4). */
export const insertMessage = query(written, {}, (db, given) =>
  db
    .insertInto('messages')
    .values({
      company_id: given.companyId,
      bot_id: given.botId,
      user_key: given.userKey,
      user_id: given.userId,
      message_id: given.messageId,
      direction: given.direction,
      message: given.message,
      idempotency_key: given.idempotencyKey,
      status: given.status,
      created_at_ms: given.createdAtMs,
      execution_id: given.executionId,
      node_id: given.nodeId,
      cause: given.cause,
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'idempotency_key']).where('idempotency_key', 'is not', null).doNothing()),
);

/** Sets the status of a sent message, unless a report has raised it further: a status only rises. */
export const setStatus = companyQuery({ idempotencyKey: plain(), ...pick(columns, 'status', 'cause') }, {}, (company, given) =>
  company
    .updateTable('messages')
    .set({ status: given.status, cause: given.cause })
    .where('idempotency_key', '=', given.idempotencyKey)
    .where('status', '=', 'queued'),
);

/** Queues a waiting or failed message again; gives no row for one that was sent meanwhile. */
export const queueAgain = messages.change({ idempotencyKey: plain() }, (rows, given) =>
  rows
    .set({ status: 'queued', cause: null })
    .where('idempotency_key', '=', given.idempotencyKey)
    .where('status', 'in', ['queued', 'failed']),
);

/** Why no workflow took a message of a user. */
export const setCause = companyQuery(pick(columns, 'botId', 'messageId', 'cause'), {}, (company, given) =>
  company
    .updateTable('messages')
    .set({ cause: given.cause })
    .where('bot_id', '=', given.botId)
    .where('message_id', '=', given.messageId)
    .where('direction', '=', 'inbound'),
);

/** What is read of a listed message. */
export const listedNames = [
  'id',
  'messageId',
  'direction',
  'userId',
  'message',
  'idempotencyKey',
  'status',
  'createdAtMs',
  'executionId',
  'nodeId',
  'cause',
] as const;

/** A message that was accepted so often is handed in no more. */
export const mostAcceptances = 100;

/** Each acceptance of a message of a user, oldest first: it has another when it is handed in again. */
export const acceptancesOf = messages.read(listedNames, pick(columns, 'botId', 'messageId'), (rows, given) =>
  rows
    .where('bot_id', '=', given.botId)
    .where('message_id', '=', given.messageId)
    .where('direction', '=', 'inbound')
    .orderBy('id')
    .limit(mostAcceptances),
);

/** Messages of one user, oldest first. */
export const messagesOfUser = messages.read(listedNames, { ...laneColumns, after: integer(), limit: integer() }, (rows, given) =>
  rows
    .where('bot_id', '=', given.botId)
    .where('user_key', '=', given.userKey)
    .where('id', '>', given.after)
    .orderBy('id')
    .limit(given.limit),
);

/** The latest messages of one user, newest first. */
export const latestOfUser = messages.read(listedNames, { ...laneColumns, limit: integer() }, (rows, given) =>
  rows.where('bot_id', '=', given.botId).where('user_key', '=', given.userKey).orderBy('id', 'desc').limit(given.limit),
);

/** Marks what a user was sent as read, up to a message of their own; what failed has not arrived. */
export const readUpTo = companyQuery({ ...laneColumns, ...pick(columns, 'messageId') }, {}, (company, given) =>
  company
    .updateTable('messages')
    .set({ status: 'read' })
    .where('bot_id', '=', given.botId)
    .where('user_key', '=', given.userKey)
    .where('direction', '=', 'outbound')
    .where('status', 'in', ['sent', 'delivered'])
    .where('id', '<=', (eb) =>
      eb
        .selectFrom('messages as last')
        .select((last) => last.fn.max('last.id').as('id'))
        .where('last.company_id', '=', given.companyId)
        .where('last.bot_id', '=', given.botId)
        .where('last.user_key', '=', given.userKey)
        .where('last.message_id', '=', given.messageId),
    ),
);
