// The ids of all workflows of a company, which may be a hundred thousand: a few at a time, so that others are served in between (P20).
import { integer, type Runner, text } from '@hilo/stores';
import { createTurns } from '../turns.ts';
import { companyQuery } from './schema.ts';

/** Read in one turn, in some milliseconds. */
const workflowsInWindow = 5_000;

const selectWindow = companyQuery({ after: text(), limit: integer() }, { workflowId: text() }, (company, { after, limit }) =>
  company.selectFrom('drafts').select('workflow_id').where('workflow_id', '>', after).orderBy('workflow_id').limit(limit),
);

/** The ids in their order. @param inWindow - how many are read in one turn */
export async function readWorkflowIds(
  runner: Pick<Runner, 'read'>,
  companyId: string,
  inWindow = workflowsInWindow,
): Promise<readonly string[]> {
  const nextTurn = createTurns(1);
  const ids: string[] = [];
  for (let isMore = true; isMore; ) {
    await nextTurn();
    const found = await runner.read(selectWindow({ companyId, after: ids.at(-1) ?? '', limit: inWindow }));
    for (const { workflowId } of found) ids.push(workflowId);
    isMore = found.length === inWindow;
  }
  return ids;
}
