import { type Card, rowOfHandle } from './card.ts';
import type { PortTone } from './ports.ts';
import type { Sketch } from './sketch.ts';

/** An edge between two cards, leaving at a row of ports. */
export interface Line {
  /** Positions in the list of cards. */
  readonly from: number;
  readonly to: number;
  readonly row: number;
  readonly tone: PortTone;
}

/** The edges that can be drawn: those between nodes that are there. */
export function linesOf({ edges }: Sketch, cards: readonly Card[]): readonly Line[] {
  const byId = new Map(cards.map((card) => [card.id, card.index] as const).toReversed()); // of cards with one id, the first
  return edges.flatMap(({ source, sourceHandle, target }) => {
    const [from, to] = [byId.get(source), byId.get(target)];
    const card = from === undefined ? undefined : cards[from];
    if (from === undefined || to === undefined || card === undefined) return [];
    const row = rowOfHandle(card, sourceHandle ?? undefined);
    return [{ from, to, row, tone: card.ports[row]?.tone ?? 'faulty' }];
  });
}
