import { sql } from 'kysely';
import type { Database } from './database.ts';
import { statement } from './statement.ts';

/** Says of a lane that it belongs to a process that is known to live, and is not `me`. */
export const ownedByOthers = (db: Database, lane: 'queue.lane' | 'executions.lane', me: number) =>
  db
    .selectFrom('lanes')
    .innerJoin('members', 'members.id', 'lanes.owner')
    .select('lanes.owner')
    .where('lanes.lane', '=', sql.ref<string>(lane))
    .where('lanes.owner', '!=', me);

/** Who has a lane, if it is a process that is known to live, and not `me`. */
export const othersIn = statement<{ readonly lane: string; readonly me: number }>()((db, { lane, me }) =>
  db
    .selectFrom('lanes')
    .innerJoin('members', 'members.id', 'lanes.owner')
    .select('lanes.owner')
    .where('lanes.lane', '=', lane)
    .where('lanes.owner', '!=', me),
);

/** Lanes after `after` in which something is unfinished, by name: no more of either kind is looked at than asked for. */
export const unfinishedLanes = statement<{ readonly after: string; readonly me: number; readonly limit: number }>()((db, given) => {
  const queued = db
    .selectFrom('queue')
    .select('lane')
    .distinct()
    .where('lane', '>', given.after)
    .where(({ not, exists }) => not(exists(ownedByOthers(db, 'queue.lane', given.me))))
    .orderBy('lane')
    .limit(given.limit);
  const unsettled = db
    .selectFrom('executions')
    .select('lane')
    .distinct()
    .where('unsettled', 'is not', null)
    .where('lane', '>', given.after)
    .where(({ not, exists }) => not(exists(ownedByOthers(db, 'executions.lane', given.me))))
    .orderBy('lane')
    .limit(given.limit);
  return db
    .selectFrom(queued.as('queued'))
    .select('lane')
    .union(db.selectFrom(unsettled.as('unsettled')).select('lane'))
    .orderBy('lane')
    .limit(given.limit);
});

export const takeUpsOf = statement<{ readonly lane: string }>()((db, { lane }) =>
  db.selectFrom('take_ups').select('count').where('lane', '=', lane),
);

export const countTakeUp = statement<{ readonly lane: string }>()((db, { lane }) =>
  db
    .insertInto('take_ups')
    .values({ lane, count: 1 })
    .onConflict((conflict) => conflict.column('lane').doUpdateSet(({ eb, ref }) => ({ count: eb(ref('take_ups.count'), '+', 1) }))),
);

export const clearCrashCounts = statement<{ readonly lane: string }>()((db, { lane }) =>
  db.deleteFrom('take_ups').where('lane', '=', lane),
);
