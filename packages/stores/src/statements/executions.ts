import { type Selectable, sql } from 'kysely';
import type { Tables } from '../schema/row-types.ts';
import type { Database } from './database.ts';
import { isInPart, isSamePart, partColumn, partOf } from './partition.ts';
import { statement, valuesOf } from './statement.ts';
import { isOfUser } from './users-executions.ts';

/** The columns that an execution begins with, and those that each advance writes. */
export const bornColumns = [
  ...(['company_id', 'execution_id', 'workflow_id', 'lane', 'parent_execution_id', 'parent_wait_id'] as const),
  ...(['created_at_ms', 'bot_key', 'user_key', 'begun'] as const),
];
export const advancedColumns = [
  ...(['version', 'revision', 'updated_at_ms', 'state', 'status', 'wait_id', 'due_at_ms', 'reply_since_ms'] as const),
  ...(['signal_name', 'signal_value', 'unsettled', 'ended_at_ms'] as const),
];

/** An execution's row, as far as it is written from outside. */
export type ExecutionValues = Pick<Selectable<Tables['executions']>, (typeof bornColumns | typeof advancedColumns)[number]> & {
  /** The user, where `reply_since_ms` is set. */
  readonly reply_user_key: string | null;
};

export const insertExecution = statement<ExecutionValues>()((db, given) =>
  db
    .insertInto('executions')
    .values({ ...partOf(db, given.lane), ...valuesOf(given, bornColumns), ...advanced(db, given) })
    .onConflict((conflict) => conflict.columns([...partColumn(db), 'company_id', 'execution_id']).doNothing()),
);

/** Writes over the revision before, if it is still there (P8). */
export const updateExecution = statement<ExecutionValues & { readonly before: number }>()((db, given) =>
  db
    .updateTable('executions')
    .set(advanced(db, given))
    .where(isInPart(db, given.lane))
    .where('company_id', '=', given.company_id)
    .where('execution_id', '=', given.execution_id)
    .where('revision', '=', given.before),
);

const advanced = (db: Database, given: ExecutionValues) => ({
  ...valuesOf(given, advancedColumns),
  reply_order: db
    .selectFrom('executions as other')
    .select(sql<number>`coalesce(max(other.reply_order), 0) + 1`.as('next'))
    .where('other.company_id', '=', given.company_id)
    .where('other.bot_key', '=', given.bot_key)
    .where('other.user_key', '=', given.reply_user_key)
    .where('other.reply_since_ms', 'is not', null),
});

/** The columns from which a record is restored. */
export const recordColumns = [
  ...(['id', 'company_id', 'execution_id', 'workflow_id', 'version', 'revision', 'lane', 'parent_execution_id'] as const),
  ...(['parent_wait_id', 'created_at_ms', 'updated_at_ms', 'status', 'begun', 'state'] as const),
];

const records = (db: Database) => db.selectFrom('executions').select(recordColumns);

export const selectExecution = statement<{ readonly companyId: string; readonly executionId: string }>()((db, { companyId, executionId }) =>
  records(db).where('company_id', '=', companyId).where('execution_id', '=', executionId),
);

type User = { readonly companyId: string; readonly botKey: string; readonly userKey: string };

/** Executions that a user's message answers, the one whose wait was opened last first. */
const replying = (db: Database, given: User) =>
  records(db)
    .where('company_id', '=', given.companyId)
    .where('bot_key', '=', given.botKey)
    .where('user_key', '=', given.userKey)
    .where('reply_since_ms', 'is not', null)
    .orderBy('reply_since_ms', 'desc')
    .orderBy('reply_order', 'desc');

export const awaitingReply = statement<User>()((db, given) => replying(db, given).limit(1));

export const awaitingReplies = statement<User>()((db, given) => replying(db, given).limit(50));

export const awaitingSignal = statement<{ readonly companyId: string; readonly name: string; readonly value: string }>()((db, given) =>
  records(db)
    .where('company_id', '=', given.companyId)
    .where('signal_name', '=', given.name)
    .where('signal_value', '=', given.value)
    .orderBy('id'),
);

