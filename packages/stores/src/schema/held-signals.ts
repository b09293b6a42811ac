import type { DdlDialect } from './ddl-dialect.ts';

/**
 * Signals that are held for a wait: found by name and correlation value, as waits are. They are rows of a company and of no lane: where
 * processes share the database, every unique key begins with a lane's partition, so that theirs is not declared unique there.
 */
export const heldSignals = ({ isShared, whereShared, integer, byKey }: DdlDialect): readonly string[] => [
  `create table held_signals (
    company_id text not null,
    id text not null,
    signal_name text not null,
    signal_value text not null,
    signal text not null,
    held_at_ms ${integer} not null,
    until_ms ${integer} not null${isShared ? '' : ', primary key (company_id, id)'}
  ) ${byKey}`,
  ...whereShared('create index held_signals_by_id on held_signals (company_id, id)'),
  'create index held_signals_by_name on held_signals (company_id, signal_name, signal_value, held_at_ms, id)',
  'create index held_signals_by_end on held_signals (until_ms)',
];
