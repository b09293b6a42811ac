// Statements over the record of what operators did. There is none that changes a row, and one that removes: retention.
import { integer, type Parametered, text } from '@hilo/stores';
import { sql } from 'kysely';
import { query } from '../platform/database/schema.ts';
import { audit } from '../platform/tables/audit.ts';

/** What a page is of. An empty text stands for any; the row with the number `below` and newer ones are left out. */
const filter = {
  companyId: text(),
  actor: text(),
  action: text(),
  objectKind: text(),
  objectId: text(),
  requestId: text(),
  fromMs: integer(),
  toMs: integer(),
  below: integer(),
  limit: integer(),
};
export type ActFilter = Parametered<typeof filter>;

const isAnyOr = (given: string, column: string) => sql<boolean>`(${given} = '' or ${sql.ref(column)} = ${given})`;

/** Newest first. */
export const selectActs = query(filter, audit.columns, (db, given) =>
  db
    .selectFrom('audit')
    .selectAll()
    .where('id', '<', given.below)
    .where('at_ms', '>=', given.fromMs)
    .where('at_ms', '<=', given.toMs)
    .where(isAnyOr(given.companyId, 'company_id'))
    .where(isAnyOr(given.actor, 'actor'))
    .where(isAnyOr(given.action, 'action'))
    .where(isAnyOr(given.objectKind, 'object_kind'))
    .where(isAnyOr(given.objectId, 'object_id'))
    .where(isAnyOr(given.requestId, 'request_id'))
    .orderBy('id', 'desc')
    .limit(given.limit),
);

/** Removes a part of the rows from before an instant, so that no transaction is long. @returns those that were removed */
export const deleteActsBefore = query({ beforeMs: integer(), limit: integer() }, {}, (db, { beforeMs, limit }) =>
  db
    .deleteFrom('audit')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('audit').select('id').where('at_ms', '<', beforeMs).orderBy('at_ms').orderBy('id').limit(limit),
    )
    .returning('id'),
);
