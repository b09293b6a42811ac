import { statement } from './statement.ts';

interface QueuedValues {
  readonly companyId: string;
  readonly lane: string;
  readonly acceptedAtMs: number;
  readonly accepted: string;
}

export const enqueue = statement<{ readonly [Name in keyof QueuedValues]: QueuedValues[Name] }>()((db, given) =>
  db
    .insertInto('queue')
    .values({ company_id: given.companyId, lane: given.lane, accepted_at_ms: given.acceptedAtMs, accepted: given.accepted })
    .returning('seq'),
);

export const dequeue = statement<{ readonly seq: number }>()((db, { seq }) =>
  db.deleteFrom('queue').where('seq', '=', seq).returning('seq'),
);

export const queuedRows = statement()((db) => db.selectFrom('queue').selectAll().orderBy('seq'));
