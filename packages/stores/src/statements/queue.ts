import type { Database } from './database.ts';
import { statement } from './statement.ts';

interface QueuedValues {
  readonly companyId: string;
  readonly lane: string;
  readonly acceptedAtMs: number;
  readonly accepted: string;
  readonly rank: number;
}

export const enqueue = statement<{ readonly [Name in keyof QueuedValues]: QueuedValues[Name] }>()((db, given) =>
  db
    .insertInto('queue')
    .values({
      company_id: given.companyId,
      lane: given.lane,
      accepted_at_ms: given.acceptedAtMs,
      accepted: given.accepted,
      rank: given.rank,
    })
    .returning('seq'),
);

export const dequeue = statement<{ readonly seq: number }>()((db, { seq }) => db.deleteFrom('queue').where('seq', '=', seq));

const first = (db: Database, lane: string) =>
  db
    .selectFrom('queue')
    .select(['seq', 'company_id', 'lane', 'accepted_at_ms', 'accepted'])
    .where('lane', '=', lane)
    .orderBy('rank')
    .orderBy('seq')
    .limit(1);

export const nextQueued = statement<{ readonly lane: string }>()((db, { lane }) => first(db, lane));

export const nextInternal = statement<{ readonly lane: string }>()((db, { lane }) => first(db, lane).where('rank', '=', 0));

/** How much is queued in each lane between two, and those two. */
export const queuedCounts = statement<{ readonly first: string; readonly last: string }>()((db, { first, last }) =>
  db
    .selectFrom('queue')
    .select(({ fn }) => ['lane', fn.countAll<number>().as('queued')])
    .where('lane', '>=', first)
    .where('lane', '<=', last)
    .groupBy('lane'),
);

/** Keeps a queued row that cannot be read back, apart; `dequeue` ends its turn. */
export const setQueuedAside = statement<{ readonly seq: number }>()((db, { seq }) =>
  db
    .insertInto('set_aside')
    .columns(['seq', 'company_id', 'lane', 'accepted_at_ms', 'accepted'])
    .expression(({ selectFrom }) =>
      selectFrom('queue').select(['seq', 'company_id', 'lane', 'accepted_at_ms', 'accepted']).where('seq', '=', seq),
    )
    .onConflict((conflict) => conflict.column('seq').doNothing()),
);
