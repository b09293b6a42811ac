// The workflows of an import: their canvases are part of the one write of the configuration, so that a save or a publish in between makes it
// begin again, and nothing is written in part.
import { canvasHash } from '@hilo/engine/store-kit';
import type { Problem } from '@hilo/engine/contract';
import { type Call, condition } from '@hilo/stores';
import { holdDraft } from '../../platform/database/hold-draft.ts';
import { encodeWorkflow } from '../../platform/database/schema.ts';
import { transcripts } from '../../platform/database/transcripts.ts';
import { importedWorkflows } from '../../platform/tables/companies.ts';
import type { PreparedCompany, PreparedWorkflow, WorkspaceParts } from './prepare.ts';

/** The result of importing one workflow. */
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

/** A workflow whose file is not as it was imported last. */
export interface NewWorkflow {
  readonly companyId: string;
  readonly workflow: PreparedWorkflow;
  /** Whether what is stored differs. */
  readonly isChanged: boolean;
  /** Whether another version is published. */
  readonly isPublished: boolean;
}

/**
 * Lists the workflows that an import brings in another form than the last one. One that equals its last import is left alone: an author's
 * changes since are not reverted, and no second version of the same content is made.
 */
export async function listNewWorkflows(
  { runner }: Pick<WorkspaceParts['store'], 'runner'>,
  companies: readonly PreparedCompany[],
): Promise<readonly NewWorkflow[]> {
  const found: NewWorkflow[] = [];
  for (const { companyId, canvases } of companies)
    for (const workflow of canvases.workflows) {
      const before = await runner.readOne(importedWorkflows.find({ companyId, workflowId: workflow.canvas.id }));
      if (before?.fingerprint !== workflow.fingerprint)
        found.push({ companyId, workflow, isChanged: !isKept(workflow), isPublished: workflow.publish && !isLatest(workflow) });
    }
  return found;
}

const isLatest = ({ canvas, stored: { latest } }: PreparedWorkflow): boolean => latest?.hash === canvasHash(canvas);

/** Whether the stored workflow has the same content already: an export that is imported where it came from. */
const isKept = (workflow: PreparedWorkflow): boolean =>
  workflow.stored.draftHash === canvasHash(workflow.draft ?? workflow.canvas) && (!workflow.publish || isLatest(workflow));

/** The statements that replace those that differ; their write fails where one is no longer stored as when it was checked. */
export const replaceWorkflows = (
  { store: { canvases }, clock }: Pick<WorkspaceParts, 'store' | 'clock'>,
  workflows: readonly NewWorkflow[],
): readonly Call[] =>
  workflows.flatMap(({ companyId, isChanged, workflow: { canvas, publish, draft = canvas, stored } }) => {
    if (!isChanged) return [];
    const published = publish ? { canvas, hash: canvasHash(canvas) } : undefined;
    return canvases.replace(companyId, { published, draft: { canvas: draft, hash: canvasHash(draft) } }, stored, clock.now());
  });

/** Keeps what else an import brings of its workflows, and remembers what it brought. */
export async function concludeWorkflows(
  { store, clock }: Pick<WorkspaceParts, 'store' | 'clock'>,
  { companyId, canvases: { workflows } }: PreparedCompany,
  written: readonly NewWorkflow[],
): Promise<readonly ImportedWorkflow[]> {
  const imported: ImportedWorkflow[] = [];
  const ofCompany = new Map(
    written.flatMap((one) => (one.companyId === companyId ? [[String(one.workflow.canvas.id), one] as const] : [])),
  );
  for (const workflow of workflows) {
    const { id } = workflow.canvas;
    const one = ofCompany.get(id);
    if (one !== undefined) {
      for (const [name, content] of Object.entries(workflow.transcripts))
        await transcripts.put(store, companyId, id, { name, content, nowMs: clock.now() });
      // Not of a workflow that was removed meanwhile: the next import would leave it out.
      const remembering = importedWorkflows.upsert([{ companyId, workflowId: id, fingerprint: workflow.fingerprint }]);
      await store.runner.write([condition(holdDraft, encodeWorkflow(companyId, id)), ...remembering]);
    }
    const latest = await store.canvases.latest(companyId, id);
    const isChanged = one?.isChanged ?? false;
    imported.push({ companyId, workflowId: id, version: latest?.version ?? null, isChanged, warnings: workflow.warnings });
  }
  return imported;
}
