import type { DdlDialect } from './ddl-dialect.ts';

/**
 * What keeps workflows from being started. The table is small and read with the latest versions. Where processes share the database, a
 * function refuses the rows of starts that were decided before a gate was closed; a trigger that calls it is made with the first gate.
 */
export const gates = ({ whereShared, integer, byKey }: DdlDialect): readonly string[] => [
  `create table gates (
    company_id text not null,
    workflow_id text not null,
    gate text not null,
    until_ms ${integer},
    primary key (company_id, workflow_id)
  ) ${byKey}`,
  ...whereShared(
    `create function skip_gated_start() returns trigger language plpgsql set search_path from current as $$
          begin
            if new.version > 0 and new.parent_execution_id is null and exists (
              select from gates where company_id = new.company_id and workflow_id = new.workflow_id
                and (until_ms is null or until_ms > new.created_at_ms)
            ) then
              return null;
            end if;
            return new;
          end $$`,
  ),
];
