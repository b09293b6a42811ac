// Statements over jobs. Each step is one conditional statement, so that of a pause, a cancel and the process at work none takes back what
// another did.
import { integer, optional, pick, plain, sum, text } from '@hilo/stores';
import { sql } from 'kysely';
import { isNotAway } from '../database/not-away.ts';
import { companyQuery, type Database, query } from '../database/schema.ts';
import { type JobStatus, jobs } from '../tables/jobs.ts';
import { claimColumns } from './claims.ts';

/** Written into the statement itself, so that the planner sees that an index of these rows alone serves it. */
const [waiting, running, paused] = [sql.lit<JobStatus>('waiting'), sql.lit<JobStatus>('running'), sql.lit<JobStatus>('paused')];
const open = [waiting, running];

/** Of these jobs one may be claimed: its time has come, and no process holds it, or that process died. */
const mayRun = (nowMs: number) =>
  sql<boolean>`jobs.not_before_ms <= ${nowMs} and (jobs.claimed_until_ms is null or jobs.claimed_until_ms <= ${nowMs})`;

/** Whether another job of the same company and queue is at work. */
const isQueueTaken = (db: Database, nowMs: number) =>
  sql<boolean>`exists ${db
    .selectFrom('jobs as other')
    .select('other.id')
    .where('other.company_id', '=', sql.ref<string>('jobs.company_id'))
    .where('other.queue', '=', sql.ref<string>('jobs.queue'))
    .where('other.status', 'in', open)
    .where('other.claimed_until_ms', '>', nowMs)}`;

/** Whether an older one could be claimed. */
const isBehind = (db: Database, nowMs: number) =>
  sql<boolean>`exists ${db
    .selectFrom('jobs as older')
    .select('older.id')
    .where('older.company_id', '=', sql.ref<string>('jobs.company_id'))
    .where('older.queue', '=', sql.ref<string>('jobs.queue'))
    .where('older.status', 'in', open)
    .where('older.not_before_ms', '<=', nowMs)
    .where(sql<boolean>`(older.created_at_ms, older.id) < (jobs.created_at_ms, jobs.id)`)}`;

/** The next job of each company and queue, that of the company which has waited longest first. */
export const selectDue = query(
  { nowMs: integer(), limit: integer() },
  pick(jobs.columns, 'companyId', 'id', 'kind'),
  (db, { nowMs, limit }) =>
    db
      .selectFrom('jobs')
      .select(['company_id', 'id', 'kind'])
      .where('status', 'in', open)
      .where(mayRun(nowMs))
      .where(({ not }) => not(isQueueTaken(db, nowMs)))
      .where(({ not }) => not(isBehind(db, nowMs)))
      .where(isNotAway(db, 'jobs'))
      .orderBy('turn_at_ms')
      .orderBy('created_at_ms')
      .orderBy('id')
      .limit(limit),
);

/** When the next job that waits for its time is due. */
export const selectNextDue = query({ nowMs: integer() }, { atMs: optional(sum()) }, (db, { nowMs }) =>
  db
    .selectFrom('jobs')
    .select(({ fn }) => fn.min('not_before_ms').as('at_ms'))
    .where('status', 'in', open)
    .where('not_before_ms', '>', nowMs),
);

/**
 * Claims a job; returns no row when another process holds it, or another one of its queue. One that runs and names nobody came from another
 * store in the middle of a page: whoever gives a job back lets it wait.
 */
export const claimJob = companyQuery({ ...claimColumns, nowMs: integer(), untilMs: integer() }, {}, (company, given, db) =>
  company
    .updateTable('jobs')
    .set({
      status: 'running',
      is_at_least: sql<number>`case when claimed_by is null and status <> ${running} then is_at_least else 1 end`,
      claimed_by: given.owner,
      claimed_until_ms: given.untilMs,
      turn_at_ms: given.nowMs,
    })
    .where('id', '=', given.id)
    .where('status', 'in', open)
    .where(mayRun(given.nowMs))
    .where(({ not }) => not(isQueueTaken(db, given.nowMs)))
    .returning('id'),
);

