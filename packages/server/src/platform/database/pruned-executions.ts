import type { Migration } from '@hilo/stores';

/**
 * How many executions retention removed, so that what was accepted is accounted for when it is gone (P35). The database
 * itself counts, in the transaction that removes.
 */
export const prunedExecutions: Migration = ({ integer, byKey, afterEach }) => [
  `create table pruned_executions (
    company_id text not null,
    status text not null,
    number ${integer} not null,
    primary key (company_id, status)
  ) ${byKey}`,
  ...afterEach(
    'delete',
    'executions',
    `insert into pruned_executions (company_id, status, number) values (old.company_id, old.status, 1)
      on conflict (company_id, status) do update set number = pruned_executions.number + 1`,
  ),
];

/** Its rows. */
export interface PrunedRow {
  readonly company_id: string;
  readonly status: string;
  readonly number: number;
}
