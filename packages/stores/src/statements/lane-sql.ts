import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import { isInPart, partColumn, partOf } from './partition.ts';
import { statement, type Value } from './statement.ts';

/** A part of the lanes, if it is `me`'s in this epoch: then it stays so until the end of the transaction. Only for shared databases. */
export const ownPart = statement<{ readonly part: number; readonly me: number; readonly epoch: number }>()((db, { part, me, epoch }) =>
  db.selectFrom('partitions').select('part').where('part', '=', part).where('owner', '=', me).where('epoch', '=', epoch).forShare(),
);

interface DueGiven {
  readonly atMs: number;
  readonly fromMs: number;
  readonly me: number;
  readonly limit: number;
  readonly [name: string]: Value;
}

/** Queries for work: in all lanes or, when processes share the database, in the lanes of one of them. */
export type LaneQueries = ReturnType<typeof laneQueries>;

/**
 * @param isShared - whether processes share the database: then `me` is the querying one, or 0 for all lanes
 * @param paused - SQL that selects companies whose due times are passed over
 */
export const laneQueries = (isShared: boolean, paused: readonly string[] = []) => {
  const isServed = paused.map((companies) => sql<boolean>`company_id not in (${sql.raw(companies)})`);
  const own = (db: Database, me: number) =>
    isShared
      ? sql<boolean>`(cast(${me} as bigint) = 0 or part in (${db.selectFrom('partitions').select('part').where('owner', '=', me)}))`
      : undefined;
  const dueWaits = (db: Database, { atMs, fromMs, me, limit }: DueGiven) => {
    const isOwn = own(db, me);
    let due = db
      .selectFrom('executions')
      .select(['id', 'company_id', 'execution_id', 'revision', 'lane', 'wait_id', 'due_at_ms'])
      .where('due_at_ms', '<=', atMs)
      .where('due_at_ms', '>=', fromMs);
    for (const condition of isServed) due = due.where(condition);
    return (isOwn === undefined ? due : due.where(isOwn)).orderBy('due_at_ms').orderBy('id').limit(limit);
  };

  return {
    /** Lanes after `after` with unfinished work, by name: of neither kind more are read than requested. */
    unfinishedLanes: statement<{ readonly after: string; readonly me: number; readonly limit: number }>()((db, given) => {
      const isOwn = own(db, given.me);
      let queued = db.selectFrom('queue').select('lane').distinct().where('lane', '>', given.after);
      let unsettled = db
        .selectFrom('executions')
        .select('lane')
        .distinct()
        .where('unsettled', 'is not', null)
        .where('lane', '>', given.after);
      if (isOwn !== undefined) [queued, unsettled] = [queued.where(isOwn), unsettled.where(isOwn)];
      return db
        .selectFrom(queued.orderBy('lane').limit(given.limit).as('queued'))
        .select('lane')
        .union(db.selectFrom(unsettled.orderBy('lane').limit(given.limit).as('unsettled')).select('lane'))
        .orderBy('lane')
        .limit(given.limit);
    }),

    dueWaits: statement<DueGiven>()((db, given) => dueWaits(db, given)),

    /** The same of one company, from its part of an index: however many others have. */
    dueWaitsOf: statement<DueGiven & { readonly companyId: string }>()((db, given) =>
      dueWaits(db, given).where('company_id', '=', given.companyId),
    ),

    earliestDue: statement<{ readonly fromMs: number; readonly me: number }>()((db, { fromMs, me }) => {
      const isOwn = own(db, me);
      let waiting = db.selectFrom('executions').select('due_at_ms').where('due_at_ms', 'is not', null).where('due_at_ms', '>=', fromMs);
      for (const condition of isServed) waiting = waiting.where(condition);
      return (isOwn === undefined ? waiting : waiting.where(isOwn)).orderBy('due_at_ms').limit(1);
    }),
  };
};

/**
 * The next companies after one that have a wait with a due time, by name, and whether one is due. It jumps from the first of each company to
 * the first of the next in the index: it takes no longer where they have many.
 */
export const companiesWithTimers = statement<{ readonly atMs: number; readonly after: string; readonly limit: number }>()((db, given) =>
  db
    .withRecursive('companies(company_id, place)', (cte) => {
      const next = (after: RawBuilder<string>) =>
        cte
          .selectFrom('executions')
          .select('executions.company_id')
          .where('due_at_ms', 'is not', null)
          .where('executions.company_id', '>', after)
          .orderBy('executions.company_id')
          .limit(1);
      return cte.selectNoFrom([next(sql`${given.after}`).as('company_id'), sql<number>`1`.as('place')]).unionAll(
        cte
          .selectFrom('companies')
          .select([next(sql.ref('companies.company_id')).as('company_id'), sql<number>`companies.place + 1`.as('place')])
          .where('companies.company_id', 'is not', null)
          .where('companies.place', '<', given.limit),
      );
    })
    .selectFrom('companies')
    .select(({ selectFrom }) => [
      'companies.company_id',
      selectFrom('executions')
        .select('due_at_ms')
        .whereRef('executions.company_id', '=', 'companies.company_id')
        .where('due_at_ms', '<=', given.atMs)
        .orderBy('due_at_ms')
        .limit(1)
        .as('due_at_ms'),
    ])
    .where('companies.company_id', 'is not', null)
    .orderBy('companies.place'),
);

export const selectCrashCount = statement<{ readonly lane: string }>()((db, { lane }) =>
  db.selectFrom('take_ups').select('count').where(isInPart(db, lane)).where('lane', '=', lane),
);

export const countCrash = statement<{ readonly lane: string }>()((db, { lane }) =>
  db
    .insertInto('take_ups')
    .values({ ...partOf(db, lane), lane, count: 1 })
    .onConflict((conflict) =>
      conflict.columns([...partColumn(db), 'lane']).doUpdateSet(({ eb, ref }) => ({ count: eb(ref('take_ups.count'), '+', 1) })),
    ),
);

export const clearCrashCounts = statement<{ readonly lane: string }>()((db, { lane }) =>
  db.deleteFrom('take_ups').where(isInPart(db, lane)).where('lane', '=', lane),
);
