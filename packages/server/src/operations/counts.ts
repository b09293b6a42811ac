import { sql } from 'kysely';
import { call, type DurableStore, statementsOver } from '@hilo/stores';
import type { PrunedRow } from '../platform/database/pruned-executions.ts';

/** How many executions of a company have a status. */
export interface StatusCount {
  readonly companyId: string;
  readonly status: string;
  readonly count: number;
}

/** How much of what there is. */
export interface Counts {
  readonly byStatus: readonly StatusCount[];
  /** What retention removed, by the status it had. */
  readonly pruned: readonly StatusCount[];
  /** All that was ever accepted. */
  readonly byCompany: readonly { readonly companyId: string; readonly count: number }[];
  /** Accepted, and without consequence yet. */
  readonly queued: number;
}

const statement = statementsOver<{ readonly pruned_executions: PrunedRow }>();

/** One statement, so that all is counted at one moment; each part is read from an index alone. */
const countedRows = statement()((db) =>
  db
    .selectFrom('executions')
    .select(({ fn }) => ['company_id', 'status', fn.countAll().as('count'), sql<string>`'kept'`.as('kind')])
    .groupBy(['company_id', 'status'])
    .unionAll(
      db
        .selectFrom('pruned_executions')
        .select(['company_id', 'status', sql<number | string | bigint>`number`.as('count'), sql<string>`'pruned'`.as('kind')]),
    )
    .unionAll(
      db
        .selectFrom('queue')
        .select(({ fn }) => [
          sql<string>`''`.as('company_id'),
          sql<string>`''`.as('status'),
          fn.countAll().as('count'),
          sql<string>`'queued'`.as('kind'),
        ]),
    ),
);

/** Counts what the store holds, all at one moment (P35). */
export async function countAll({ runner }: Pick<DurableStore, 'runner'>): Promise<Counts> {
  const rows = (await runner.read(call(countedRows, {}))).map(({ kind, company_id: companyId, status, count }) => ({
    kind,
    count: { companyId, status, count: Number(count) },
  }));
  const countsOf = (wanted: string) => rows.flatMap(({ kind, count }) => (kind === wanted ? [count] : []));
  const [byStatus, pruned] = [countsOf('kept'), countsOf('pruned')];
  return {
    byStatus,
    pruned,
    byCompany: [...Map.groupBy([...byStatus, ...pruned], ({ companyId }) => companyId)].map(([companyId, counts]) => ({
      companyId,
      count: counts.reduce((sum, { count }) => sum + count, 0),
    })),
    queued: countsOf('queued')[0]?.count ?? 0,
  };
}
