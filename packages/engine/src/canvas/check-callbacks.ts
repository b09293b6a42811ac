// Calls of `resumeUrl`: each names a node that waits for a call, and stands where a way leads to it.
import type { Problem } from '../contract/problem.ts';
import { findCallbacks } from '../expressions/template.ts';
import type { CompiledCanvas } from './compile.ts';
import type { Graph } from './graph.ts';
import { joinNames, problem, shorten } from './problem-codes.ts';
import type { ParsedNode } from './read-node.ts';
import { reach } from './walk.ts';

/** Why a call of `resumeUrl` names no wait, in words for an author. */
export function describeNoWait(callable: readonly { readonly id: string }[], nodeId: string | undefined): string {
  const names = joinNames(callable.map(({ id }) => `"${id}"`));
  if (callable.length === 0) return 'no node of this canvas waits for a call: add a wait-external, or a webhook that another node leads to';
  return nodeId === undefined
    ? `the canvas has several nodes that wait for a call; name one of them: ${names}`
    : `"${shorten(nodeId, 64)}" is no node that waits for a call; name one that does: ${names}`;
}

/** Addresses in texts that lead to no wait, or to one that cannot come any more. */
export function checkCallbacks({ nodes, callable }: CompiledCanvas, parsedNodes: readonly ParsedNode[], graph: Graph): readonly Problem[] {
  const isUnread = (nodeId: string | undefined): boolean => parsedNodes.some(({ id }) => !nodes.has(id) && (nodeId ?? id) === id);
  return parsedNodes.flatMap(({ id, index, templates }) =>
    findCallbacks(templates).flatMap(({ nodeId, at }) => {
      const place = ['nodes', index, 'data', ...at];
      const target = nodeId === undefined && callable.length === 1 ? callable[0] : callable.find((node) => node.id === nodeId);
      if (target === undefined)
        return isUnread(nodeId) ? [] : [problem('CALLBACK_WITHOUT_WAIT', place, `resumeUrl(): ${describeNoWait(callable, nodeId)}`, id)];
      if (target.id === id || leadsTo(graph, id, target.id)) return [];
      const message = `No way leads from "${shorten(id, 64)}" to "${shorten(target.id, 64)}", so that its address is of no use here`;
      return [problem('CALLBACK_WITHOUT_WAIT', place, message, id)];
    }),
  );
}

/** Whether a way leads from a node to another one, or from where failures are caught. */
function leadsTo(graph: Graph, from: string, to: string): boolean {
  if (graph.length === 0) return true; // the edges are unreadable
  const origins = graph.flatMap(({ id, compiled }, position) =>
    id === from || compiled?.definition.entry?.kind === 'catch' ? [position] : [],
  );
  const reached = reach(graph.length, origins, (position) => (graph[position]?.outgoing ?? []).map(({ target }) => target));
  return graph.some(({ id }, position) => id === to && reached[position] !== -1);
}
