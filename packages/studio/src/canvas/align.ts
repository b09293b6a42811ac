// Lines of cards and equal gaps between them: loaded with the bar of a selection.
import type { Point } from './canvas-json.ts';

/** A card with where it stands. */
export interface Placed {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** `left` and `top` put cards in one line; `across` and `down` make the gaps between them equal, the outermost stay. */
export type Alignment = 'left' | 'top' | 'across' | 'down';

/** The places of cards after they are aligned or distributed, by id. */
export function alignCards(cards: readonly Placed[], how: Alignment): ReadonlyMap<string, Point> {
  if (how === 'left') return lined(cards, { x: Math.min(...cards.map(({ x }) => x)) });
  if (how === 'top') return lined(cards, { y: Math.min(...cards.map(({ y }) => y)) });
  return how === 'across' ? spread(cards, 'x', 'width') : spread(cards, 'y', 'height');
}

const lined = (cards: readonly Placed[], at: Partial<Point>): ReadonlyMap<string, Point> =>
  new Map(cards.map(({ id, x, y }) => [id, { x, y, ...at }]));

function spread(cards: readonly Placed[], axis: 'x' | 'y', size: 'width' | 'height'): ReadonlyMap<string, Point> {
  const inOrder = cards.toSorted((a, b) => a[axis] - b[axis]);
  const [first, last] = [inOrder[0], inOrder.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const between = inOrder.slice(0, -1).reduce((sum, card) => sum + card[size], 0);
  const gap = (last[axis] - first[axis] - between) / Math.max(1, inOrder.length - 1);
  let next = first[axis];
  return new Map(
    inOrder.map(({ id, x, y, [size]: length }) => {
      const place = { x, y, [axis]: next };
      next += length + gap;
      return [id, place];
    }),
  );
}
