import { ask, askOne, statementsOver, type DurableStore } from '@hilo/stores';

/** How much of what there is. */
export interface Counts {
  readonly byStatus: readonly { readonly companyId: string; readonly status: string; readonly count: number }[];
  readonly byCompany: readonly { readonly companyId: string; readonly count: number }[];
  /** Accepted, and without consequence yet. */
  readonly queued: number;
}

const statement = statementsOver<Record<never, never>>();

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
const queued = statement()((db) => db.selectFrom('queue').select(({ fn }) => fn.countAll().as('count')));

/** Counts what the store holds, all at one moment (P35). */
export const countAll = ({ runner }: Pick<DurableStore, 'runner'>): Promise<Counts> =>
  runner.read(function* () {
    const statuses = yield* ask(byStatus, {});
    const companies = yield* ask(byCompany, {});
    const queue = yield* askOne(queued, {});
    return {
      byStatus: statuses.map(({ company_id: companyId, status, count }) => ({ companyId, status, count: Number(count) })),
      byCompany: companies.map(({ company_id: companyId, count }) => ({ companyId, count: Number(count) })),
      queued: Number(queue?.count ?? 0),
    };
  });
