// Whether a workflow, or a tool of a function, is what a node calls it as: with what it calls itself, and the money that it may move.
import { calledKey, explainFunctionMismatch, explainToolMismatch, listReferences } from '@hilo/engine/authoring';
import type { Canvas, Reference } from '@hilo/engine/contract';
import type { Resolved } from '@hilo/engine/debug';
import type { Functions } from '../functions/functions.ts';
import type { Platform } from '../platform/platform.ts';
import { movesMoney, type Tenancy } from '../tenants/companies.ts';

/** Where what is called is looked up. */
export type ToolParts = Pick<Platform, 'nodes' | 'store'> & Pick<Tenancy, 'companies'> & { readonly functions?: Functions };

/** The most workflows that are read to see whether a tool waits, and what it may do: one that calls more is none. */
const calledAtMost = 50;

/**
 * Whether what exists is the tool that a node calls it as. The version of a workflow that would run counts, before any is published the
 * draft.
 *
 * @param instead - counts in place of the latest version of its workflow
 */
export async function judgeTool(
  { companies, nodes, functions, store: { canvases } }: ToolParts,
  companyId: string,
  reference: Reference,
  instead?: Canvas,
): Promise<Resolved> {
  const { kind, id, version, expects } = reference;
  if (expects === undefined) return true;
  if (kind === 'function') return explainFunctionMismatch(reference, (await functions?.find(companyId, id))?.tools ?? []) ?? true;
  const read = async (workflowId: string, pinned?: number): Promise<Canvas | undefined> => {
    if (pinned === undefined && workflowId === instead?.id) return instead;
    return pinned === undefined
      ? ((await canvases.latest(companyId, workflowId)) ?? (await canvases.draft(companyId, workflowId)))?.canvas
      : (await canvases.version(companyId, workflowId, pinned))?.canvas;
  };
  const canvas = await read(id, version);
  if (canvas === undefined) return true; // it is gone meanwhile, or the canvas itself: nothing is known of it
  const called = new Map<string, Canvas>();
  const paying = new Set<string>();
  const open = [canvas];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const found of listReferences(next, nodes).references) {
      const { kind, id: childId } = found;
      if (kind === 'credential' && movesMoney(await companies.credential(companyId, childId))) paying.add(childId);
      const child = kind !== 'workflow' || called.has(calledKey(found)) ? undefined : await read(childId, found.version);
      if (child === undefined) continue;
      if (called.size === calledAtMost)
        return {
          code: 'TOOL_MISMATCH',
          message: `The workflow "${id}" calls more than ${calledAtMost} others, itself and by what it calls`,
        };
      called.set(calledKey(found), child);
      open.push(child);
    }
  return explainToolMismatch(expects, canvas, nodes, called, (credentialId) => paying.has(credentialId)) ?? true;
}
