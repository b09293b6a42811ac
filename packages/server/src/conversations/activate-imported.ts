import { type Call, call } from '@hilo/stores';
import type { ConversationRow } from '../platform/database/attention-rows.ts';
import { activeKeyOf } from './active-key.ts';
import { usualIdleMs } from './conversations.ts';
import { goOn } from './sql.ts';

/**
 * Lets conversations that a workspace brought, and that are active, go on as if they had begun here: the user's messages are
 * the operator's, and one that falls silent expires. One in which nothing is known to have happened for as long as that is a
 * record and nothing more, until its operator writes: it takes no messages away from the workflows.
 */
export const letGoOn = (rows: readonly ConversationRow[], nowMs: number): readonly Call[] =>
  rows.flatMap((row) => {
    const { company_id: companyId, id, bot_id: botId, user_key: userKey, start_at_ms: startMs } = row;
    const dueAtMs = Math.max(startMs, row.first_replied_at_ms ?? startMs) + usualIdleMs;
    if (row.state !== 'active' || startMs > nowMs || dueAtMs <= nowMs) return [];
    return [call(goOn, { companyId, id, activeKey: activeKeyOf({ companyId, botId, userKey }), idleMs: usualIdleMs, dueAtMs })];
  });
