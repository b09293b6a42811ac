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