/** Lets all claims run out: for a process that has the store for itself. Who held them stays written, since they were interrupted. */
export const endClaims = query({}, {}, (db) =>
  db.updateTable('jobs').set({ claimed_until_ms: null }).where('status', 'in', open).where(isNotAway(db, 'jobs')),
);

/** How far a job is after a page; without a claim it is given back. */
const progress = {
  ...pick(jobs.columns, 'status', 'place', 'cursor', 'counts', 'problems', 'failure', 'attempts', 'notBeforeMs', 'endedAtMs'),
  ...pick(jobs.columns, 'claimedBy', 'claimedUntilMs', 'isAtLeast'),
};

/**
 * Keeps what a page has done. A job that was cancelled or paused meanwhile stays so, but for one that this page has ended.
 *
 * @returns its status from now on, and the rate to go on with; no row where another process has claimed it
 */
export const keepProgress = companyQuery({ ...claimColumns, ...progress }, pick(jobs.columns, 'status', 'rate'), (company, given) =>
  company
    .updateTable('jobs')
    .set({
      status: sql<JobStatus>`case
        when status = 'cancelled' or (status = 'paused' and ${given.status} <> 'done') then status else ${given.status} end`,
      place: given.place,
      cursor: given.cursor,
      counts: given.counts,
      problems: given.problems,
      failure: given.failure,
      attempts: given.attempts,
      not_before_ms: given.notBeforeMs,
      ended_at_ms: sql<number | null>`coalesce(ended_at_ms, ${given.endedAtMs})`,
      claimed_by: given.claimedBy,
      claimed_until_ms: given.claimedUntilMs,
      is_at_least: given.isAtLeast,
    })
    .where('id', '=', given.id)
    .where('claimed_by', '=', given.owner)
    .returning(['status', 'rate']),
);

const { id, rate } = jobs.columns;

/** Lets a job act no more until it is resumed. */
export const pauseJob = jobs.change({ id }, (rows, given) =>
  rows.set({ status: 'paused' }).where('id', '=', given.id).where('status', 'in', open),
);

/** Lets it go on, with its failures forgotten. */
export const resumeJob = jobs.change({ id }, (rows, given) =>
  rows.set({ status: 'waiting', attempts: 0, failure: null }).where('id', '=', given.id).where('status', '=', 'paused'),
);

/** Ends it where it stands. */
export const cancelJob = jobs.change({ id, nowMs: integer() }, (rows, given) =>
  rows
    .set({ status: 'cancelled', ended_at_ms: given.nowMs })
    .where('id', '=', given.id)
    .where('status', 'in', [...open, paused]),
);

/** Changes its rate, from its next page on. */
export const setRate = jobs.change({ id, rate }, (rows, given) =>
  rows
    .set({ rate: given.rate })
    .where('id', '=', given.id)
    .where('status', 'in', [...open, paused]),
);

/** What a page of the list is of: an empty text stands for any, and jobs from `below` on, in the order of the list, are left out. */
const filter = { companyId: text(), status: plain(), kind: plain(), belowMs: integer(), belowId: plain(), limit: integer() };

const isAnyOr = (given: string, column: string) => sql<boolean>`(${given} = '' or ${sql.ref(column)} = ${given})`;

/** Newest first. */
export const selectJobs = query(filter, jobs.columns, (db, given) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where(sql<boolean>`(created_at_ms, id) < (${given.belowMs}, ${given.belowId})`)
    .where(isAnyOr(given.companyId, 'company_id'))
    .where(isAnyOr(given.status, 'status'))
    .where(isAnyOr(given.kind, 'kind'))
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(given.limit),
);

/** Jobs that ended before an instant, for retention. */
export const deleteEndedJobs = query({ beforeMs: integer(), limit: integer() }, {}, (db, { beforeMs, limit }) =>
  db
    .deleteFrom('jobs')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('jobs')
        .select('id')
        .where('ended_at_ms', '<', beforeMs)
        .where(isNotAway(db, 'jobs'))
        .orderBy('created_at_ms')
        .limit(limit),
    )
    .returning('id'),
);
