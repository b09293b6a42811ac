import { statement } from './statement.ts';

export const insertHistory = statement<{ readonly execution: number; readonly body: string }>()((db, { execution, body }) =>
  db.insertInto('histories').values({ execution, body }),
);

/** What an execution began with. */
export const begunOf = statement<{ readonly companyId: string; readonly executionId: string }>()((db, { companyId, executionId }) =>
  db.selectFrom('executions').select('begun').where('company_id', '=', companyId).where('execution_id', '=', executionId),
);

/** What was recorded of it since. */
export const historyOf = statement<{ readonly companyId: string; readonly executionId: string }>()((db, { companyId, executionId }) =>
  db
    .selectFrom('histories')
    .innerJoin('executions', 'executions.id', 'histories.execution')
    .select('histories.body')
    .where('executions.company_id', '=', companyId)
    .where('executions.execution_id', '=', executionId)
    .orderBy('histories.id'),
);
