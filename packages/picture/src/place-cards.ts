import { authoredLayout } from './authored-layout.ts';
import type { Card } from './card.ts';
import { layeredLayout } from './layered-layout.ts';
import { gap, type Layout } from './layout.ts';
import type { Line } from './lines.ts';

/** Places the cards where the author put them, or from left to right where some have no place. */
export const placeCards = (cards: readonly Card[], lines: readonly Line[]): Layout => authoredLayout(cards) ?? layOut(cards, lines);

/** Places the cards from left to right, wherever the author put them. */
export const layOut = (cards: readonly Card[], lines: readonly Line[]): Layout => layeredLayout(cards, lines) ?? rowsLayout(cards);

/** All cards in the order of the canvas, row by row: for canvases too large to be laid out. */
function rowsLayout(cards: readonly Card[]): Layout {
  const perRow = Math.ceil(Math.sqrt(cards.length));
  const rowHeight = cards.reduce((highest, { height }) => Math.max(highest, height), 0) + 2 * gap.y;
  const columnWidth = cards.reduce((widest, { width }) => Math.max(widest, width), 0) + 2 * gap.x;
  const placed = cards.map((card) => ({
    ...card,
    x: (card.index % perRow) * columnWidth,
    y: Math.floor(card.index / perRow) * rowHeight,
  }));
  return { cards: placed, lanes: () => [], isCrowded: true };
}
