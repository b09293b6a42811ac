// The workflows of an import: their canvases are part of the one write of the configuration, so that a save or a publish in between makes it
// begin again, and nothing is written in part.
import type { Problem } from '@hilo/engine/contract';
import { type Call, condition } from '@hilo/stores';
import { holdDraft } from '../../platform/database/hold-draft.ts';
import { encodeWorkflow } from '../../platform/database/schema.ts';
import { transcripts } from '../../platform/database/transcripts.ts';
import { importedWorkflows } from '../../platform/tables/companies.ts';
import { createTurns } from '../../platform/turns.ts';
import { type PreparedCompany, type PreparedWorkflow, type WorkspaceParts, workflowsInTurn } from './prepare.ts';

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
  const nextTurn = createTurns(workflowsInTurn);
  for (const { companyId, canvases } of companies) {
    const before = new Map((await runner.read(importedWorkflows.all(companyId))).map((one) => [one.workflowId, one.fingerprint]));
    for (const workflow of canvases.workflows) {
      await nextTurn();
      if (before.get(workflow.canvas.id) !== workflow.fingerprint)
        found.push({ companyId, workflow, isChanged: !isKept(workflow), isPublished: workflow.publish && !isLatest(workflow) });
    }
  }
  return found;
}

const isLatest = ({ hash, stored: { latest } }: PreparedWorkflow): boolean => latest?.hash === hash;

/** Whether the stored workflow has the same content already: an export that is imported where it came from. */
const isKept = (workflow: PreparedWorkflow): boolean =>
  workflow.stored.draftHash === workflow.draftHash && (!workflow.publish || isLatest(workflow));

/** The statements that replace those that differ; their write fails where one is no longer stored as when it was checked. */
export async function replaceWorkflows(
  { store: { canvases }, clock }: Pick<WorkspaceParts, 'store' | 'clock'>,
  workflows: readonly NewWorkflow[],
): Promise<readonly Call[]> {
  const nextTurn = createTurns(workflowsInTurn);
  const calls: Call[] = [];
  for (const { companyId, isChanged, workflow } of workflows) {
    if (!isChanged) continue;
    await nextTurn();
    const { canvas, hash, publish, draft = canvas, draftHash, stored } = workflow;
    const published = publish ? { canvas, hash } : undefined;
    calls.push(...canvases.replace(companyId, { published, draft: { canvas: draft, hash: draftHash } }, stored, clock.now()));
  }
  return calls;
}

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
  const nextTurn = createTurns(workflowsInTurn);
  for (const workflow of workflows) {
    await nextTurn();
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
