import { checkCanvas } from '@hilo/engine';
import type { Problem } from '@hilo/engine/contract';
import type { Service } from '../service.ts';
import { type ConnectionSources, connectionsFor } from './connections.ts';
import type { DraftFacts } from './draft-view.ts';

/** A draft with all that is wrong with it; `undefined` where there is none. */
export async function draftOf(
  service: ConnectionSources & Pick<Service, 'effects'>,
  companyId: string,
  workflowId: string,
): Promise<(DraftFacts & { readonly problems: readonly Problem[] }) | undefined> {
  const { canvases } = service.store;
  const draft = await canvases.draft(companyId, workflowId);
  if (draft === undefined) return undefined;
  const connections = await connectionsFor(service, companyId, draft.canvas);
  const problems = checkCanvas(draft.canvas, { ...connections, nodes: service.nodes, effects: service.effects });
  return { ...draft, latest: await canvases.latest(companyId, workflowId), problems };
}
