import type { Card } from './card.ts';
import { layOutInColumns } from './layered-layout.ts';
import { gap, type Layout, type Line, type PlacedCard } from './layout.ts';

/** Places the cards where the author put them, or from left to right where some have no place. */
export const placeCards = (cards: readonly Card[], lines: readonly Line[]): Layout => keepAuthoredPlaces(cards) ?? layOut(cards, lines);

/** Places the cards from left to right, wherever the author put them. */
export const layOut = (cards: readonly Card[], lines: readonly Line[]): Layout => layOutInColumns(cards, lines) ?? layOutInRows(cards);

/** All cards in the order of the canvas, row by row: for canvases too large to be laid out. */
function layOutInRows(cards: readonly Card[]): Layout {
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

/** How far positions are pulled apart for cards that are larger than those their author saw. */
const stretches = [1, 1.15, 1.3, 1.5, 1.75, 2];

/** The author's own positions; `undefined` where some are missing, or no stretching keeps the cards apart. */
function keepAuthoredPlaces(cards: readonly Card[]): Layout | undefined {
  const positioned = cards.flatMap((card) => (card.position === undefined ? [] : [{ ...card, position: card.position }]));
  if (positioned.length < cards.length) return undefined;
  for (const stretchX of stretches) {
    for (const stretchY of stretches) {
      const placed = positioned.map((card) => ({ ...card, x: card.position.x * stretchX, y: card.position.y * stretchY }));
      if (areApart(placed)) return { cards: placed, lanes: () => [], isCrowded: placed.length > maxSearched };
    }
  }
  return undefined;
}

/** With more cards than this, routing takes too long. */
const maxSearched = 1_500;
/** In pixels; cards farther out were never meant to be seen together. */
const farthest = 200_000;

/** Whether no two cards touch, and all are at places that can be drawn. */
function areApart(cards: readonly PlacedCard[]): boolean {
  const sorted = cards.toSorted((a, b) => a.x - b.x);
  return sorted.every((card, index) => {
    if (Math.abs(card.x) > farthest || Math.abs(card.y) > farthest) return false;
    for (let next = index + 1; next < sorted.length; next += 1) {
      const other = sorted[next];
      if (other === undefined || other.x >= card.x + card.width + gap.x) break;
      if (other.y < card.y + card.height + gap.y && card.y < other.y + other.height + gap.y) return false;
    }
    return true;
  });
}
