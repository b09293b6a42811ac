// Where workflows and functions that are called as tools are looked up in a company.
import type { ToolSources } from '@hilo/engine/authoring';
import type { Functions } from '../functions/functions.ts';
import type { CanvasWork } from '../platform/canvas-work/canvas-work.ts';
import type { Platform } from '../platform/platform.ts';
import { movesMoney, type Tenancy } from '../tenants/companies.ts';

type Parts = Pick<Platform, 'nodes' | 'store'> &
  Pick<Tenancy, 'companies'> & { readonly functions?: Functions; readonly canvasWork?: Pick<CanvasWork, 'references'> };

export function toolSources({ companies, nodes, functions, canvasWork, store: { canvases } }: Parts, companyId: string): ToolSources {
  return {
    nodes,
    latest: async (workflowId) => (await canvases.latest(companyId, workflowId))?.canvas,
    version: async (workflowId, version) => (await canvases.version(companyId, workflowId, version))?.canvas,
    draft: async (workflowId) => (await canvases.draft(companyId, workflowId))?.canvas,
    published: async () =>
      (await canvases.published(companyId))
        .filter(({ workflowId, gate }) => gate?.state !== 'unpublished' && !companies.isArchived(companyId, workflowId))
        .map(({ canvas }) => canvas),
    ...(canvasWork !== undefined && { references: async (canvas) => (await canvasWork.references(companyId, canvas)).references }),
    tools: async (functionId) => (await functions?.find(companyId, functionId))?.tools ?? [],
    movesMoney: async (credentialId) => movesMoney(await companies.credential(companyId, credentialId)),
  };
}
