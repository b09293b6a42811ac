import type { Database } from './database.ts';
import { statement } from './statement.ts';

/** Executions of one outcome that ended before an instant, oldest first. */
export const endedExecutions = statement<EndedBefore>()((db, given) => endedBefore(db, given));

/** The same, restricted to exported ones. */
export const exportedExecutions = statement<EndedBefore>()((db, given) =>
  endedBefore(db, given).where(({ exists, selectFrom, ref }) =>
    exists(selectFrom('exported').select('execution').where('execution', '=', ref('executions.id'))),
  ),
);

type EndedBefore = { readonly status: string; readonly untilMs: number; readonly limit: number };

const endedBefore = (db: Database, given: EndedBefore) =>
  db
    .selectFrom('executions')
    .select('id')
    .where('status', '=', given.status)
    .where('ended_at_ms', '<=', given.untilMs)
    .orderBy('ended_at_ms')
    .limit(given.limit);

/** Checks again what it removes: open executions never match. */
export const deleteEnded = statement<{ readonly id: number; readonly untilMs: number }>()((db, { id, untilMs }) =>
  db.deleteFrom('executions').where('id', '=', id).where('ended_at_ms', '<=', untilMs).returning('id'),
);

/** Removes the history of a removed execution. */
export const deleteHistory = statement<{ readonly execution: number }>()((db, { execution }) =>
  db
    .deleteFrom('histories')
    .where('execution', '=', execution)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('executions').select('id').where('id', '=', execution)))),
);

export const deleteSeen = statement<{ readonly nowMs: number; readonly limit: number }>()((db, { nowMs, limit }) =>
  db
    .deleteFrom('seen')
    .where('key', 'in', ({ selectFrom }) =>
      selectFrom('seen').select('key').where('until_ms', '<=', nowMs).orderBy('until_ms').limit(limit),
    )
    .returning('key'),
);

/** The position after which a page of executions of one outcome begins. */
export type EndedPosition = { readonly endedAtMs: number; readonly id: number };

interface EndedRow {
  readonly id: number;
  readonly company_id: string;
  readonly execution_id: string;
  readonly ended_at_ms: number | null;
  /** Null when it was not exported. */
  readonly exported: number | null;
}

/** Executions of one outcome in the order in which they ended, and whether each was exported. */
export const endedPage = statement<EndedPosition & { readonly status: string; readonly limit: number }>()<EndedRow>((db, given) =>
  db
    .selectFrom('executions')
    .leftJoin('exported', 'exported.execution', 'executions.id')
    .select(['executions.id', 'company_id', 'execution_id', 'ended_at_ms', 'exported.execution as exported'])
    .where('status', '=', given.status)
    .where('ended_at_ms', '>=', given.endedAtMs)
    .where(({ eb, or }) => or([eb('ended_at_ms', '>', given.endedAtMs), eb('executions.id', '>', given.id)]))
    .orderBy('ended_at_ms')
    .orderBy('executions.id')
    .limit(given.limit),
);

export const insertExported = statement<{ readonly execution: number }>()((db, { execution }) =>
  db
    .insertInto('exported')
    .values({ execution })
    .onConflict((conflict) => conflict.column('execution').doNothing()),
);

/** Removes the mark of an execution that was removed. */
export const deleteExported = statement<{ readonly execution: number }>()((db, { execution }) =>
  db
    .deleteFrom('exported')
    .where('execution', '=', execution)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('executions').select('id').where('id', '=', execution)))),
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
