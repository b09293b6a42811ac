// The log of messages, in both directions.
import { createHash } from 'node:crypto';
import type { Clock, Commit, Committed, ExecutionStore, JsonObject } from '@hilo/engine/contract';
import { type Call, call, condition, type DurableStore, encodeKey, decodeText, encodeText } from '@hilo/stores';
import { sql } from 'kysely';
import { telling } from '../platform/events/telling.ts';
import { appOrigin } from '../platform/tables/conversations.ts';
import { type MessageRow, statement } from '../platform/database/schema.ts';
import type { LoggedMessage, MessageLog, OnKept, OutboundMessage } from './messages.ts';
import { laneOf } from './outbox-sql.ts';
import { tellKept } from './message-events.ts';
import { readMessagePage } from './message-pages.ts';
import { insertMessage, setCause } from './sql.ts';
import { nameLane } from '../platform/database/lanes.ts';

/** The log of a store's messages, in both directions. */
export function createMessageLog(
  { runner, executions }: Pick<DurableStore, 'runner' | 'executions'>,
  clock: Pick<Clock, 'now'>,
  onKept: OnKept = () => {},
): MessageLog {
  return {
    async sent(message) {
      const row = outboundRow(message, 'sent', clock.now());
      await runner.write(keepOutbound(row));
      onKept(laneOf(row));
      return row.message_id;
    },
    async unmatched({ companyId, botId, messageId, cause }) {
      const named = { companyId: encodeText(companyId), botId: encodeText(botId), messageId: encodeText(messageId), cause };
      await runner.write([call(setCause, named)]);
    },
    async list(companyId, botId, filter) {
      const { rows, next } = await readMessagePage({ runner, executions }, { companyId, botId }, filter);
      return { results: rows.map(toLogged), nextCursor: next === undefined ? null : String(next) };
    },
  };
}

/** The name of a message comes from its key, so that every attempt has the same (P4). */
const messageIdOf = ({ companyId, idempotencyKey }: OutboundMessage): string =>
  `msg_${createHash('sha256')
    .update(JSON.stringify([companyId, idempotencyKey]))
    .digest('hex')
    .slice(0, 32)}`;

/** A message that is sent, as it is kept. */
export const outboundRow = (message: OutboundMessage, status: string, nowMs: number): MessageRow => ({
  company_id: encodeText(message.companyId),
  bot_id: encodeText(message.botId),
  user_key: encodeKey(message.userId),
  user_id: encodeText(message.userId),
  message_id: messageIdOf(message),
  direction: 'outbound',
  message: JSON.stringify(message.message),
  idempotency_key: encodeKey(message.idempotencyKey),
  status,
  created_at_ms: nowMs,
  execution_id: message.executionId ?? null,
  node_id: message.nodeId ?? null,
  cause: null,
});

/**
 * Keeps a message that the bot sends, and notes it in the conversation that an operator has with the user. The same key
 * again is the same message: then nothing of the write that this begins is kept.
 */
export function keepOutbound(row: MessageRow): readonly Call[] {
  const { company_id: companyId, bot_id: botId, user_key: userKey, created_at_ms: atMs } = row;
  const keeping = condition(insertMessage, row);
  return [row.status === 'sent' ? telling(keeping, () => tellKept(row)) : keeping, noteMessage('bot', { companyId, botId, userKey, atMs })];
}

/** A message of a user, as it is accepted. */
export interface InboundRow {
  readonly companyId: string;
  readonly botId: string;
  readonly userId: string;
  readonly message: JsonObject;
  readonly acceptedAtMs: number;
}

/** Keeps a user's message; belongs into the transaction that accepts it. */
function recordInbound({ companyId, botId, userId, message, acceptedAtMs }: InboundRow): Call {
  const { id } = message;
  return call(insertMessage, {
    company_id: encodeText(companyId),
    bot_id: encodeText(botId),
    user_key: encodeKey(userId),
    user_id: encodeText(userId),
    message_id: encodeText(typeof id === 'string' ? id : ''),
    direction: 'inbound',
    message: JSON.stringify(message),
    idempotency_key: null,
    status: 'received',
    created_at_ms: acceptedAtMs,
    execution_id: null,
    node_id: null,
    cause: null,
  });
}

type Row = Omit<MessageRow, 'company_id' | 'bot_id' | 'user_key'>;

const toLogged = (row: Row): LoggedMessage => ({
  messageId: decodeText(row.message_id),
  direction: row.direction === 'inbound' ? 'inbound' : 'outbound',
  userId: decodeText(row.user_id),
  message: JSON.parse(row.message) as JsonObject,
  idempotencyKey: row.direction === 'outbound' ? row.idempotency_key : null,
  status: row.status as LoggedMessage['status'],
  createdAtMs: row.created_at_ms,
  executionId: row.execution_id,
  nodeId: row.node_id,
  cause: row.cause,
});

/**
 * The engine's store, which also logs every accepted message in the same transaction. A duplicate message is logged once (P10).
 */
export const recordingInbound = (store: Pick<DurableStore, 'executions' | 'commitWith'>, onKept: OnKept = () => {}): ExecutionStore => ({
  ...store.executions,
  commit(commit) {
    const { enqueue, taken = [] } = commit;
    const messages = enqueue.length + taken.length === 0 ? [] : [...enqueue, ...taken].flatMap(listMessages);
    return messages.length === 0 ? store.executions.commit(commit) : commitLogged(store, commit, messages, onKept);
  },
});

const listMessages = ({ companyId, acceptedAtMs, accepted }: Commit['enqueue'][number]): InboundRow[] =>
  accepted.kind === 'message'
    ? [{ companyId, acceptedAtMs, botId: accepted.botId, userId: accepted.userId, message: accepted.message }]
    : [];

async function commitLogged(
  store: Pick<DurableStore, 'commitWith'>,
  commit: Commit,
  messages: readonly InboundRow[],
  onKept: OnKept,
): Promise<Committed> {
  const result = await store.commitWith(commit, messages.flatMap(record));
  for (const { companyId, botId, userId } of messages)
    onKept({ companyId: encodeText(companyId), botId: encodeText(botId), userKey: encodeKey(userId) });
  return result;
}

function record(message: InboundRow): readonly Call[] {
  const { companyId, botId, userId, acceptedAtMs: atMs } = message;
  return [
    recordInbound(message),
    noteMessage('user', { companyId: encodeText(companyId), botId: encodeText(botId), userKey: encodeKey(userId), atMs }),
  ];
}

type Talk = { readonly activeKey: string; readonly atMs: number };

const userWrote = statement<Talk>()((db, given) =>
  db
    .updateTable('conversations')
    .set({
      last_message_by: 'user',
      waiting_since_ms: sql<number>`coalesce(waiting_since_ms, ${given.atMs})`,
      // A takeover ends its time after the person's last message, whatever the user writes.
      due_at_ms: sql<number | null>`case when origin = ${sql.lit(appOrigin)} then due_at_ms else ${given.atMs} + idle_ms end`,
    })
    .where('active_key', '=', given.activeKey),
);

const botWrote = statement<Talk>()((db, given) =>
  db.updateTable('conversations').set({ last_message_by: 'bot' }).where('active_key', '=', given.activeKey),
);

/**
 * Notes in the user's open conversation who sent the last message, and since when the user waits (STA-07). An imported record stays
 * as it is.
 */
const noteMessage = (by: 'user' | 'bot', { atMs, ...whose }: Parameters<typeof nameLane>[0] & { readonly atMs: number }): Call =>
  call(by === 'user' ? userWrote : botWrote, { activeKey: nameLane(whose), atMs });
