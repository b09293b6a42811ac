import { ofCompany, type WorkflowKey } from './schema.ts';

/**
 * Changes nothing but locks the draft of a workflow: nothing that is written on this condition is left behind by the removal of the
 * workflow at the same moment. Returns no row where there is no such workflow.
 */
export const holdDraft = ofCompany<WorkflowKey>()((company, { workflowId }) =>
  company
    .updateTable('drafts')
    .set((eb) => ({ hash: eb.ref('hash') }))
    .where('workflow_id', '=', workflowId)
    .returning('workflow_id'),
);
