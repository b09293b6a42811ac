import type { Words } from './words.ts';

/**
 * What is to be done, by lane: so that a process looks at one lane, or takes up all of them page by page, whatever else
 * waits. And whose a lane is, where several processes share the store.
 */
export const workByLane = ({ integer, growing, byKey, bytewise }: Words): readonly string[] => [
  ...bytewise('executions', 'lane'),
  ...bytewise('queue', 'lane'),
  // 0 for what comes from the family of executions itself, 1 for the rest.
  `alter table queue add column rank ${integer} not null default 1`,
  `update queue set rank = 0 where accepted like '{"kind":"child.%' or accepted like '{"kind":"cancel"%'`,
  'create index queue_by_lane on queue (lane, rank, seq)',
  'drop index executions_unsettled',
  'create index executions_unsettled on executions (lane, id) where unsettled is not null',

  `create table take_ups (lane text not null primary key, count ${integer} not null) ${byKey}`,
  ...bytewise('take_ups', 'lane'),

  `create table set_aside (
    seq ${integer} not null primary key,
    company_id text not null,
    lane text not null,
    accepted_at_ms ${integer} not null,
    accepted text not null
  )`,

  `create table members (id ${growing}, alive_until_ms ${integer} not null)`,
  `create table lanes (lane text not null primary key, owner ${integer} not null, wanted ${integer} not null) ${byKey}`,
  ...bytewise('lanes', 'lane'),
  'create index lanes_by_owner on lanes (owner)',
];
