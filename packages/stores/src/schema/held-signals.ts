import type { DdlDialect } from './ddl-dialect.ts';

/** Signals that are held for a wait: found by name and correlation value, as waits are. */
export const heldSignals = ({ integer, byKey }: DdlDialect): readonly string[] => [
  `create table held_signals (
    company_id text not null,
    id text not null,
    signal_name text not null,
    signal_value text not null,
    signal text not null,
    held_at_ms ${integer} not null,
    until_ms ${integer} not null,
    primary key (company_id, id)
  ) ${byKey}`,
  'create index held_signals_by_name on held_signals (company_id, signal_name, signal_value, held_at_ms, id)',
  'create index held_signals_by_end on held_signals (until_ms)',
];
