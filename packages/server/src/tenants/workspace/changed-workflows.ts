// Workflows that were changed by management since their workspace was imported: an import would replace what it did not make.
import type { Canvas, Problem } from '@hilo/engine/contract';
import type { DurableStore, StoredWorkflow } from '@hilo/stores';
import { importedWorkflows } from '../../platform/tables/companies.ts';
import { workspaceProblem } from './problems.ts';

/** A workflow of a workspace, and where it is there. */
interface BroughtWorkflow {
  readonly canvas: Canvas;
  readonly publish: boolean;
  readonly hash: string;
  readonly draftHash: string;
  readonly fingerprint: string;
  readonly at: readonly PropertyKey[];
  /** As it was stored before anything was checked. */
  readonly stored: StoredWorkflow;
}

/**
 * Finds the workflows whose stored draft or latest version is neither what the last import made nor what this one brings. One whose file
 * is as it was imported is left alone by an import, and is not among them.
 */
export async function findChangedWorkflows(
  store: Pick<DurableStore, 'runner'>,
  companyId: string,
  workflows: readonly BroughtWorkflow[],
): Promise<ReadonlyMap<string, Problem>> {
  const stored = await store.runner.read(importedWorkflows.all(companyId));
  const imported = new Map(stored.map(({ workflowId, fingerprint }) => [workflowId, fingerprint]));
  const found = new Map<string, Problem>();
  for (const workflow of workflows) {
    const { id } = workflow.canvas;
    const before = imported.get(id);
    if (before === workflow.fingerprint) continue;
    const changed = explainChange(workflow, readHashes(before));
    if (changed !== undefined) found.set(id, workspaceProblem('WORKFLOW_CHANGED', workflow.at, changed));
  }
  return found;
}

/** The hashes of the canvas and of the draft that an import made, of its fingerprint. */
function readHashes(fingerprint: string | undefined): readonly unknown[] {
  const parts: unknown = fingerprint === undefined ? [] : JSON.parse(fingerprint);
  return Array.isArray(parts) ? [parts[0], parts[2]] : [];
}

function explainChange(
  { canvas, publish, hash, draftHash: itsDraft, stored: { draftHash, latest } }: BroughtWorkflow,
  made: readonly unknown[],
): string | undefined {
  const known = new Set([...made, hash, itsDraft]);
  if (publish && latest !== undefined && !known.has(latest.hash))
    return `Version ${latest.version} of workflow "${canvas.id}" was not made by this file, whose canvas is another`;
  if (draftHash === undefined || known.has(draftHash)) return undefined;
  return `The draft of workflow "${canvas.id}" was not made by this file, whose canvas is another`;
}
