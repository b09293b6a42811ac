// The nodes and edges of React Flow, made from a drawing.
import { type RefObject, useEffect } from 'react';
import { isPinned } from '../canvas/canvas-json.ts';
import type { Flow } from '../canvas/flow.ts';
import { keepSame, useNewest } from '../parts/identity.ts';
import type { CardNode } from './CardView.tsx';
import { lanesOf } from './lanes.ts';
import { useGlide } from './use-glide.ts';
import type { WireEdge } from './WireView.tsx';

interface DrawnOptions {
  readonly isEditable: boolean;
  readonly selected: ReadonlySet<string> | undefined;
  /** Whether cards are being dragged: they stay where the pointer has them. */
  readonly moving: RefObject<boolean>;
  /** Whether cards glide to their places, where these have changed. */
  readonly glides: () => boolean;
}

/**
 * The nodes and edges of React Flow for a drawing: those whose card or wire has not changed keep their identity, and so does a list of
 * the same ones. React Flow goes through all that it shows for another one.
 */
export function useDrawn(flow: Flow, { isEditable, selected, moving, glides }: DrawnOptions) {
  const [nodes, setNodes] = useNewest<CardNode[]>([]);
  const [edges, setEdges] = useNewest<WireEdge[]>([]);
  const glide = useGlide(setNodes);
  useEffect(() => {
    setNodes((before) => {
      const old = new Map(before.map((node) => [node.id, node]));
      const onWay = moving.current || !glides() ? undefined : glide(before, flow.cards);
      const stays = (id: string): boolean => moving.current || onWay?.has(id) === true;
      const after = flow.cards.map((card): CardNode => {
        const known = old.get(card.id);
        const isSame =
          known?.data.card === card &&
          known.data.isEditable === isEditable &&
          (selected === undefined || known.selected === selected.has(card.id));
        if (
          known !== undefined &&
          isSame &&
          (stays(card.id) || (known.position.x === card.position.x && known.position.y === card.position.y))
        )
          return known;
        return {
          ...known,
          id: card.id,
          type: 'card',
          position: known !== undefined && stays(card.id) ? known.position : card.position,
          draggable: isEditable && !isPinned(card.node),
          data: { card, isEditable },
          ariaRole: 'button',
          ...(card.frame !== undefined && { dragHandle: '.frame-title', className: 'behind' }),
          ...(selected !== undefined && { selected: selected.has(card.id) }),
        };
      });
      return keepSame(before, after);
    });
  }, [flow.cards, isEditable, selected]);
  useEffect(() => {
    const lanes = lanesOf(flow);
    setEdges((before) => {
      const old = new Map(before.map((edge) => [edge.id, edge]));
      const after = flow.wires.map((wire): WireEdge => {
        const known = old.get(wire.id);
        const lane = lanes.get(wire.id);
        if (known?.data?.wire.target === wire.target && known.data.wire.kind === wire.kind && known.data.lane === lane) return known;
        return {
          id: wire.id,
          type: 'wire',
          source: wire.source,
          sourceHandle: wire.port,
          target: wire.target,
          data: { wire, lane },
          focusable: false,
        };
      });
      return keepSame(before, after);
    });
  }, [flow.cards, flow.wires]);
  return { nodes, edges, setNodes, setEdges };
}
