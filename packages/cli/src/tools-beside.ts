// What canvases that are not published yet expect of each other: which of them an agent of another calls as a tool.
import { judgeCallers, toolsAmong, type ToolSources } from '@hilo/engine/authoring';
import type { Canvas, NodeDefinition, Problem, Reference } from '@hilo/engine/contract';

/** Whether a workflow is among some canvases, and the tool that a node calls it as; nothing is known of what else a canvas names. */
export function resolveAmong(canvases: ReadonlyMap<string, Canvas>, nodes: readonly NodeDefinition[]) {
  const whyNoTool = toolsAmong(canvases, nodes);
  return (reference: Reference) =>
    reference.kind !== 'workflow' ? undefined : canvases.has(reference.id) && (whyNoTool(reference) ?? true);
}

/** Problems for each agent of the others that a canvas would be no tool for. @param others - by their ids */
export function judgeCallersAmong(
  canvas: Canvas,
  others: ReadonlyMap<string, Canvas>,
  nodes: readonly NodeDefinition[],
): Promise<readonly Problem[]> {
  const sources: ToolSources = {
    nodes,
    latest: () => undefined, // nothing is published: what was wrong before counts as well
    version: () => undefined,
    draft: (workflowId) => others.get(workflowId),
    published: () => [...others.values()],
  };
  return judgeCallers(sources, canvas);
}
