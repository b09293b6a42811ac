import { type Selectable, sql } from 'kysely';
import type { Tables } from '../schema/row-types.ts';
import type { Database } from './database.ts';
import { isInPart, isSamePart, partColumn, partOf } from './partition.ts';
import { decodeRows, textColumn } from './row-list.ts';
import { statement } from './statement.ts';

/** Executions of one outcome that ended before an instant, oldest first. */
export const endedExecutions = statement<EndedBefore>()((db, given) => endedBefore(db, given));

/** The same, restricted to exported ones. */
export const exportedExecutions = statement<EndedBefore>()((db, given) =>
  endedBefore(db, given).where(({ exists, selectFrom, ref }) =>
    exists(
      selectFrom('exported')
        .select('execution')
        .where('execution', '=', ref('executions.id'))
        .where(isSamePart(db, 'exported', 'executions')),
    ),
  ),
);

export type EndedBefore = {
  readonly status: string;
  readonly untilMs: number;
  /** A list of rows, each the id of a company that keeps its executions. */
  readonly except: string;
  readonly limit: number;
};

const endedBefore = (db: Database, given: EndedBefore) =>
  db
    .selectFrom('executions')
    .select(['id', 'company_id', 'execution_id', 'lane'])
    .where('status', '=', given.status)
    .where('ended_at_ms', '<=', given.untilMs)
    .where('company_id', 'not in', ({ selectFrom }) => selectFrom(decodeRows(given.except)).select(textColumn(0).as('company_id')))
    .orderBy('ended_at_ms')
    .limit(given.limit);

/** Checks again what it removes: open executions never match. */
export const deleteEnded = statement<EndedExecution & { readonly untilMs: number }>()((db, given) =>
  db
    .deleteFrom('executions')
    .where(isInPart(db, given.lane))
    .where('company_id', '=', given.company_id)
    .where('execution_id', '=', given.execution_id)
    .where('ended_at_ms', '<=', given.untilMs)
    .returning('id'),
);

/** An execution as it is removed: with the columns of its keys. */
export type EndedExecution = Pick<Selectable<Tables['executions']>, 'id' | 'company_id' | 'execution_id' | 'lane'>;

/** An execution that is removed, or not. */
const sameExecution = (db: Database, { company_id, execution_id, lane }: EndedExecution) =>
  db
    .selectFrom('executions')
    .select('id')
    .where(isInPart(db, lane))
    .where('company_id', '=', company_id)
    .where('execution_id', '=', execution_id);

/** Removes the history of a removed execution. */
export const deleteHistory = statement<EndedExecution>()((db, given) =>
  db
    .deleteFrom('histories')
    .where(isInPart(db, given.lane))
    .where('execution', '=', given.id)
    .where(({ not, exists }) => not(exists(sameExecution(db, given)))),
);

export const deleteSeen = statement<{ readonly nowMs: number; readonly limit: number }>()((db, { nowMs, limit }) =>
  db
    .deleteFrom('seen')
    .where(({ selectFrom }) => {
      const name = [...partColumn(db), 'key'] as const;
      const expired = selectFrom('seen').select(name).where('until_ms', '<=', nowMs).orderBy('until_ms').limit(limit);
      return sql<boolean>`(${sql.join(name.map((column) => sql.ref(column)))}) in ${expired}`;
    })
    .returning('key'),
);

/** The next delivery ids by their keys: the last of them, and when the first of their ends is; null where there are none. */
export const seenPage = statement<{ readonly after: string; readonly limit: number }>()<
  { readonly last: string; readonly earliest: number } | { readonly last: null; readonly earliest: null }
>((db, { after, limit }) =>
  db
    .selectFrom(db.selectFrom('seen').select(['key', 'until_ms']).where('key', '>', after).orderBy('key').limit(limit).as('page'))
    .select([sql<string>`max(page.key)`.as('last'), sql<number>`min(page.until_ms)`.as('earliest')]),
);

/** Removes the expired of a {@link seenPage}. */
export const deleteSeenBetween = statement<{ readonly after: string; readonly last: string; readonly nowMs: number }>()((db, given) =>
  db.deleteFrom('seen').where('key', '>', given.after).where('key', '<=', given.last).where('until_ms', '<=', given.nowMs).returning('key'),
);

/** The position after which a page of executions of one outcome begins. */
export type EndedPosition = { readonly endedAtMs: number; readonly id: number };

interface EndedRow {
  readonly id: number;
  readonly company_id: string;
  readonly execution_id: string;
  readonly lane: string;
  readonly ended_at_ms: number | null;
  /** Null when it was not exported. */
  readonly exported: number | null;
}

/** Executions of one outcome in the order in which they ended, and whether each was exported. */
export const endedPage = statement<EndedPosition & { readonly status: string; readonly limit: number }>()<EndedRow>((db, given) =>
  db
    .selectFrom('executions')
    .leftJoin('exported', (join) => join.onRef('exported.execution', '=', 'executions.id').on(isSamePart(db, 'exported', 'executions')))
    .select(['executions.id', 'company_id', 'execution_id', 'lane', 'ended_at_ms', 'exported.execution as exported'])
    .where('status', '=', given.status)
    .where('ended_at_ms', '>=', given.endedAtMs)
    .where(({ eb, or }) => or([eb('ended_at_ms', '>', given.endedAtMs), eb('executions.id', '>', given.id)]))
    .orderBy('ended_at_ms')
    .orderBy('executions.id')
    .limit(given.limit),
);

/** Executions of a company in the order in which they began, behind one of them, and whether each was exported. */
export const companyPage = statement<{ readonly companyId: string; readonly after: number; readonly limit: number }>()<
  EndedRow & { readonly created_at_ms: number }
>((db, { companyId, after, limit }) =>
  db
    .selectFrom('executions')
    .leftJoin('exported', (join) => join.onRef('exported.execution', '=', 'executions.id').on(isSamePart(db, 'exported', 'executions')))
    .select(['executions.id', 'company_id', 'execution_id', 'lane', 'created_at_ms', 'ended_at_ms', 'exported.execution as exported'])
    .where('company_id', '=', companyId)
    .where('executions.id', '>', after)
    .orderBy('executions.id')
    .limit(limit),
);

export const insertExported = statement<{ readonly execution: number; readonly lane: string }>()((db, { execution, lane }) =>
  db
    .insertInto('exported')
    .values({ ...partOf(db, lane), execution })
    .onConflict((conflict) => conflict.columns([...partColumn(db), 'execution']).doNothing()),
);

/** Removes the mark of an execution that was removed. */
export const deleteExported = statement<EndedExecution>()((db, given) =>
  db
    .deleteFrom('exported')
    .where(isInPart(db, given.lane))
    .where('execution', '=', given.id)
    .where(({ not, exists }) => not(exists(sameExecution(db, given)))),
);

/** Claims the turn for its present holder, or for anyone once it has expired; returns no row to others. */
export const takeTurn = statement<{
  readonly name: string;
  readonly holder: string;
  readonly nowMs: number;
  readonly untilMs: number;
}>()((db, { name, holder, nowMs, untilMs }) =>
  db
    .insertInto('turns')
    .values({ name, holder, until_ms: untilMs })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(({ ref }) => ({ holder: ref('excluded.holder'), until_ms: ref('excluded.until_ms') }))
        .where(({ eb, or }) => or([eb('turns.holder', '=', holder), eb('turns.until_ms', '<=', nowMs)])),
    )
    .returning('holder'),
);
