import { canvasHash } from '@hilo/engine';
import type { Problem } from '@hilo/engine/contract';
import { type DurableStore, written } from '@hilo/stores';
import { collections } from '../../platform/database/collections.ts';
import type { WorkspaceParts } from './parts.ts';
import type { PreparedWorkflow } from './prepare-canvases.ts';
import type { PreparedCompany } from './prepare.ts';

/** What became of one workflow. */
export interface ImportedWorkflow {
  readonly companyId: string;
  readonly workflowId: string;
  /** The latest published version; null when there is none. */
  readonly version: number | null;
  /** Whether this import wrote it. */
  readonly isChanged: boolean;
  /** What the check of the canvas warns of; the errors of a draft that is not to be published, too. */
  readonly warnings: readonly Problem[];
}

/**
 * Keeps the canvases, and publishes those that say so. A canvas that is as it was when it was imported last is left alone:
 * what an author made of it since is not turned back, and there is no second version of the same.
 */
export async function writeWorkflows(
  { engine, store }: Pick<WorkspaceParts, 'engine' | 'store'>,
  { companyId, canvases: { workflows, connections } }: PreparedCompany,
): Promise<readonly ImportedWorkflow[]> {
  const imported: ImportedWorkflow[] = [];
  for (const { canvas, publish, draft, fingerprint, warnings } of workflows) {
    const row = { company_id: companyId, workflow_id: written(canvas.id), fingerprint };
    const before = await store.runner.readOne(collections.importedWorkflows.find({ company_id: companyId, workflow_id: row.workflow_id }));
    const isNew = before?.fingerprint !== fingerprint;
    const isChanged = isNew && !(await isKept(store, companyId, { canvas, publish, draft }));
    if (isChanged) {
      await engine.saveDraft(companyId, canvas, connections);
      if (publish) await engine.publish(companyId, canvas.id, connections);
      if (draft !== undefined) await engine.saveDraft(companyId, draft, connections);
    }
    if (isNew) await store.runner.write(collections.importedWorkflows.put([row]));
    const latest = await store.canvases.latest(companyId, canvas.id);
    imported.push({ companyId, workflowId: canvas.id, version: latest?.version ?? null, isChanged, warnings });
  }
  return imported;
}

/** Whether authors have made the very same already: an export that comes back to where it came from. */
async function isKept(
  { canvases }: Pick<DurableStore, 'canvases'>,
  companyId: string,
  { canvas, publish, draft = canvas }: Pick<PreparedWorkflow, 'canvas' | 'publish' | 'draft'>,
): Promise<boolean> {
  const kept = await canvases.draft(companyId, canvas.id);
  if (kept?.hash !== canvasHash(draft)) return false;
  const latest = await canvases.latest(companyId, canvas.id);
  return !publish || (latest !== undefined && canvasHash(latest.canvas) === canvasHash(canvas));
}