/** Executions that keep their lane, of the lanes between two and those two, in the order of their acceptance. */
export const unsettledExecutions = statement<{ readonly first: string; readonly last: string }>()((db, { first, last }) =>
  records(db).where('unsettled', '=', 1).where('lane', '>=', first).where('lane', '<=', last).orderBy('lane').orderBy('id'),
);

/** Removes an unreadable row from every index of work, and leaves the rest unchanged, for inspection. */
export const setExecutionAside = statement<Pick<ExecutionValues, 'company_id' | 'execution_id' | 'revision'>>()((db, given) =>
  db
    .updateTable('executions')
    .set({
      status: 'quarantined',
      wait_id: null,
      due_at_ms: null,
      reply_since_ms: null,
      signal_name: null,
      signal_value: null,
      unsettled: null,
      ended_at_ms: null,
    })
    .where('company_id', '=', given.company_id)
    .where('execution_id', '=', given.execution_id)
    .where('revision', '=', given.revision),
);

/** The filters of a page of a list: each combination is a statement of its own. */
export type ListFilter = 'workflowId' | 'status' | 'userKey';

/** Executions of a company before `before`, newest first. */
export const listExecutions = (filters: readonly ListFilter[]) =>
  statement<{ readonly companyId: string; readonly before: number; readonly limit: number } & { readonly [Name in ListFilter]: string }>()(
    (db, given) => {
      const conditions = {
        workflowId: sql<boolean>`${sql.ref('workflow_id')} = ${given.workflowId}`,
        status: sql<boolean>`${sql.ref('status')} = ${given.status}`,
        userKey: isOfUser(db, given.companyId, given.userKey),
      };
      const page = records(db).where('company_id', '=', given.companyId).where('id', '<', given.before);
      return filters
        .reduce((query, name) => query.where(conditions[name]), page)
        .orderBy('id', 'desc')
        .limit(given.limit);
    },
  );

/** The executions of a workflow that have not ended, after `after`, in the order of acceptance. */
export const standingExecutions = statement<{
  readonly companyId: string;
  readonly workflowId: string;
  readonly after: number;
  readonly limit: number;
}>()((db, given) =>
  db
    .selectFrom('executions')
    .select(['id', 'execution_id', 'lane', 'version', 'status', 'wait_id', 'updated_at_ms'])
    .where('company_id', '=', given.companyId)
    .where('workflow_id', '=', given.workflowId)
    .where('id', '>', given.after)
    .where('status', 'in', ['running', 'waiting', 'quarantined'])
    .orderBy('id')
    .limit(given.limit),
);

/** What one commit records of an execution that is there already. */
export type HistoryValues = { readonly company_id: string; readonly execution_id: string; readonly body: string };

/** Writes no row when there is no such execution. */
export const insertHistory = statement<HistoryValues>()((db, given) =>
  db
    .insertInto('histories')
    .columns([...partColumn(db), 'execution', 'body'])
    .expression(({ selectFrom }) =>
      selectFrom('executions')
        .select([...partColumn(db), 'id', sql<string>`cast(${given.body} as text)`.as('body')])
        .where('company_id', '=', given.company_id)
        .where('execution_id', '=', given.execution_id),
    ),
);

/** The history of an execution, in order, and its status after that: the records in its row, if any, then the rest. */
export const selectHistory = statement<{ readonly companyId: string; readonly executionId: string }>()((db, { companyId, executionId }) =>
  db
    .selectFrom('executions')
    .select(['begun as body', sql<number>`0`.as('position'), 'status'])
    .where('company_id', '=', companyId)
    .where('execution_id', '=', executionId)
    .unionAll(
      db
        .selectFrom('histories')
        .innerJoin('executions', (join) =>
          join.onRef('executions.id', '=', 'histories.execution').on(isSamePart(db, 'executions', 'histories')),
        )
        .select(['histories.body', 'histories.id as position', 'executions.status'])
        .where('executions.company_id', '=', companyId)
        .where('executions.execution_id', '=', executionId),
    )
    .orderBy('position'),
);
