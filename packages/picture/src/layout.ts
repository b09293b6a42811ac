import type { Card } from './card.ts';
import type { Line } from './lines.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A card with its upper left corner. */
export interface PlacedCard extends Card, Point {}

/** A straight stretch that a line runs past a column of cards. */
export interface Lane {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** Where everything is. */
export interface Layout {
  /** In the order of the canvas. */
  readonly cards: readonly PlacedCard[];
  /** Where there is room for a line on its way past other cards, from left to right. */
  readonly lanes: (line: Line) => readonly Lane[];
  /** Too much to keep lines clear of cards. */
  readonly isCrowded?: boolean;
}

/** The least room between two cards: more beside them, where lines begin and end. */
export const gap = { x: 64, y: 26 };

/** Room between two lines side by side. */
export const lineSpacing = 7;
