// Cards that are dragged, one or several, with what is inside of their frames.
import type { RefObject } from 'react';
import type { Point } from '../canvas/canvas-json.ts';
import { snap } from '../canvas/commands.ts';
import type { Flow } from '../canvas/flow.ts';
import { useHandler } from '../parts/identity.ts';
import type { CardNode } from './CardView.tsx';
import { withCarried } from './rects.ts';
import type { BoardActs } from './use-acts.ts';
import type { useDrawn } from './use-drawn.ts';

interface MovesOptions extends Pick<ReturnType<typeof useDrawn>, 'setNodes'> {
  /** Set while cards are dragged. */
  readonly moving: RefObject<boolean>;
  /** Told the new places; left out, the canvas is to look at. */
  readonly onMove: BoardActs['onMove'] | undefined;
}

/** Handlers for React Flow. */
export function useMoves(flow: Flow, { moving, setNodes, onMove }: MovesOptions) {
  const begin = useHandler(() => {
    moving.current = true;
  });
  const placesOf = (moved: readonly CardNode[]): ReadonlyMap<string, Point> =>
    withCarried(flow.cards, new Map(moved.map(({ id, position }) => [id, snap(position)])));
  /** What is inside of a frame goes along while the frame is dragged. */
  const carry = useHandler((_event: unknown, _node: unknown, moved: CardNode[]) => {
    if (!moved.some(({ data }) => data.card.frame !== undefined)) return;
    const places = placesOf(moved);
    const isCarried = (id: string): boolean => !moved.some((one) => one.id === id);
    setNodes((before) =>
      before.map((node) => {
        const position = isCarried(node.id) ? places.get(node.id) : undefined;
        return position === undefined ? node : { ...node, position };
      }),
    );
  });
  const end = (moved: readonly CardNode[]): void => {
    moving.current = false;
    onMove?.(placesOf(moved));
  };
  return {
    onNodeDragStart: begin,
    onNodeDrag: carry,
    onNodeDragStop: useHandler((_event: unknown, _node: CardNode, moved: CardNode[]) => end(moved)),
    onSelectionDragStart: begin,
    onSelectionDragStop: useHandler((_event: unknown, moved: CardNode[]) => end(moved)),
  };
}
