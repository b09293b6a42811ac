import { call, type DurableStore, read, statementsOver, written } from '@hilo/stores';

const statement = statementsOver<Record<never, never>>();

const draftsAfter = statement<{ readonly companyId: string; readonly after: string; readonly limit: number }>()(
  (db, { companyId, after, limit }) =>
    db
      .selectFrom('drafts')
      .select('workflow_id')
      .where('company_id', '=', companyId)
      .where('workflow_id', '>', after)
      .orderBy('workflow_id')
      .limit(limit),
);

/** The ids of a company's workflows, in their order; the cursor is the last id of the page before. */
export async function draftsPage(
  { runner }: Pick<DurableStore, 'runner'>,
  companyId: string,
  { limit, cursor = '' }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly workflowIds: readonly string[]; readonly nextCursor: string | null }> {
  const rows = await runner.read(call(draftsAfter, { companyId: written(companyId), after: written(cursor), limit: limit + 1 }));
  const workflowIds = rows.slice(0, limit).map(({ workflow_id }) => read(workflow_id));
  return { workflowIds, nextCursor: rows.length > limit ? (workflowIds.at(-1) ?? null) : null };
}
