import type { Statement, Tables } from '@hilo/stores';
import type { Kysely } from 'kysely';
import type { ServiceTables } from '../platform/database/rows.ts';
import { type OutboxTables, statement } from './outbox-rows.ts';
import type { MessageKey } from './outbox-sql.ts';

/** Keeps what became of a message, in place of what became of it before. */
export const keepOutcome = statement<{
  readonly companyId: string;
  readonly botId: string;
  readonly messageId: string;
  readonly code: string | null;
  readonly explanation: string | null;
  readonly updatedAtMs: number;
}>()((db, given) =>
  db
    .insertInto('message_outcomes')
    .values({
      company_id: given.companyId,
      bot_id: given.botId,
      message_id: given.messageId,
      code: given.code,
      explanation: given.explanation,
      updated_at_ms: given.updatedAtMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'bot_id', 'message_id']).doUpdateSet((eb) => ({
        code: eb.ref('excluded.code'),
        explanation: eb.ref('excluded.explanation'),
        updated_at_ms: eb.ref('excluded.updated_at_ms'),
      })),
    ),
);

/** A message with what became of it; nothing did, where its columns are null. */
export interface KeptMessage {
  readonly message_id: string;
  readonly status: string;
  readonly created_at_ms: number;
  readonly code: string | null;
  readonly explanation: string | null;
  readonly updated_at_ms: number | null;
}

const keptMessages = (db: Kysely<Tables & ServiceTables & OutboxTables>) =>
  db
    .selectFrom('messages')
    .leftJoin('message_outcomes', (join) =>
      join
        .onRef('message_outcomes.company_id', '=', 'messages.company_id')
        .onRef('message_outcomes.bot_id', '=', 'messages.bot_id')
        .onRef('message_outcomes.message_id', '=', 'messages.message_id'),
    )
    .select(['messages.message_id', 'status', 'created_at_ms', 'code', 'explanation', 'updated_at_ms']);

type Named = { readonly companyId: string; readonly botId: string; readonly messageId: string };

/** A message that was sent, by its name. */
export const sentMessage: Statement<Named, KeptMessage> = statement<Named>()((db, given) =>
  keptMessages(db)
    .where('messages.company_id', '=', given.companyId)
    .where('messages.bot_id', '=', given.botId)
    .where('messages.message_id', '=', given.messageId)
    .where('direction', '=', 'outbound')
    .limit(1),
);

/** The same by its key. */
export const keyedMessage: Statement<MessageKey, KeptMessage> = statement<MessageKey>()((db, given) =>
  keptMessages(db).where('messages.company_id', '=', given.companyId).where('idempotency_key', '=', given.idempotencyKey),
);
