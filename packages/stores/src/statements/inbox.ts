import type { Selectable } from 'kysely';
import type { Tables } from '../schema/row-types.ts';
import type { Database } from './database.ts';
import { isInPart, partColumn, partOf } from './partition.ts';
import { statement, valuesOf } from './statement.ts';

/** Something accepted, as its row is written. */
export type QueueValues = Omit<Selectable<Tables['queue']>, 'seq' | 'part'>;
const itemColumns = ['seq', 'company_id', 'lane', 'accepted_at_ms', 'accepted'] as const;
export const queueColumns = ['company_id', 'lane', 'accepted_at_ms', 'accepted', 'rank'] as const;

export const enqueue = statement<QueueValues>()((db, given) =>
  db
    .insertInto('queue')
    .values({ ...partOf(db, given.lane), ...valuesOf(given, queueColumns) })
    .returning('seq'),
);

/** Something that is queued. */
export type QueuedPlace = { readonly lane: string; readonly seq: number };

export const dequeue = statement<QueuedPlace>()((db, { lane, seq }) =>
  db.deleteFrom('queue').where(isInPart(db, lane)).where('seq', '=', seq),
);

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
export const setQueuedAside = statement<QueuedPlace>()((db, { lane, seq }) =>
  db
    .insertInto('set_aside')
    .columns([...partColumn(db), ...itemColumns])
    .expression(({ selectFrom }) =>
      selectFrom('queue')
        .select([...partColumn(db), ...itemColumns])
        .where(isInPart(db, lane))
        .where('seq', '=', seq),
    )
    .onConflict((conflict) => conflict.columns([...partColumn(db), 'seq']).doNothing()),
);

/** A delivery id, and what a repetition of it is answered. */
export type SeenValues = Pick<Tables['seen'], 'key' | 'until_ms' | 'answer'>;

/** Writes no row for an id that was seen before. */
export const insertSeen = statement<SeenValues>()((db, given) =>
  db
    .insertInto('seen')
    .values({ ...partOf(db, given.key), ...valuesOf(given, ['key', 'until_ms', 'answer']) })
    .onConflict((conflict) => conflict.columns([...partColumn(db), 'key']).doNothing()),
);

export const seenAnswer = statement<{ readonly key: string }>()((db, { key }) =>
  db.selectFrom('seen').select('answer').where(isInPart(db, key)).where('key', '=', key),
);
