// Statements by which rows of the first format are found, and written anew (../rows-anew.ts).
import type { Selectable } from 'kysely';
import type { Tables } from '../schema/row-types.ts';
import { recordColumns } from './executions.ts';
import { isInPart } from './partition.ts';
import { statement } from './statement.ts';

type Columns = Selectable<Tables['executions']>;

/** A page of all executions, in the order of their numbers. */
export const executionsAfter = statement<{ readonly after: number; readonly limit: number }>()((db, { after, limit }) =>
  db.selectFrom('executions').select(recordColumns).where('id', '>', after).orderBy('id').limit(limit),
);

/** What is kept of an execution's history beside its own row. */
export const historiesOf = statement<Pick<Columns, 'id' | 'lane'>>()((db, { id, lane }) =>
  db.selectFrom('histories').select(['id', 'body']).where(isInPart(db, lane)).where('execution', '=', id),
);

/** Replaces the texts of an execution, if it still is at this revision. */
export const rewriteExecution = statement<Pick<Columns, 'company_id' | 'execution_id' | 'lane' | 'revision' | 'begun' | 'state'>>()(
  (db, given) =>
    db
      .updateTable('executions')
      .set({ begun: given.begun, state: given.state })
      .where(isInPart(db, given.lane))
      .where('company_id', '=', given.company_id)
      .where('execution_id', '=', given.execution_id)
      .where('revision', '=', given.revision)
      .returning('id'),
);

/** Replaces the text of one commit's records. They never change otherwise. */
export const rewriteHistory = statement<
  Pick<Columns, 'lane'> & { readonly execution: number; readonly id: number; readonly body: string }
>()((db, { lane, execution, id, body }) =>
  db
    .updateTable('histories')
    .set({ body })
    .where(isInPart(db, lane))
    .where('execution', '=', execution)
    .where('id', '=', id)
    .returning('id'),
);
