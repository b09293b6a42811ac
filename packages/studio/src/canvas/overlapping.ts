// Cards that stand over one another.
import type { Placed } from './align.ts';

/** How many cards stand over another one. */
export function countOverlapping(cards: readonly Placed[]): number {
  const inOrder = cards.toSorted((a, b) => a.x - b.x);
  const overlapping = new Set<string>();
  for (const [index, card] of inOrder.entries())
    for (let next = index + 1; next < inOrder.length; next += 1) {
      const other = inOrder[next];
      if (other === undefined || other.x >= card.x + card.width) break;
      if (other.y >= card.y + card.height || other.y + other.height <= card.y) continue;
      overlapping.add(card.id).add(other.id);
    }
  return overlapping.size;
}
