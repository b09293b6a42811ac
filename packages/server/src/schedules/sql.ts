// Statements over rules of the clock, starts that are due, and the people whom they are for.
import { integer, oneOf, type Call, optional, plain, sum, text, type ReadOf, selected } from '@hilo/stores';
import { sql } from 'kysely';
import { isNotAway } from '../platform/database/not-away.ts';
import { peopleAfter } from '../platform/database/people.ts';
import { companyQuery, query } from '../platform/database/schema.ts';
import { scheduledStarts, schedules, startStatuses, type StartStatus } from '../platform/tables/schedules.ts';

/** A version with what keeps it from being started. */
const latestVersion = { companyId: text(), workflowId: text(), hash: plain(), publishedAtMs: integer(), gate: optional(text()) };

/** The latest version of every workflow of all companies. */
export const selectLatestVersions = query({}, latestVersion, (db) =>
  db
    .selectFrom('versions')
    .innerJoin(
      ({ selectFrom }) =>
        selectFrom('versions as each')
          .select(['each.company_id', 'each.workflow_id', sql<number>`max(each.version)`.as('version')])
          .groupBy(['each.company_id', 'each.workflow_id'])
          .as('latest'),
      (join) =>
        join
          .onRef('latest.company_id', '=', 'versions.company_id')
          .onRef('latest.workflow_id', '=', 'versions.workflow_id')
          .onRef('latest.version', '=', 'versions.version'),
    )
    .leftJoin('gates', (join) =>
      join.onRef('gates.company_id', '=', 'versions.company_id').onRef('gates.workflow_id', '=', 'versions.workflow_id'),
    )
    .select(['versions.company_id', 'versions.workflow_id', 'versions.hash', 'versions.published_at_ms', 'gates.gate']),
);

/** The content of a hash, where it may have a rule of the clock: most have none, and need not be read. */
export const selectClocked = companyQuery({ hash: plain() }, { canvas: plain() }, (company, { hash }) =>
  company
    .selectFrom('contents')
    .select('canvas')
    .where('hash', '=', hash)
    .where(({ or }) => or([sql<boolean>`canvas like '%"cron"%'`, sql<boolean>`canvas like '%user.fields.%'`])),
);

/** Moves a rule on, where no other process did: gives a row then. */
export const moveThrough = schedules.change(
  {
    workflowId: schedules.columns.workflowId,
    nodeId: schedules.columns.nodeId,
    kind: schedules.columns.kind,
    rule: schedules.columns.rule,
    fromMs: integer(),
    toMs: integer(),
  },
  (rows, { workflowId, nodeId, kind, rule, fromMs, toMs }) =>
    rows
      .set({ through_ms: toMs })
      .where('workflow_id', '=', workflowId)
      .where('node_id', '=', nodeId)
      .where('kind', '=', kind)
      .where('rule', '=', rule)
      .where('through_ms', '=', fromMs),
);

/** Puts a rule in the place of another, where no other process did: gives a row then. */
export const replaceRule = schedules.change(
  {
    workflowId: schedules.columns.workflowId,
    nodeId: schedules.columns.nodeId,
    kind: schedules.columns.kind,
    rule: schedules.columns.rule,
    before: schedules.columns.rule,
    fromMs: integer(),
    toMs: integer(),
  },
  (rows, { workflowId, nodeId, kind, rule, before, fromMs, toMs }) =>
    rows
      .set({ rule, through_ms: toMs })
      .where('workflow_id', '=', workflowId)
      .where('node_id', '=', nodeId)
      .where('kind', '=', kind)
      .where('rule', '=', before)
      .where('through_ms', '=', fromMs),
);

/** Companies with starts that are due. */
export const selectDueCompanies = query({ nowMs: integer() }, { companyId: text() }, (db, { nowMs }) =>
  db
    .selectFrom('scheduled_starts')
    .select('company_id')
    .distinct()
    .where('status', 'in', [sql.lit<StartStatus>('waiting'), sql.lit<StartStatus>('running')])
    .where('job_id', 'is', null)
    .where('due_at_ms', '<=', nowMs)
    .where(isNotAway(db, 'scheduled_starts')),
);

/** When the next start that waits for its time is due. */
export const selectNextDue = query({ nowMs: integer() }, { atMs: optional(sum()) }, (db, { nowMs }) =>
  db
    .selectFrom('scheduled_starts')
    .select(({ fn }) => fn.min('due_at_ms').as('at_ms'))
    .where('status', 'in', [sql.lit<StartStatus>('waiting'), sql.lit<StartStatus>('running')])
    .where('due_at_ms', '>', nowMs),
);

const startColumns = [
  ...([
    'companyId',
    'id',
    'workflowId',
    'nodeId',
    'audience',
    'botId',
    'userId',
    'inputs',
    'status',
    'dueAtMs',
    'graceMs',
    'times',
  ] as const),
  ...(['jobId', 'counts', 'executionId', 'reason', 'createdBy', 'createdAtMs', 'endedAtMs'] as const),
] as const;

