// What was counted of all workflows of a company, as its overview shows it.
import { integer, pick, type Runner, sum } from '@hilo/stores';
import { sql } from 'kysely';
import { companyQuery } from '../platform/database/schema.ts';
import { numbers } from '../platform/tables/numbers.ts';
import { hourOf } from './count-records.ts';

/** Sums over all workflows: how executions began and ended, why steps failed, and how often each node was entered. */
const selectSums = companyQuery(
  { fromHour: integer(), toHour: integer() },
  { ...pick(numbers.columns, 'workflowId', 'nodeId', 'kind', 'name'), number: sum() },
  (company, { fromHour, toHour }) =>
    company
      .selectFrom('numbers')
      .select(['workflow_id', 'node_id', 'kind', 'name', sql<number>`cast(sum(count) as bigint)`.as('number')])
      .where('hour', '>=', fromHour)
      .where('hour', '<=', toHour)
      .where('kind', '!=', 'left')
      .groupBy(['workflow_id', 'node_id', 'kind', 'name']),
);

/** What was counted of a company in the hours from an instant to another one. */
export async function readSums(
  runner: Pick<Runner, 'read'>,
  { companyId, fromMs, toMs }: { readonly companyId: string; readonly fromMs: number; readonly toMs: number },
) {
  const hours = { fromHour: hourOf(fromMs), toHour: hourOf(toMs) };
  const rows = await runner.read(selectSums({ companyId, ...hours }));
  return rows.map(({ number: count, ...row }) => ({ ...row, count }));
}

/** What is summed of them; the kind is one of `countKinds`. */
type Sums = readonly (Omit<Awaited<ReturnType<typeof readSums>>[number], 'kind'> & { readonly kind: string })[];

/** How executions went: `handedOff` is how often one came to a node that gives the conversation to a person. */
export function summarize(sums: Sums, isHandOff: (workflowId: string, nodeId: string) => boolean) {
  const count = (isMeant: (one: Sums[number]) => boolean): number => sums.reduce((sum, one) => (isMeant(one) ? sum + one.count : sum), 0);
  return {
    began: count(({ nodeId, kind }) => nodeId === '' && kind === 'entered'),
    completed: count(({ nodeId, kind, name }) => nodeId === '' && kind === 'ended' && name === 'completed'),
    failed: count(({ nodeId, kind, name }) => nodeId === '' && kind === 'ended' && name === 'failed'),
    handedOff: count(({ workflowId, nodeId, kind }) => kind === 'entered' && nodeId !== '' && isHandOff(workflowId, nodeId)),
  };
}

/** The causes for which steps failed, the most frequent first. */
export function listCauses(sums: Sums): readonly { readonly cause: string; readonly count: number }[] {
  const failed = Map.groupBy(
    sums.filter(({ kind }) => kind === 'failed'),
    ({ name }) => name,
  );
  return [...failed]
    .map(([cause, some]) => ({ cause, count: some.reduce((sum, { count }) => sum + count, 0) }))
    .toSorted((one, other) => other.count - one.count || (one.cause < other.cause ? -1 : 1));
}
