import type { Migration } from './extension.ts';

/** Which executions have left for the history outbox, and which process moves them. */
export const exports: Migration = ({ integer, byKey }) => [
  `create table exported (execution ${integer} not null primary key)`,
  `create table turns (name text not null primary key, holder text not null, until_ms ${integer} not null) ${byKey}`,
];
