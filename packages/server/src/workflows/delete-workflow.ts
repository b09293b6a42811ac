// Deletes a workflow that nothing runs.
import { call, condition } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import { growRevision } from '../platform/database/revision.ts';
import { encodeWorkflow, ofCompany, type WorkflowKey } from '../platform/database/schema.ts';
import { unended, selectUnended } from '../platform/database/unended.ts';
import { errorResponses, WorkflowQuery, workflowNotFound } from '../platform/http/admin.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { HttpError, unavailable } from '../platform/http/errors.ts';
import { acme } from '../platform/http/example-requests.ts';
import { ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { requireWorkflowCompany } from '../tenants/companies.ts';
import { requireUnlocked } from './locks.ts';
import type { WorkflowParts } from './workflows.ts';

/** Returns no row, which rolls the whole transaction back, while an execution of the workflow has not ended. */
const removeDraft = ofCompany<WorkflowKey>()((company, { companyId, workflowId }, db) =>
  company
    .deleteFrom('drafts')
    .where('workflow_id', '=', workflowId)
    .where(({ not, exists }) => not(exists(selectUnended(db, 'workflow_id', companyId, workflowId))))
    .returning('workflow_id'),
);

/** What else is kept of a workflow. The canvases that its executions ran stay, for their histories. */
const rest = (
  [
    'versions',
    'gates',
    'draft_revisions',
    'transcripts',
    'version_notes',
    'imported_workflows',
    'archived_workflows',
    'workflow_folders',
    'workflow_locks',
    'workflow_comments',
    'authors_here',
  ] as const
).map((table) => ofCompany<WorkflowKey>()((company, { workflowId }) => company.deleteFrom(table).where('workflow_id', '=', workflowId)));

/** The versions of a workflow and their notes, unless it has a draft. */
const deleteOrphans = (['versions', 'gates', 'version_notes'] as const).map((table) =>
  ofCompany<WorkflowKey>()((company, { workflowId }) =>
    company
      .deleteFrom(table)
      .where('workflow_id', '=', workflowId)
      .where(({ not, exists }) => not(exists(company.selectFrom('drafts').select('workflow_id').where('workflow_id', '=', workflowId)))),
  ),
);

/**
 * Takes back a version that was published while its workflow was removed: else it would run with nothing to show for it. Both the
 * publishing and the removal do so after their writes, of which PostgreSQL may let neither see the other's.
 *
 * @returns whether the workflow is gone
 */
export async function removeOrphanedVersions(
  { store }: Pick<WorkflowParts, 'store'>,
  companyId: string,
  workflowId: string,
): Promise<boolean> {
  if ((await store.canvases.draft(companyId, workflowId)) !== undefined) return false;
  const place = encodeWorkflow(companyId, workflowId);
  await store.runner.write(deleteOrphans.map((each) => call(each, place)));
  store.canvases.forget(companyId, workflowId);
  return true;
}

/** How often a removal is tried again after executions have started meanwhile. */
const maxTries = 20;

/** Removes a workflow with its draft, versions and transcripts. */
export const deleteWorkflow = defineRoute({
  delete: '/admin/v1/workflows/{workflowId}',
  operationId: 'deleteWorkflow',
  auth: 'operator',
  permission: 'operate',
  tags: ['Workflows'],
  summary: 'Removes a workflow: its draft, its versions and its transcripts; its executions keep their history',
  description: 'Refused while executions are open, unless force is true, which cancels them.',
  params: z.object({ workflowId: z.string() }),
  query: WorkflowQuery.extend({
    force: z
      .enum(['true', 'false'], 'force is true or false')
      .default('false')
      .openapi({ description: 'Also cancels its open executions' }),
  }),
  answer: jsonResponse('The workflow was removed', z.object({ workflowId: z.string(), cancelled: z.int() })),
  refusals: {
    ...errorResponses,
    409: jsonResponse(
      'It has open executions, is the failure workflow of the company, or is locked by somebody else: nothing was removed',
      ErrorBody,
    ),
  },
  example: { path: { workflowId: 'sign-contract' }, ...acme },
  async handle({ operator, params: { workflowId }, query: { companyId: named, force } }, service: WorkflowParts) {
    const { companies, store } = service;
    const companyId = await requireWorkflowCompany(service, named, workflowId);
    if (companies.company(companyId)?.failureWorkflowId === workflowId)
      throw inUse(`Workflow "${workflowId}" is the failureWorkflowId of its company: name another one there first`);
    await requireUnlocked(service, { companyId, workflowId, by: operator });
    const place = encodeWorkflow(companyId, workflowId);
    let cancelled = 0;
    for (let tries = 0; tries < maxTries; tries += 1) {
      if ((await store.canvases.draft(companyId, workflowId)) === undefined) throw workflowNotFound(workflowId);
      if (force === 'true') cancelled += await cancelAll(service, companyId, workflowId);
      const { failed } = await store.runner.write([
        condition(removeDraft, place),
        ...rest.map((each) => call(each, place)),
        growRevision(), // it may have been archived, and its name may come again
      ]);
      store.canvases.forget(companyId, workflowId);
      if (failed === undefined) {
        await companies.refresh();
        await removeOrphanedVersions(service, companyId, workflowId);
        return { workflowId, cancelled };
      }
      if (force === 'false' && (await store.canvases.draft(companyId, workflowId)) !== undefined)
        throw inUse(`Executions of workflow "${workflowId}" have not ended: wait for them, or cancel them with ?force=true`);
    }
    throw unavailable(`Workflow "${workflowId}" is started by many requests at once; send this again in a moment`);
  },
});

/** @returns how many it cancelled */
async function cancelAll(
  { engine, store }: Pick<WorkflowParts, 'engine' | 'store'>,
  companyId: string,
  workflowId: string,
): Promise<number> {
  let cancelled = 0;
  for (const status of unended)
    for (;;) {
      const { results } = await store.executions.list(companyId, { workflowId, status, limit: 100 });
      for (const { executionId } of results) await engine.cancel(companyId, executionId, `Workflow "${workflowId}" was removed`);
      cancelled += results.length;
      if (results.length < 100) break;
    }
  return cancelled;
}

const inUse = (message: string): HttpError => new HttpError(409, 'WORKFLOW_IN_USE', message);
