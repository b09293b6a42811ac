import { type Call, call } from '@hilo/stores';
import { sql } from 'kysely';
import { activeKeyOf, statement } from '../platform/database/schema.ts';

type Talk = { readonly activeKey: string; readonly atMs: number };

const userWrote = statement<Talk>()((db, given) =>
  db
    .updateTable('conversations')
    .set({
      last_message_by: 'user',
      waiting_since_ms: sql<number>`coalesce(waiting_since_ms, ${given.atMs})`,
      due_at_ms: sql<number>`${given.atMs} + idle_ms`,
    })
    .where('active_key', '=', given.activeKey),
);

const botWrote = statement<Talk>()((db, given) =>
  db.updateTable('conversations').set({ last_message_by: 'bot' }).where('active_key', '=', given.activeKey),
);

/**
 * A message of the user, or of the bot itself: whose the last one is in the conversation that they have now, and since when
 * the user waits (STA-07). A record that a workspace brought stays as it is.
 */
export const noteMessage = (by: 'user' | 'bot', { atMs, ...whose }: Parameters<typeof activeKeyOf>[0] & { readonly atMs: number }): Call =>
  call(by === 'user' ? userWrote : botWrote, { activeKey: activeKeyOf(whose), atMs });
