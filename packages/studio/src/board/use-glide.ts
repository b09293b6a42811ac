import { useCallback, useEffect, useRef } from 'react';
import type { Point } from '../canvas/canvas-json.ts';
import type { CardNode } from './CardView.tsx';

const glideMs = 200;
/** A frame moves cards on by so much at most: on a slow machine, too, they are seen on their way. */
const maxFrameMs = 50;
/** What a step of the arrow keys moves a card by: that is done at once. */
const leastDistance = 8;

interface Way {
  readonly from: Point;
  readonly to: Point;
}

const none: ReadonlySet<string> = new Set();

/**
 * Moves cards to their new places within 200 ms, where these were not dragged there: after tidying up, aligning, or undoing. Not at all for
 * readers who want less motion.
 *
 * @param put - changes the drawn cards
 * @returns told the drawn cards and the places that they shall have, starts moving them, and says which are on their way
 */
export function useGlide(put: (change: (nodes: CardNode[]) => CardNode[]) => unknown) {
  const running = useRef<{ readonly ways: ReadonlyMap<string, Way>; stop(): void }>(undefined);
  useEffect(() => () => running.current?.stop(), []);
  return useCallback(
    (drawn: readonly CardNode[], cards: readonly { readonly id: string; readonly position: Point }[]): ReadonlySet<string> => {
      const ways = reducesMotion() ? new Map<string, Way>() : waysOf(drawn, cards);
      const before = running.current?.ways;
      const goesOn = ways.size > 0 && [...ways].every(([id, { to }]) => isSamePoint(before?.get(id)?.to, to));
      if (goesOn) return new Set(ways.keys());
      running.current?.stop();
      running.current = undefined;
      if (ways.size === 0) return none;
      let spentMs = 0;
      let lastMs: number | undefined;
      let frame = 0;
      const step = (nowMs: number): void => {
        spentMs += Math.min(maxFrameMs, nowMs - (lastMs ?? nowMs));
        lastMs = nowMs;
        const share = eased(Math.min(1, spentMs / glideMs));
        put((nodes) => nodes.map((node) => moveNode(node, ways.get(node.id), share)));
        if (share < 1) frame = requestAnimationFrame(step);
        else running.current = undefined;
      };
      frame = requestAnimationFrame(step);
      running.current = { ways, stop: () => cancelAnimationFrame(frame) };
      return new Set(ways.keys());
    },
    [put],
  );
}

export const reducesMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

function waysOf(drawn: readonly CardNode[], cards: readonly { readonly id: string; readonly position: Point }[]): ReadonlyMap<string, Way> {
  const places = new Map(drawn.map(({ id, position }) => [id, position]));
  return new Map(
    cards.flatMap(({ id, position: to }): readonly (readonly [string, Way])[] => {
      const from = places.get(id);
      return from === undefined || Math.hypot(to.x - from.x, to.y - from.y) <= leastDistance ? [] : [[id, { from, to }]];
    }),
  );
}

const isSamePoint = (left: Point | undefined, right: Point): boolean => left?.x === right.x && left.y === right.y;

/** Slow at both ends. */
const eased = (share: number): number => share * share * (3 - 2 * share);

function moveNode(node: CardNode, way: Way | undefined, share: number): CardNode {
  if (way === undefined || node.dragging === true) return node;
  const { from, to } = way;
  return { ...node, position: { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share } };
}
