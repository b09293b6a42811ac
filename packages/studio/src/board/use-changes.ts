// What React Flow changes of cards and wires (sizes, places, selection): kept, and the author's selection is told.
import { applyEdgeChanges, applyNodeChanges, type EdgeChange, type NodeChange } from '@xyflow/react';
import { useHandler } from '../parts/identity.ts';
import type { CardNode } from './CardView.tsx';
import type { useDrawn } from './use-drawn.ts';
import type { WireEdge } from './WireView.tsx';

type OnSelect = (nodes: readonly string[], wires: readonly { readonly source: string; readonly port: string }[]) => void;

/** Handlers for React Flow. The selection is derived from changes: our own selections are none. */
export function useChanges({ nodes, edges, setNodes, setEdges }: ReturnType<typeof useDrawn>, onSelect: OnSelect | undefined) {
  const tellSelection = (allNodes: readonly CardNode[], allEdges: readonly WireEdge[]): void =>
    onSelect?.(
      allNodes.filter((node) => node.selected === true).map(({ id }) => id),
      allEdges.flatMap(({ data, selected: isSelected }) =>
        isSelected === true && data !== undefined ? [{ source: data.wire.source, port: data.wire.port }] : [],
      ),
    );
  const onNodesChange = useHandler((changes: NodeChange<CardNode>[]) => {
    const changed = setNodes((before) => applyNodeChanges(changes, before));
    if (changes.some(({ type }) => type === 'select')) tellSelection(changed, edges);
  });
  const onEdgesChange = useHandler((changes: EdgeChange<WireEdge>[]) => {
    const changed = setEdges((before) => applyEdgeChanges(changes, before));
    if (changes.some(({ type }) => type === 'select')) tellSelection(nodes, changed);
  });
  return { onNodesChange, onEdgesChange };
}
