import { sql } from 'kysely';
import { statement } from './statement.ts';

/** What one commit records of an execution that is there already. */
export type HistoryValues = { readonly companyId: string; readonly executionId: string; readonly body: string };

/** Writes no row when there is no such execution. */
export const insertHistory = statement<HistoryValues>()((db, given) =>
  db
    .insertInto('histories')
    .columns(['execution', 'body'])
    .expression(({ selectFrom }) =>
      selectFrom('executions')
        .select(['id', sql<string>`cast(${given.body} as text)`.as('body')])
        .where('company_id', '=', given.companyId)
        .where('execution_id', '=', given.executionId),
    ),
);

/** The history of an execution, in order: the records in its row, if any, then the rest. */
export const historyOf = statement<{ readonly companyId: string; readonly executionId: string }>()((db, { companyId, executionId }) =>
  db
    .selectFrom('executions')
    .select(['begun as body', sql<number>`0`.as('position')])
    .where('company_id', '=', companyId)
    .where('execution_id', '=', executionId)
    .unionAll(
      db
        .selectFrom('histories')
        .innerJoin('executions', 'executions.id', 'histories.execution')
        .select(['histories.body', 'histories.id as position'])
        .where('executions.company_id', '=', companyId)
        .where('executions.execution_id', '=', executionId),
    )
    .orderBy('position'),
);