/** Starts of a company that are due, the oldest first: also those with which a process that died was about to begin. */
export const selectDueStarts = scheduledStarts.read(startColumns, { nowMs: integer(), limit: integer() }, (rows, { nowMs, limit }) =>
  rows
    .where('status', 'in', ['waiting', 'running'])
    .where('job_id', 'is', null)
    .where('due_at_ms', '<=', nowMs)
    .orderBy('due_at_ms')
    .orderBy('id')
    .limit(limit),
);

const status = oneOf(startStatuses);

/** Takes a step of a start from one status to another; gives a row where it was in that one. */
export const stepStart = scheduledStarts.change({ id: scheduledStarts.columns.id, from: status, to: status }, (rows, { id, from, to }) =>
  rows.set({ status: to }).where('id', '=', id).where('status', '=', from),
);

/** Ends a start that is open. */
export const endStart = scheduledStarts.change(
  {
    id: scheduledStarts.columns.id,
    to: status,
    executionId: scheduledStarts.columns.executionId,
    reason: scheduledStarts.columns.reason,
    counts: scheduledStarts.columns.counts,
    nowMs: integer(),
  },
  (rows, { id, to, executionId, reason, counts, nowMs }) =>
    rows
      .set({ status: to, execution_id: executionId, reason, counts, ended_at_ms: nowMs })
      .where('id', '=', id)
      .where('status', 'in', ['waiting', 'running']),
);

/**
 * Gives a row while fewer than so many starts of a company lie ahead. Those that are cancelled are told from the others only where all of
 * them together are as many: until then an index is all that is read.
 */
export const hasRoomAhead = companyQuery({ nowMs: integer(), most: integer() }, { room: integer() }, (company, { nowMs, most }, db) => {
  const ahead = company.selectFrom('scheduled_starts').where('due_at_ms', '>', nowMs);
  const count = ahead.select(({ fn }) => fn.countAll<number>().as('count'));
  return db
    .selectNoFrom(({ lit }) => lit(1).as('room'))
    .where(({ eb, or }) => or([eb(count, '<', most), eb(count.where('status', '=', sql.lit<StartStatus>('waiting')), '<', most)]));
});

/** Starts of a company, the latest due time first. */
export const selectStarts = scheduledStarts.read(
  startColumns,
  {
    belowMs: integer(),
    belowId: scheduledStarts.columns.id,
    limit: integer(),
    status: scheduledStarts.columns.reason,
    workflowId: scheduledStarts.columns.reason,
  },
  (rows, { belowMs, belowId, limit, status: only, workflowId }) =>
    rows
      .where(sql<boolean>`(due_at_ms, id) < (${belowMs}, ${belowId})`)
      .where(sql<boolean>`(${only} is null or status = ${only})`)
      .where(sql<boolean>`(${workflowId} is null or workflow_id = ${workflowId})`)
      .orderBy('due_at_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(limit),
);

/** Removes starts that ended long ago, so many. */
export const deleteEndedStarts = query({ beforeMs: integer(), limit: integer() }, {}, (db, { beforeMs, limit }) =>
  db
    .deleteFrom('scheduled_starts')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('scheduled_starts')
        .select('id')
        .where('ended_at_ms', '<', beforeMs)
        .where(isNotAway(db, 'scheduled_starts'))
        .orderBy('due_at_ms')
        .limit(limit),
    )
    .returning('id'),
);

/** A person of an audience; their fields are JSON. */
const addressee = {
  personKey: plain(),
  userId: text(),
  id: optional(plain()),
  phone: optional(plain()),
  timeZone: optional(plain()),
  fields: optional(plain()),
};
export type Addressee = ReadOf<typeof addressee>;

const personPage = { after: plain(), limit: integer() };

/** People of a window of the table whose fields have a text. */
const selectDatedPage = companyQuery(
  { ...personPage, close: plain(), spaced: plain() },
  addressee,
  (company, { after, limit, close, spaced }, db) =>
    db
      .selectFrom(peopleAfter(company, { after, rows: limit }).as('people'))
      .select(selected('people', addressee))
      .where(({ or }) => or([sql<boolean>`people.fields like ${close}`, sql<boolean>`people.fields like ${spaced}`]))
      .orderBy('people.person_key'),
);

/** Those of a window whose field begins with a text, and perhaps others; the database's two ways to write JSON are both looked for. */
export const datedPage = (companyId: string, field: string, beginning: string, after: string, limit: number): Call<Addressee> =>
  selectDatedPage({
    companyId,
    after,
    limit,
    close: `%"${field}":"${beginning}%`,
    spaced: `%"${field}": "${beginning}%`,
  });
