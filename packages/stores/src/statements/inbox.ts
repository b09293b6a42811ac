import type { Selectable } from 'kysely';
import type { Tables } from '../schema/row-types.ts';
import type { Database } from './database.ts';
import { statement, valuesOf } from './statement.ts';

/** Something accepted, as its row is written. */
export type QueueValues = Omit<Selectable<Tables['queue']>, 'seq'>;
const itemColumns = ['seq', 'company_id', 'lane', 'accepted_at_ms', 'accepted'] as const;
export const queueColumns = ['company_id', 'lane', 'accepted_at_ms', 'accepted', 'rank'] as const;

export const enqueue = statement<QueueValues>()((db, given) =>
  db.insertInto('queue').values(valuesOf(given, queueColumns)).returning('seq'),
);

export const dequeue = statement<{ readonly seq: number }>()((db, { seq }) => db.deleteFrom('queue').where('seq', '=', seq));

const first = (db: Database, lane: string) =>
  db.selectFrom('queue').select(itemColumns).where('lane', '=', lane).orderBy('rank').orderBy('seq').limit(1);

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
    .columns(itemColumns)
    .expression(({ selectFrom }) => selectFrom('queue').select(itemColumns).where('seq', '=', seq))
    .onConflict((conflict) => conflict.column('seq').doNothing()),
);

/** A delivery id, and what a repetition of it is answered. */
export type SeenValues = Pick<Tables['seen'], 'key' | 'until_ms' | 'answer'>;

/** Writes no row for an id that was seen before. */
export const insertSeen = statement<SeenValues>()((db, given) =>
  db
    .insertInto('seen')
    .values(valuesOf(given, ['key', 'until_ms', 'answer']))
    .onConflict((conflict) => conflict.column('key').doNothing()),
);

export const seenAnswer = statement<{ readonly key: string }>()((db, { key }) =>
  db.selectFrom('seen').select('answer').where('key', '=', key),
);
