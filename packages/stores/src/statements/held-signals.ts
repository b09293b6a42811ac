import { type Selectable, sql } from 'kysely';
import type { Tables } from '../schema/row-types.ts';
import { statement, valuesOf } from './statement.ts';

/** A signal that is held, as its row is written. */
export type HeldValues = Selectable<Tables['held_signals']>;
const heldColumns = ['company_id', 'id', 'signal_name', 'signal_value', 'signal', 'held_at_ms', 'until_ms'] as const;

export const insertHeld = statement<HeldValues>()((db, given) => db.insertInto('held_signals').values(valuesOf(given, heldColumns)));

/** Oldest first. */
export const heldOf = statement<{ readonly companyId: string; readonly name: string; readonly value: string }>()((db, given) =>
  db
    .selectFrom('held_signals')
    .select(heldColumns)
    .where('company_id', '=', given.companyId)
    .where('signal_name', '=', given.name)
    .where('signal_value', '=', given.value)
    .orderBy('held_at_ms')
    .orderBy('id'),
);

export const countHeld = statement<{ readonly companyId: string; readonly atMs: number }>()((db, { companyId, atMs }) =>
  db
    .selectFrom('held_signals')
    .select(({ fn }) => fn.countAll<number>().as('held'))
    .where('company_id', '=', companyId)
    .where('until_ms', '>', atMs),
);

/** Those that an execution waits for. */
export const awaitedHeld = statement()((db) =>
  db
    .selectFrom('held_signals')
    .select(heldColumns)
    .where(({ exists, selectFrom, ref }) =>
      exists(
        selectFrom('executions')
          .select('executions.id')
          .where('executions.company_id', '=', ref('held_signals.company_id'))
          .where('executions.signal_name', '=', ref('held_signals.signal_name'))
          .where('executions.signal_value', '=', ref('held_signals.signal_value')),
      ),
    ),
);

export const dropHeld = statement<{ readonly companyId: string; readonly id: string }>()((db, { companyId, id }) =>
  db.deleteFrom('held_signals').where('company_id', '=', companyId).where('id', '=', id),
);

export const deleteExpiredHeld = statement<{ readonly nowMs: number; readonly limit: number }>()((db, { nowMs, limit }) =>
  db
    .deleteFrom('held_signals')
    .where(({ selectFrom }) => {
      const expired = selectFrom('held_signals')
        .select(['company_id', 'id'])
        .where('until_ms', '<=', nowMs)
        .orderBy('until_ms')
        .limit(limit);
      return sql<boolean>`(${sql.ref('company_id')}, ${sql.ref('id')}) in ${expired}`;
    })
    .returning('id'),
);
