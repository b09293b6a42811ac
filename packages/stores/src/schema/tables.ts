import { partitionCount } from '../sharing.ts';
import type { DdlDialect } from './ddl-dialect.ts';

/**
 * The tables of `Tables`, with an index for every query over many rows. Values that few executions have, such as a due time, have a
 * partial index: waiting costs nothing but its row (P21).
 */
export const tables = (dialect: DdlDialect): readonly string[] => [
  `create table meta (name text not null primary key, value text not null) ${dialect.byKey}`,
  `insert into meta (name, value) values ('application', 'hilo'), ('schema', '0')`,
  ...executionTables(dialect),
  ...contactTables(dialect),
  ...queueTables(dialect),
  ...canvasTables(dialect),
  ...(dialect.isShared ? sharedTables(dialect) : []),
];

/** Executions, and what has happened to them. */
const executionTables = ({ integer, growing, bytewise }: DdlDialect): readonly string[] => [
  `create table executions (
    id ${growing},
    company_id text not null,
    execution_id text not null,
    workflow_id text not null,
    version ${integer},
    revision ${integer} not null,
    lane text not null,
    parent_execution_id text,
    parent_wait_id text,
    created_at_ms ${integer} not null,
    updated_at_ms ${integer} not null,
    status text not null,
    bot_key text,
    user_key text,
    wait_id text,
    due_at_ms ${integer},
    reply_since_ms ${integer},
    reply_order ${integer} not null,
    signal_name text,
    signal_value text,
    unsettled ${integer},
    ended_at_ms ${integer},
    begun text,
    state text not null
  )`,
  ...bytewise('executions', 'lane'),
  'create unique index executions_by_name on executions (company_id, execution_id)',
  'create index executions_by_age on executions (company_id, id)',
  'create index executions_by_workflow on executions (company_id, workflow_id, id)',
  'create index executions_by_status on executions (company_id, status, id)',
  'create index executions_by_user on executions (company_id, user_key, id)',
  'create index executions_due on executions (due_at_ms, id) where due_at_ms is not null',
  `create index executions_replying on executions (company_id, bot_key, user_key, reply_since_ms, reply_order)
    where reply_since_ms is not null`,
  `create index executions_listening on executions (company_id, signal_name, signal_value, id) where signal_name is not null`,
  // By lane, so that a process reads one lane, or recovers all page by page, however many there are.
  'create index executions_unsettled on executions (lane, id) where unsettled is not null',
  'create index executions_ended on executions (status, ended_at_ms) where ended_at_ms is not null',

  `create table histories (id ${growing}, execution ${integer} not null, body text not null)`,
  'create index histories_by_execution on histories (execution, id)',
];

/** Contacts, and what is remembered of them. */
const contactTables = ({ integer, growing, byKey }: DdlDialect): readonly string[] => [
  `create table contacts (
    id ${growing},
    company_id text not null,
    bot_id text not null,
    user_key text not null,
    user_id text not null,
    names text,
    phone text,
    phone_key text,
    bsuid text,
    bsuid_key text,
    window_until_ms ${integer},
    time_zone text,
    locale text
  )`,
  'create unique index contacts_by_user on contacts (company_id, bot_id, user_key)',
  'create index contacts_by_phone on contacts (company_id, bot_id, phone_key) where phone_key is not null',
  'create index contacts_by_bsuid on contacts (company_id, bot_id, bsuid_key) where bsuid_key is not null',
  `create table memories (
    contact ${integer} not null,
    name_key text not null,
    name text not null,
    value text not null,
    expires_at_ms ${integer},
    primary key (contact, name_key)
  ) ${byKey}`,
];

/** What is accepted and has no consequence yet, and which deliveries were seen. */
const queueTables = ({ integer, neverAgain, byKey, bytewise }: DdlDialect): readonly string[] => [
  `create table queue (
    seq ${neverAgain},
    company_id text not null,
    lane text not null,
    accepted_at_ms ${integer} not null,
    accepted text not null,
    rank ${integer} not null
  )`,
  ...bytewise('queue', 'lane'),
  'create index queue_by_lane on queue (lane, rank, seq)',
  `create table set_aside (
    seq ${integer} not null primary key,
    company_id text not null,
    lane text not null,
    accepted_at_ms ${integer} not null,
    accepted text not null
  )`,
  `create table take_ups (lane text not null primary key, count ${integer} not null) ${byKey}`,
  ...bytewise('take_ups', 'lane'),
  `create table seen (key text not null primary key, until_ms ${integer} not null, answer text not null) ${byKey}`,
  'create index seen_by_end on seen (until_ms)',
];

/** Drafts and versions, and who moves histories out. */
const canvasTables = ({ integer, byKey }: DdlDialect): readonly string[] => [
  'create table contents (company_id text not null, hash text not null, canvas text not null, primary key (company_id, hash))',
  `create table drafts (company_id text not null, workflow_id text not null, hash text not null, primary key (company_id, workflow_id)) ${byKey}`,
  `create table versions (
    company_id text not null,
    workflow_id text not null,
    version ${integer} not null,
    hash text not null,
    published_at_ms ${integer} not null,
    primary key (company_id, workflow_id, version)
  ) ${byKey}`,

  // Which executions have left for the history outbox, and which process moves them.
  `create table exported (execution ${integer} not null primary key)`,
  `create table turns (name text not null primary key, holder text not null, until_ms ${integer} not null) ${byKey}`,
];

/** Computes the same number as `partitionOf`. */
const part = "smallint generated always as (get_byte(decode(md5(lane), 'hex'), 0)) stored";

/** Processes that share a database own its lanes by partitions, and post each other calls for lanes of the other. */
const sharedTables = ({ growing, integer }: DdlDialect): readonly string[] => [
  `create table members (id ${growing}, alive_until_ms ${integer} not null, address text)`,
  `alter table executions add column part ${part}`,
  `alter table queue add column part ${part}`,
  `create table partitions (part smallint not null primary key, owner ${integer} not null, epoch ${integer} not null)`,
  `insert into partitions (part, owner, epoch) select part, 0, 0 from generate_series(0, ${partitionCount - 1}) as part`,
  `create table calls (
    id ${growing},
    part smallint not null,
    lane text not null,
    call text not null,
    answer text,
    made_at_ms ${integer} not null
  )`,
  'create index calls_open on calls (part, id) where answer is null',
  // What became of the last group of commits of each that writes groups; a database with one process needs none.
  `create table writers (id ${growing}, token text not null, answer text, at_ms ${integer} not null)`,
];
