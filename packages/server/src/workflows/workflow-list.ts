// Workflows as they are listed.
import { setImmediate as turn } from 'node:timers/promises';
import { condition, integer, plain, text } from '@hilo/stores';
import { holdDraft } from '../platform/database/hold-draft.ts';
import { growRevision } from '../platform/database/revision.ts';
import { companyQuery, encodeWorkflow } from '../platform/database/schema.ts';
import { formatInstant } from '../platform/http/admin.ts';
import { shownWorkflow } from '../platform/shown-names.ts';
import { archivedWorkflows, workflowFolders } from '../platform/tables/workflows.ts';
import type { WorkflowSort } from './schema.ts';
import { readSavedDraft } from './authoring.ts';
import { readOrderedPage } from './workflow-order.ts';
import { readDraft, describeDraftBriefly, type WorkflowParts } from './workflows.ts';

/** Archives a workflow, so that nothing starts it, or restores it. Its executions continue. @returns whether there is such a workflow */
export async function setArchived(
  { store, clock, companies }: Pick<WorkflowParts, 'store' | 'clock' | 'companies'>,
  companyId: string,
  { workflowId, isArchived }: { readonly workflowId: string; readonly isArchived: boolean },
): Promise<boolean> {
  const place = encodeWorkflow(companyId, workflowId);
  const changing = isArchived
    ? archivedWorkflows.insertOnce({ companyId, workflowId, archivedAtMs: clock.now() })
    : archivedWorkflows.remove({ companyId, workflowId });
  const { failed } = await store.runner.write([condition(holdDraft, place), changing, growRevision()]);
  await companies.refresh();
  return failed === undefined;
}

/** Counts of one status stop here: an index is scanned for each. */
const maxCounted = 20_000;
const dayMs = 86_400_000;

const selectByStatus = companyQuery({ status: plain() }, { workflowId: text() }, (company, { status }) =>
  company.selectFrom('executions').select('workflow_id').where('status', '=', status).orderBy('id', 'desc').limit(maxCounted),
);
const selectFailedSince = companyQuery({ sinceMs: integer() }, { workflowId: text() }, (company, { sinceMs }) =>
  company
    .selectFrom('executions')
    .select('workflow_id')
    .where('status', '=', 'failed')
    .where('ended_at_ms', '>=', sinceMs)
    .limit(maxCounted),
);

interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly q?: string | undefined;
  readonly isArchived: boolean;
  readonly sort: WorkflowSort;
}

/** Workflows of a company in the requested order, each with its draft, its open executions and those that failed within a day. */
export async function readWorkflowList(service: WorkflowParts, companyId: string, { limit, cursor, q, isArchived, sort }: ListQuery) {
  const { store, clock } = service;
  const { runner } = store;
  const archived = new Set((await runner.read(archivedWorkflows.all(companyId))).map(({ workflowId }) => workflowId));
  const folders = new Map((await runner.read(workflowFolders.all(companyId))).map(({ workflowId, folder }) => [workflowId, folder]));
  const [running, waiting, failed] = (
    await Promise.all([
      runner.read(selectByStatus({ companyId, status: 'running' })),
      runner.read(selectByStatus({ companyId, status: 'waiting' })),
      runner.read(selectFailedSince({ companyId, sinceMs: clock.now() - dayMs })),
    ])
  ).map((rows) => Map.groupBy(rows, ({ workflowId }) => workflowId));
  const count = (of: typeof running, workflowId: string): number => of?.get(workflowId)?.length ?? 0;
  const wanted = q?.toLowerCase();
  const { workflowIds, nextCursor } = await readOrderedPage(store, companyId, {
    sort,
    limit,
    cursor,
    waiting: (workflowId) => count(waiting, workflowId),
  });
  const results = [];
  for (const workflowId of workflowIds) {
    if (archived.has(workflowId) !== isArchived) continue;
    const draft = await readDraft(service, companyId, workflowId);
    await turn(); // a canvas has up to 1 MB, and a page up to 200 of them (P20)
    if (draft === undefined) continue;
    const { kind } = draft.canvas;
    const name = shownWorkflow(draft.canvas);
    if (wanted !== undefined && !`${name} ${workflowId}`.toLowerCase().includes(wanted)) continue;
    const { revision, savedAtMs, savedBy } = await readSavedDraft(store, companyId, draft);
    const errors = draft.problems.filter(({ severity }) => severity === 'error').length;
    results.push({
      ...describeDraftBriefly(draft),
      name,
      folder: folders.get(workflowId) ?? '',
      kind,
      revision,
      updatedAt: savedAtMs === undefined ? null : formatInstant(savedAtMs),
      savedBy: savedBy ?? null,
      errors,
      warnings: draft.problems.length - errors,
      running: count(running, workflowId),
      waiting: count(waiting, workflowId),
      failed24h: count(failed, workflowId),
    });
  }
  return { results, nextCursor };
}
