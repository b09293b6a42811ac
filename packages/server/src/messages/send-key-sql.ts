import { statement } from './outbox-rows.ts';

type SendKey = { readonly companyId: string; readonly botId: string; readonly sendKey: string };

/** Takes an `Idempotency-Key` that nobody uses, or whose day is over; gives no row otherwise. */
export const takeSendKey = statement<
  SendKey & {
    readonly fingerprint: string;
    readonly messageId: string;
    /** The conversation whose open group of texts the key stands for; null where it stands for a message. */
    readonly conversationId: string | null;
    readonly nowMs: number;
    readonly untilMs: number;
  }
>()((db, given) =>
  db
    .insertInto('send_keys')
    .values({
      company_id: given.companyId,
      bot_id: given.botId,
      send_key: given.sendKey,
      fingerprint: given.fingerprint,
      message_id: given.messageId,
      until_ms: given.untilMs,
      leaves_at_ms: db
        .selectFrom('operator_groups')
        .select('due_at_ms')
        .where('company_id', '=', given.companyId)
        .where('conversation_id', '=', given.conversationId),
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
export const usedSendKey = statement<SendKey & { readonly nowMs: number }>()((db, given) =>
  db
    .selectFrom('send_keys')
    .select(['fingerprint', 'message_id', 'leaves_at_ms'])
    .where('company_id', '=', given.companyId)
    .where('bot_id', '=', given.botId)
    .where('send_key', '=', given.sendKey)
    .where('until_ms', '>', given.nowMs),
);

export const forgetSendKeys = statement<{ readonly nowMs: number }>()((db, given) =>
  db.deleteFrom('send_keys').where('until_ms', '<=', given.nowMs),
);
