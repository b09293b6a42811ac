import { statement } from './rows.ts';

type Place = { readonly companyId: string; readonly conversationId: string };

/** Opens a group, or joins the one that is open; gives no row while one is leaving, or has to. */
export const joinGroup = statement<Place & { readonly nowMs: number; readonly dueAtMs: number }>()((db, given) =>
  db
    .insertInto('operator_groups')
    .values({ company_id: given.companyId, conversation_id: given.conversationId, due_at_ms: given.dueAtMs, is_leaving: 0, parts_sent: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'conversation_id'])
        .doUpdateSet({ is_leaving: 0 })
        .where('operator_groups.is_leaving', '=', 0)
        .where('operator_groups.due_at_ms', '>', given.nowMs),
    )
    .returning('due_at_ms'),
);

export const insertText = statement<Place & { readonly text: string }>()((db, given) =>
  db.insertInto('operator_texts').values({ company_id: given.companyId, conversation_id: given.conversationId, text: given.text }),
);

/** From now on nothing is added to a group. */
export const letLeave = statement<Place>()((db, given) =>
  db
    .updateTable('operator_groups')
    .set({ is_leaving: 1 })
    .where('company_id', '=', given.companyId)
    .where('conversation_id', '=', given.conversationId)
    .returning('parts_sent'),
);

export const textsOfGroup = statement<Place>()((db, given) =>
  db
    .selectFrom('operator_texts')
    .select('text')
    .where('company_id', '=', given.companyId)
    .where('conversation_id', '=', given.conversationId)
    .orderBy('id'),
);

/** Counts a part that leaves; gives no row when somebody else has sent it. */
export const countPart = statement<Place & { readonly before: number; readonly after: number }>()((db, given) =>
  db
    .updateTable('operator_groups')
    .set({ parts_sent: given.after })
    .where('company_id', '=', given.companyId)
    .where('conversation_id', '=', given.conversationId)
    .where('is_leaving', '=', 1)
    .where('parts_sent', '=', given.before)
    .returning('parts_sent'),
);

export const removeGroup = statement<Place>()((db, given) =>
  db.deleteFrom('operator_groups').where('company_id', '=', given.companyId).where('conversation_id', '=', given.conversationId),
);

export const removeTexts = statement<Place>()((db, given) =>
  db.deleteFrom('operator_texts').where('company_id', '=', given.companyId).where('conversation_id', '=', given.conversationId),
);

export const dueGroups = statement<{ readonly nowMs: number }>()((db, given) =>
  db
    .selectFrom('operator_groups')
    .select(['company_id', 'conversation_id'])
    .where('due_at_ms', '<=', given.nowMs)
    .orderBy('due_at_ms')
    .limit(1_000),
);
