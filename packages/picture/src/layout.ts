import { type Card, type PortTone, rowOfHandle } from './card.ts';
import type { Sketch } from './sketch.ts';

/** An edge between two cards, leaving at a row of ports. */
export interface Line {
  /** Positions in the list of cards. */
  readonly from: number;
  readonly to: number;
  readonly row: number;
  readonly tone: PortTone;
}

/** The edges between existing nodes; others cannot be drawn. */
export function createLines({ edges }: Sketch, cards: readonly Card[]): readonly Line[] {
  const byId = new Map(cards.map((card) => [card.id, card.index] as const).toReversed()); // of cards with one id, the first
  return edges.flatMap(({ source, sourceHandle, target }) => {
    const [from, to] = [byId.get(source), byId.get(target)];
    const card = from === undefined ? undefined : cards[from];
    if (from === undefined || to === undefined || card === undefined) return [];
    const row = rowOfHandle(card, sourceHandle ?? undefined);
    return [{ from, to, row, tone: card.ports[row]?.tone ?? 'faulty' }];
  });
}

/** A point of the picture, in pixels from its upper left corner. */
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
