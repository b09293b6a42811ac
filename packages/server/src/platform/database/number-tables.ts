// The tables of what is counted of workflows: the counts by the hour and the channel, and how far histories are counted.
import type { Migration } from '@hilo/stores';

const buckets = Array.from({ length: 20 }, (_, index) => `b${String(index).padStart(2, '0')}`);

/**
 * Histories are counted in the order of their numbers. SQLite gives the number of the last row again once that row is removed: then what is
 * counted goes back to the rows that are left. PostgreSQL never does, and finds the newest rows of a table by the ranges of its pages.
 */
export const numberTables: Migration = ({ whereShared, whereOwn, integer, byKey }) => {
  const goBack = (table: string, column: string): string =>
    `create trigger ${table}_counted after delete on ${table} for each row begin
      update number_cursors set ${column} = (select coalesce(max(id), 0) from ${table})
        where ${column} > (select coalesce(max(id), 0) from ${table}); end`;
  return [
    `create table numbers (
    company_id text not null,
    workflow_id text not null,
    hour ${integer} not null,
    version ${integer} not null,
    node_id text not null,
    kind text not null,
    name text not null,
    count ${integer} not null,
    time_ms ${integer} not null,
    ${buckets.map((name) => `${name} ${integer} not null`).join(',\n    ')},
    primary key (company_id, workflow_id, hour, version, node_id, kind, name)
  ) ${byKey}`,
    'create index numbers_by_hour on numbers (hour)',
    `create table number_cursors (name text not null primary key, begun ${integer} not null, advanced ${integer} not null, at_ms ${integer} not null) ${byKey}`,
    "insert into number_cursors (name, begun, advanced, at_ms) values ('histories', 0, 0, 0)",
    ...whereShared('create index histories_by_number on histories using brin (id) with (autosummarize = on)'),
    ...whereOwn(goBack('executions', 'begun'), goBack('histories', 'advanced')),
  ];
};

/** Counts have the channel of their user in the key. The channel of what was counted before is not known, and is left empty. */
export const numberChannels: Migration = ({ whereShared, integer, byKey }) => {
  const key = ['company_id', 'workflow_id', 'hour', 'version', 'node_id', 'kind', 'name'];
  const others = ['count', 'time_ms', ...buckets];
  return [
    `create table channel_numbers (
    company_id text not null,
    workflow_id text not null,
    hour ${integer} not null,
    version ${integer} not null,
    node_id text not null,
    kind text not null,
    name text not null,
    channel text not null,
    ${others.map((name) => `${name} ${integer} not null`).join(',\n    ')},
    primary key (${[...key, 'channel'].join(', ')})
  ) ${byKey}`,
    `insert into channel_numbers (${[...key, 'channel', ...others].join(', ')}) select ${[...key, "''", ...others].join(', ')} from numbers`,
    'drop table numbers',
    'alter table channel_numbers rename to numbers',
    ...whereShared('alter index channel_numbers_pkey rename to numbers_pkey'), // as the key of a new database is named
    'create index numbers_by_hour on numbers (hour)',
  ];
};
