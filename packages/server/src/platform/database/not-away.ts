import { sql } from 'kysely';
import { text } from '@hilo/stores';
import { type Database, query, type ServiceTables } from './schema.ts';

/** The tables that work on the rows of all companies reads or clears. */
type Table = Extract<
  keyof ServiceTables,
  | 'campaigns'
  | 'chat_files'
  | 'conversations'
  | 'files'
  | 'jobs'
  | 'operator_groups'
  | 'outbox'
  | 'payments'
  | 'provider_messages'
  | 'runtime_tokens'
  | 'scheduled_starts'
  | 'send_keys'
  | 'event_deliveries'
  | 'event_subscriptions'
>;

/** Of companies in these states the database refuses every change. */
export const awayStates = ['fenced', 'left'] as const;

/** The companies that are about to leave, or have left. */
export const selectAway = query({}, { companyId: text() }, (db) =>
  db.selectFrom('company_moves').select('company_id').where('state', 'in', awayStates),
);

/**
 * Holds for rows of companies that are neither about to leave nor have left: the database refuses every change of the others' rows. What
 * works on the rows of all companies passes over those, so that a company whose move was interrupted holds up no other.
 */
export const isNotAway = (db: Database, table: Table) =>
  sql<boolean>`not exists ${db
    .selectFrom('company_moves')
    .select('company_moves.company_id')
    .where('company_moves.company_id', '=', sql.ref<string>(`${table}.company_id`))
    .where('company_moves.state', 'in', awayStates)}`;
