// Free ground for copies of cards: they stand below their originals, and cover nothing.

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What stays free between cards. */
const gapPx = 24;

/** How far down boxes go, as they stand to one another, until none of them covers one of the others: at least a gap. */
export function groundBelow(moved: readonly Box[], others: readonly Box[]): number {
  let down = gapPx;
  // Each turn leaves a box behind for good, since all go down alone.
  for (let isFree = false; !isFree; ) {
    isFree = true;
    for (const box of moved)
      for (const other of others) {
        const isBeside = box.x >= other.x + other.width + gapPx || other.x >= box.x + box.width + gapPx;
        const isApart = box.y + down >= other.y + other.height + gapPx || other.y >= box.y + down + box.height + gapPx;
        if (isBeside || isApart) continue;
        down = other.y + other.height + gapPx - box.y;
        isFree = false;
      }
  }
  return down;
}
