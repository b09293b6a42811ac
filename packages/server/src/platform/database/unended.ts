import { isOfUser } from '@hilo/stores';
import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { Database } from './schema.ts';

/** What an execution can be that has not ended. */
export const unended = ['running', 'waiting', 'quarantined'] as const;

/** Named here, since the tables of the service that it would be inferred from have names that no declaration can use. */
type ExecutionsQuery =
  Database extends Kysely<infer Schema> ? SelectQueryBuilder<Schema, 'executions' & keyof Schema, { id: number }> : never;

/** Executions of a workflow, a bot or a user that have not ended: their absence is checked in the statement that removes it. */
export const selectUnended = (
  db: Database,
  column: 'workflow_id' | 'bot_key' | 'user_key',
  companyId: string,
  key: string,
): ExecutionsQuery =>
  db
    .selectFrom('executions')
    .select('executions.id')
    .where('executions.company_id', '=', companyId)
    .where(({ eb }) => (column === 'user_key' ? isOfUser(db, companyId, key) : eb(`executions.${column}`, '=', key)))
    .where('executions.status', 'in', unended);
