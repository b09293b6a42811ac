import type { CanvasDiff } from '@hilo/engine/authoring';
import { type CanvasJson, portKey } from './canvas-json.ts';

/** What became of a node or a way. */
export type Mark = 'added' | 'removed' | 'changed';

/** How many things changed. */
export const countChanges = ({ nodes, edges, settings }: CanvasDiff): number => nodes.length + edges.length + settings.length;

/** What became of a way. */
export const markOf = ({ before, after }: CanvasDiff['edges'][number]): Mark =>
  before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';

/** One canvas with all that is in either, for a picture of the difference: what was taken away stands where it stood. */
export function unionOf(before: CanvasJson, after: CanvasJson): CanvasJson {
  const ids = new Set(after.nodes.map(({ id }) => id));
  const removed = before.nodes.filter(({ id }) => !ids.has(id));
  const ways = new Set(after.edges.map((edge) => portKey(edge.source, edge.sourceHandle ?? '')));
  const gone = before.edges.filter((edge) => !ways.has(portKey(edge.source, edge.sourceHandle ?? '')));
  return { ...after, nodes: [...after.nodes, ...removed], edges: [...after.edges, ...gone] };
}

/** What to mark in that picture. */
export const marksOf = ({
  nodes,
  edges,
}: CanvasDiff): { readonly nodes: ReadonlyMap<string, Mark>; readonly ports: ReadonlyMap<string, Mark> } => ({
  nodes: new Map(nodes.map(({ nodeId, kind }) => [nodeId, kind])),
  ports: new Map(edges.map((edge) => [portKey(edge.source, edge.port ?? ''), markOf(edge)])),
});
