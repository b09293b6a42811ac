import { partitionCount } from '../partition.ts';
import type { Migration } from './extension.ts';

/** The same number as `partitionOf` gives. */
const part = "smallint generated always as (get_byte(decode(md5(lane), 'hex'), 0)) stored";

/**
 * Processes that share a database have its lanes by partitions, and hand each other what is another's. Leases of single lanes are no
 * more: a process of an earlier release, which goes by them, is refused what it asks.
 */
export const partitions: Migration = ({ isShared, growing, integer }) => [
  'drop table lanes',
  ...(isShared
    ? [
        'alter table members add column address text',
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
      ]
    : ['drop table members']),
];
