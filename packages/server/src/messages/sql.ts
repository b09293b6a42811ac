import type { Value } from '@hilo/stores';
import { type MessageRow, ofCompany, statement } from '../platform/database/schema.ts';

/** The columns of a row as statement parameters. */
type Given = { readonly [Column in keyof MessageRow]: Value & MessageRow[Column] };

/** The same key is the same message: for a duplicate no row is written (P4). */
export const insertMessage = statement<Given>()((db, given) =>
  db
    .insertInto('messages')
    .values({
      company_id: given.company_id,
      bot_id: given.bot_id,
      user_key: given.user_key,
      user_id: given.user_id,
      message_id: given.message_id,
      direction: given.direction,
      message: given.message,
      idempotency_key: given.idempotency_key,
      status: given.status,
      created_at_ms: given.created_at_ms,
      execution_id: given.execution_id,
      node_id: given.node_id,
      cause: given.cause,
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'idempotency_key']).where('idempotency_key', 'is not', null).doNothing()),
);

interface Outcome {
  readonly companyId: string;
  readonly idempotencyKey: string;
  readonly status: string;
  readonly cause: string | null;
}

/** Sets the status of a sent message, unless a report has raised it further: a status only rises. */
export const setStatus = ofCompany<{ readonly [Name in keyof Outcome]: Outcome[Name] }>()((company, given) =>
  company
    .updateTable('messages')
    .set({ status: given.status, cause: given.cause })
    .where('idempotency_key', '=', given.idempotencyKey)
    .where('status', '=', 'queued'),
);

/** Queues a waiting or failed message again; returns no row for one that was sent meanwhile. */
export const queueAgain = ofCompany<{ readonly idempotencyKey: string }>()((company, given) =>
  company
    .updateTable('messages')
    .set({ status: 'queued', cause: null })
    .where('idempotency_key', '=', given.idempotencyKey)
    .where('status', 'in', ['queued', 'failed'])
    .returning('message_id'),
);

/** Why no workflow took a message of a user. */
export const setCause = ofCompany<{ readonly botId: string; readonly messageId: string; readonly cause: string }>()((company, given) =>
  company
    .updateTable('messages')
    .set({ cause: given.cause })
    .where('bot_id', '=', given.botId)
    .where('message_id', '=', given.messageId)
    .where('direction', '=', 'inbound'),
);

/** The columns of a listed message. */
export const columns = [
  'id',
  'message_id',
  'direction',
  'user_id',
  'message',
  'idempotency_key',
  'status',
  'created_at_ms',
  'execution_id',
  'node_id',
  'cause',
] as const;

interface Page {
  readonly companyId: string;
  readonly botId: string;
  readonly after: number;
  readonly limit: number;
}

/** Messages of one user, oldest first. */
export const messagesOfUser = ofCompany<{ readonly [Name in keyof Page]: Page[Name] } & { readonly userKey: string }>()((company, given) =>
  company
    .selectFrom('messages')
    .select(columns)
    .where('bot_id', '=', given.botId)
    .where('user_key', '=', given.userKey)
    .where('id', '>', given.after)
    .orderBy('id')
    .limit(given.limit),
);

/** The latest messages of one user, newest first. */
export const latestOfUser = ofCompany<{ readonly botId: string; readonly userKey: string; readonly limit: number }>()((company, given) =>
  company
    .selectFrom('messages')
    .select(columns)
    .where('bot_id', '=', given.botId)
    .where('user_key', '=', given.userKey)
    .orderBy('id', 'desc')
    .limit(given.limit),
);

/** Marks what a user was sent as read, up to a message of their own; what failed has not arrived. */
export const readUpTo = ofCompany<{ readonly botId: string; readonly userKey: string; readonly messageId: string }>()((company, given) =>
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
