import { ask, askOne, statementsOver, type DurableStore } from '@hilo/stores';
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

/** Each is read from an index alone. */
const byStatus = statement()((db) =>
  db
    .selectFrom('executions')
    .select(({ fn }) => ['company_id', 'status', fn.countAll().as('count')])
    .groupBy(['company_id', 'status']),
);
const byCompany = statement()((db) =>
  db
    .selectFrom('executions')
    .select(({ fn }) => ['company_id', fn.countAll().as('count')])
    .groupBy('company_id'),
);
const pruned = statement()((db) => db.selectFrom('pruned_executions').select(['company_id', 'status', 'number as count']));
const queued = statement()((db) => db.selectFrom('queue').select(({ fn }) => fn.countAll().as('count')));

/** Counts what the store holds, all at one moment (P35). */
export const countAll = ({ runner }: Pick<DurableStore, 'runner'>): Promise<Counts> =>
  runner.read(function* () {
    const statuses = yield* ask(byStatus, {});
    const companies = yield* ask(byCompany, {});
    const removed = yield* ask(pruned, {});
    const queue = yield* askOne(queued, {});
    const accepted = [...companies, ...removed].map(({ company_id: companyId, count }) => ({ companyId, count: Number(count) }));
    return {
      byStatus: statuses.map(countOf),
      pruned: removed.map(countOf),
      byCompany: [...Map.groupBy(accepted, ({ companyId }) => companyId)].map(([companyId, counts]) => ({
        companyId,
        count: counts.reduce((sum, { count }) => sum + count, 0),
      })),
      queued: Number(queue?.count ?? 0),
    };
  });

const countOf = ({ company_id: companyId, status, count }: StatusRow): StatusCount => ({ companyId, status, count: Number(count) });

interface StatusRow {
  readonly company_id: string;
  readonly status: string;
  readonly count: number | string | bigint;
}
