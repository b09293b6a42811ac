import { sql } from 'kysely';
import type { Database } from './database.ts';
import { statement } from './statement.ts';

/** What an execution is born with. */
interface Born {
  readonly companyId: string;
  readonly executionId: string;
  readonly workflowId: string;
  readonly version: number | null;
  readonly lane: string;
  readonly parentExecutionId: string | null;
  readonly parentWaitId: string | null;
  readonly createdAtMs: number;
  readonly botKey: string | null;
  readonly userKey: string | null;
  readonly begun: string | null;
}

/** What changes with each advance. */
interface Standing {
  readonly revision: number;
  readonly updatedAtMs: number;
  readonly state: string;
  readonly status: string;
  readonly waitId: string | null;
  readonly dueAtMs: number | null;
  readonly replySinceMs: number | null;
  /** The user, where `replySinceMs` is set. */
  readonly replyUserKey: string | null;
  readonly signalName: string | null;
  readonly signalValue: string | null;
  readonly unsettled: number | null;
  readonly endedAtMs: number | null;
}

/** An execution's row, as far as it is written from outside. */
export type ExecutionValues = { readonly [Name in keyof (Born & Standing)]: (Born & Standing)[Name] };

export const insertExecution = statement<ExecutionValues>()((db, given) =>
  db
    .insertInto('executions')
    .values({
      company_id: given.companyId,
      execution_id: given.executionId,
      workflow_id: given.workflowId,
      version: given.version,
      lane: given.lane,
      parent_execution_id: given.parentExecutionId,
      parent_wait_id: given.parentWaitId,
      created_at_ms: given.createdAtMs,
      bot_key: given.botKey,
      user_key: given.userKey,
      begun: given.begun,
      ...standing(db, given),
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'execution_id']).doNothing()),
);

/** Writes over the revision before, if it is still there (P8). */
export const updateExecution = statement<ExecutionValues & { readonly before: number }>()((db, given) =>
  db
    .updateTable('executions')
    .set(standing(db, given))
    .where('company_id', '=', given.companyId)
    .where('execution_id', '=', given.executionId)
    .where('revision', '=', given.before),
);

const standing = (db: Database, given: ExecutionValues) => ({
  revision: given.revision,
  updated_at_ms: given.updatedAtMs,
  state: given.state,
  status: given.status,
  wait_id: given.waitId,
  due_at_ms: given.dueAtMs,
  reply_since_ms: given.replySinceMs,
  reply_order: db
    .selectFrom('executions as other')
    .select(sql<number>`coalesce(max(other.reply_order), 0) + 1`.as('next'))
    .where('other.company_id', '=', given.companyId)
    .where('other.bot_key', '=', given.botKey)
    .where('other.user_key', '=', given.replyUserKey)
    .where('other.reply_since_ms', 'is not', null),
  signal_name: given.signalName,
  signal_value: given.signalValue,
  unsettled: given.unsettled,
  ended_at_ms: given.endedAtMs,
});

const records = (db: Database) =>
  db
    .selectFrom('executions')
    .select(['company_id', 'execution_id', 'workflow_id', 'version', 'revision', 'lane', 'parent_execution_id', 'parent_wait_id'])
    .select(['id', 'created_at_ms', 'updated_at_ms', 'status', 'begun', 'state']);

export const executionOf = statement<{ readonly companyId: string; readonly executionId: string }>()((db, { companyId, executionId }) =>
  records(db).where('company_id', '=', companyId).where('execution_id', '=', executionId),
);

export const awaitingReply = statement<{ readonly companyId: string; readonly botKey: string; readonly userKey: string }>()((db, given) =>
  records(db)
    .where('company_id', '=', given.companyId)
    .where('bot_key', '=', given.botKey)
    .where('user_key', '=', given.userKey)
    .where('reply_since_ms', 'is not', null)
    .orderBy('reply_since_ms', 'desc')
    .orderBy('reply_order', 'desc')
    .limit(1),
);

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
export const setExecutionAside = statement<{ readonly id: number; readonly revision: number }>()((db, { id, revision }) =>
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
    .where('id', '=', id)
    .where('revision', '=', revision),
);

/** The filters of a page of a list: each combination is a statement of its own. */
export type ListFilter = 'workflowId' | 'status' | 'userKey';

/** Executions of a company before `before`, newest first. */
export const listExecutions = (filters: readonly ListFilter[]) =>
  statement<{ readonly companyId: string; readonly before: number; readonly limit: number } & { readonly [Name in ListFilter]: string }>()(
    (db, given) => {
      const columns = { workflowId: 'workflow_id', status: 'status', userKey: 'user_key' } as const;
      const page = records(db).where('company_id', '=', given.companyId).where('id', '<', given.before);
      return filters
        .reduce((query, name) => query.where(columns[name], '=', given[name]), page)
        .orderBy('id', 'desc')
        .limit(given.limit);
    },
  );
