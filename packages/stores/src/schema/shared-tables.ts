import { partitionCount } from '../partition.ts';
import type { DdlDialect } from './ddl-dialect.ts';

/** Computes the same number as `partitionOf`. */
const part = "smallint generated always as (get_byte(decode(md5(lane), 'hex'), 0)) stored";

/** Processes that share a database own its lanes by partitions, and post each other calls for lanes of the other. */
export const sharedTables = ({ growing, integer }: DdlDialect): readonly string[] => [
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
