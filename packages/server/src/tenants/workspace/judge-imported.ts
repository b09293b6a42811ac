// What the workflows that an import publishes would break in those that it leaves as they are: agents that call them as tools.
import { judgeCallers } from '@hilo/engine/authoring';
import type { Canvas, NodeDefinition, Problem } from '@hilo/engine/contract';
import type { DurableStore } from '@hilo/stores';
import type { CanvasWork } from '../../platform/canvas-work/canvas-work.ts';
import { credentials } from '../../platform/tables/companies.ts';
import { movesMoney } from '../companies.ts';
import type { WorkspaceCompany } from './schema.ts';

/** Whether a credential is one by which money is moved: as the workspace has it, or as it is kept where the workspace leaves it out. */
export async function readMovingMoney(
  runner: DurableStore['runner'],
  { id, credentials: brought }: Pick<WorkspaceCompany, 'id' | 'credentials'>,
): Promise<(credentialId: string) => boolean> {
  const all = new Map([...(await runner.read(credentials.all(String(id)))), ...brought].map((one) => [one.id, one] as const));
  return (credentialId) => movesMoney(all.get(credentialId));
}

/** @returns the problems that each of the canvases would make, in their order */
export async function judgeImported(
  {
    canvases,
    canvasWork,
    nodes,
  }: Pick<DurableStore, 'canvases'> & { readonly canvasWork: CanvasWork; readonly nodes: readonly NodeDefinition[] },
  companyId: string,
  published: readonly Canvas[],
  paysBy: (credentialId: string) => boolean,
): Promise<readonly (readonly Problem[])[]> {
  const together = new Map(published.map((canvas) => [canvas.id as string, canvas] as const));
  const others = (await canvases.published(companyId)).filter(
    ({ workflowId, gate }) => gate?.state !== 'unpublished' && !together.has(workflowId),
  );
  const found: (readonly Problem[])[] = [];
  for (const canvas of published)
    found.push(
      await judgeCallers(
        {
          nodes,
          latest: async (workflowId) => (await canvases.latest(companyId, workflowId))?.canvas,
          version: async (workflowId, version) => (await canvases.version(companyId, workflowId, version))?.canvas,
          draft: async (workflowId) => (await canvases.draft(companyId, workflowId))?.canvas,
          published: () => others.map((one) => one.canvas),
          references: async (caller) => (await canvasWork.references(companyId, caller)).references,
          movesMoney: paysBy,
        },
        canvas,
        together,
      ),
    );
  return found;
}
