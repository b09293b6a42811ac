import { statement } from './outbox-rows.ts';

/** A template to this user that was accepted and has not left. */
export const templateOnItsWay = statement<{ readonly companyId: string; readonly botId: string; readonly userKey: string }>()((db, given) =>
  db
    .selectFrom('outbox')
    .innerJoin('messages', (join) =>
      join.onRef('messages.company_id', '=', 'outbox.company_id').onRef('messages.idempotency_key', '=', 'outbox.idempotency_key'),
    )
    .select('outbox.id')
    .where('outbox.company_id', '=', given.companyId)
    .where('outbox.bot_id', '=', given.botId)
    .where('outbox.user_key', '=', given.userKey)
    .where('messages.message', 'like', '{"type":"template",%') // its type is written first
    .limit(1),
);
