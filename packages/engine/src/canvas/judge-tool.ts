// Whether a workflow, or a tool of a function, is what a node calls it as: with what it calls itself, and the money that it may move.
import type { Canvas } from '../contract/canvas.ts';
import type { NodeDefinition, Reference } from '../contract/node.ts';
import type { Awaitable } from '../contract/store.ts';
import { calledKey, explainFunctionMismatch, explainToolMismatch, type OfferedTool, type ToolMismatch } from './explain-tool.ts';
import { listReferences } from './list-references.ts';

/** Where what is called is looked up, in one company. */
export interface ToolSources {
  readonly nodes: readonly NodeDefinition[];
  /** The version of a workflow that runs where none is named. */
  latest(workflowId: string): Awaitable<Canvas | undefined>;
  version(workflowId: string, version: number): Awaitable<Canvas | undefined>;
  /** What counts before any version is published. */
  draft(workflowId: string): Awaitable<Canvas | undefined>;
  /** The workflows that run: neither unpublished nor archived. */
  published(): Awaitable<readonly Canvas[]>;
  /** What a canvas refers to, where that is found out elsewhere than here. */
  references?(canvas: Canvas): Awaitable<readonly Reference[]>;
  /** The tools of a function; `undefined` where nothing is known of it. */
  tools?(functionId: string): Awaitable<readonly OfferedTool[] | undefined>;
  /** Whether a credential is one by which money is moved, whatever node uses it. */
  movesMoney?(credentialId: string): Awaitable<boolean>;
}

/** The most workflows that are read to see whether a tool waits, and what it may do: one that calls more is none. */
const calledAtMost = 50;

/**
 * Whether what exists is the tool that a node calls it as. The version that would run counts, before any is published the draft.
 *
 * @param instead - count in place of the latest versions of their workflows
 * @returns `true` where it fits, and where nothing is known of it
 */
export function judgeTool(
  sources: ToolSources,
  reference: Reference,
  instead: ReadonlyMap<string, Canvas> = new Map(),
): Promise<ToolMismatch | true> {
  return judgeAmong(
    sources,
    reference,
    async (workflowId) => instead.get(workflowId) ?? (await sources.latest(workflowId)) ?? sources.draft(workflowId),
  );
}

/** Whether what is published is that tool: what never ran broke nobody. */
export const judgePublishedTool = (sources: ToolSources, reference: Reference): Promise<ToolMismatch | true> =>
  judgeAmong(sources, reference, sources.latest);

async function judgeAmong(
  sources: ToolSources,
  reference: Reference,
  current: (workflowId: string) => Awaitable<Canvas | undefined>,
): Promise<ToolMismatch | true> {
  const { kind, id, version, expects } = reference;
  if (expects === undefined) return true;
  if (kind === 'function') {
    const tools = await sources.tools?.(id);
    return (tools && explainFunctionMismatch(reference, tools)) ?? true;
  }
  const read = (workflowId: string, pinned?: number): Awaitable<Canvas | undefined> =>
    pinned === undefined ? current(workflowId) : sources.version(workflowId, pinned);
  const canvas = await read(id, version);
  if (canvas === undefined) return true; // it is gone meanwhile, or the canvas itself: nothing is known of it
  const called = new Map<string, Canvas>();
  const paying = new Set<string>();
  const open = [canvas];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const found of listReferences(next, sources.nodes).references) {
      const { kind, id: childId } = found;
      if (kind === 'credential' && (await sources.movesMoney?.(childId)) === true) paying.add(childId);
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
  return explainToolMismatch(expects, canvas, sources.nodes, called, (credentialId) => paying.has(credentialId)) ?? true;
}
