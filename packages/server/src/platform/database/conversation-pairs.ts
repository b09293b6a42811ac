import type { Migration } from '@hilo/stores';

/**
 * Indexes for lists that are filtered by two things at once: what stands before a page is gone through in the index alone,
 * also where a third filter is left (CON-05, CON-19).
 */
export const conversationPairs: Migration = () => [
  'create index conversations_by_bot_state on conversations (company_id, bot_id, state, start_at_ms desc, id, operator_id)',
  'create index conversations_by_operator_state on conversations (company_id, operator_id, state, start_at_ms desc, id, bot_id)',
  'create index conversations_by_bot_operator on conversations (company_id, bot_id, operator_id, start_at_ms desc, id, state)',
];
