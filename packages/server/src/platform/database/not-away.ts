import { sql } from 'kysely';
import type { Database, ServiceTables } from './schema.ts';

/** The tables that work on the rows of all companies reads or clears. */
type Table = Extract<
  keyof ServiceTables,
  | 'campaigns'
  | 'chat_files'
  | 'conversations'
  | 'operator_groups'
  | 'outbox'
  | 'payments'
  | 'provider_messages'
  | 'runtime_tokens'
  | 'send_keys'
>;

/**
 * Holds for rows of companies that are neither about to leave nor have left: the database refuses every change of the others' rows. What
 * works on the rows of all companies passes over those, so that a company whose move was interrupted holds up no other.
 */
export const isNotAway = (db: Database, table: Table) =>
  sql<boolean>`not exists ${db
    .selectFrom('company_moves')
    .select('company_moves.company_id')
    .where('company_moves.company_id', '=', sql.ref<string>(`${table}.company_id`))
    .where('company_moves.state', 'in', ['fenced', 'left'])}`;
