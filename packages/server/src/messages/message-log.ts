// The log of messages, in both directions.
import { createHash } from 'node:crypto';
import type { Clock, Commit, Committed, ExecutionStore, JsonObject } from '@hilo/engine/contract';
import { asCondition, type Call, type DurableStore, encodeKey, integer, plain } from '@hilo/stores';
import { sql } from 'kysely';
import { telling } from '../platform/events/telling.ts';
import { messageOutcomes } from '../platform/tables/sending.ts';
import { appOrigin } from '../platform/tables/conversations.ts';
import { query } from '../platform/database/schema.ts';
import type { LoggedMessage, MessageLog, OnKept, OutboundMessage } from './messages.ts';
import { tellKept } from './message-events.ts';
import { readMessagePage } from './message-pages.ts';
import { insertMessage, type listedNames, setCause, type WrittenMessage } from './sql.ts';
import { type Lane, laneOf, nameLane } from '../platform/database/lanes.ts';

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
      onKept(row);
      return row.messageId;
    },
    async unmatched({ companyId, botId, messageId, cause }) {
      await runner.write([setCause({ companyId, botId, messageId, cause })]);
    },
    async list(companyId, botId, filter) {
      const { rows, next } = await readMessagePage({ runner, executions }, { companyId, botId }, filter);
      const failed = rows.filter(({ cause, direction }) => cause !== undefined && direction === 'outbound');
      const outcomes = await runner.readEach(failed.map(({ messageId }) => messageOutcomes.find({ companyId, botId, messageId })));
      const explanations = new Map(outcomes.flat().map(({ messageId, explanation }) => [messageId, explanation]));
      const results = rows.map((row) => ({ ...toLogged(row), explanation: explanations.get(row.messageId) }));
      return { results, nextCursor: next === undefined ? null : String(next) };
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
export const outboundRow = (message: OutboundMessage, status: string, nowMs: number): WrittenMessage => ({
  ...laneOf(message),
  userId: message.userId,
  messageId: messageIdOf(message),
  direction: 'outbound',
  message: message.message,
  idempotencyKey: encodeKey(message.idempotencyKey),
  status,
  createdAtMs: nowMs,
  executionId: message.executionId,
  nodeId: message.nodeId,
  cause: undefined,
});

/**
 * Keeps a message that the bot sends, and notes it in the conversation that an operator has with the user. The same key
 * again is the same message: then nothing of the write that this begins is kept.
 */
export function keepOutbound(row: WrittenMessage): readonly Call[] {
  const keeping = asCondition(insertMessage(row));
  return [row.status === 'sent' ? telling(keeping, () => tellKept(row)) : keeping, noteMessage('bot', row, row.createdAtMs)];
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
  return insertMessage({
    ...laneOf({ companyId, botId, userId }),
    userId,
    messageId: typeof id === 'string' ? id : '',
    direction: 'inbound',
    message,
    idempotencyKey: undefined,
    status: 'received',
    createdAtMs: acceptedAtMs,
    executionId: undefined,
    nodeId: undefined,
    cause: undefined,
  });
}

const toLogged = (row: Pick<WrittenMessage, Exclude<(typeof listedNames)[number], 'id'>>): LoggedMessage => ({
  messageId: row.messageId,
  direction: row.direction,
  userId: row.userId,
  message: row.message,
  idempotencyKey: row.direction === 'outbound' ? (row.idempotencyKey ?? null) : null,
  status: row.status as LoggedMessage['status'],
  createdAtMs: row.createdAtMs,
  executionId: row.executionId ?? null,
  nodeId: row.nodeId ?? null,
  cause: row.cause ?? null,
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
  for (const message of messages) onKept(laneOf(message));
  return result;
}

const record = (message: InboundRow): readonly Call[] => [
  recordInbound(message),
  noteMessage('user', laneOf(message), message.acceptedAtMs),
];

const talk = { activeKey: plain(), atMs: integer() };

const userWrote = query(talk, {}, (db, given) =>
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

const botWrote = query(talk, {}, (db, given) =>
  db.updateTable('conversations').set({ last_message_by: 'bot' }).where('active_key', '=', given.activeKey),
);

/**
 * Notes in the user's open conversation who sent the last message, and since when the user waits (STA-07). An imported record stays
 * as it is.
 */
const noteMessage = (by: 'user' | 'bot', lane: Lane, atMs: number): Call =>
  (by === 'user' ? userWrote : botWrote)({ activeKey: nameLane(lane), atMs });
