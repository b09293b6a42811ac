import { type RawBuilder, sql } from 'kysely';

/** What an execution can be that has not ended. */
export const unended = ['running', 'waiting', 'quarantined'] as const;

/** Whether an execution of a workflow, a bot or a user has not ended: what is in use is not removed, in the same statement. */
export const hasUnended = (column: 'workflow_id' | 'bot_key' | 'user_key', companyId: string, key: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select executions.id from executions where executions.company_id = ${companyId}
    and ${sql.ref(`executions.${column}`)} = ${key} and executions.status in (${sql.join(unended.map((status) => sql.lit(status)))}))`;
