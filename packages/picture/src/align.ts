/** Something in a column: a card, or a line on its way past the column. */
export interface Item {
  /** The upper edge. */
  y: number;
  readonly height: number;
  /** The room it needs to its neighbours. */
  readonly room: number;
}

/** A part of a line between two columns, with the heights at which it is tied to its items, from their upper edges. */
export interface Tie {
  readonly left: Item;
  readonly right: Item;
  readonly leftAt: number;
  readonly rightAt: number;
  /** How much it wants to be straight. */
  readonly weight: number;
}

const rounds = 60;

/**
 * Moves the items of each column up and down, without changing their order, until lines are as straight as they can be
 * all together.
 *
 * @param columns - from left to right, each from top to bottom
 */
export function align(columns: readonly (readonly Item[])[], ties: readonly Tie[]): void {
  const toLeft = Map.groupBy(ties, ({ right }) => right);
  const toRight = Map.groupBy(ties, ({ left }) => left);
  const wanted = (item: Item): { readonly y: number; readonly weight: number } => {
    let [sum, weight] = [item.y * inertia, inertia];
    for (const tie of toLeft.get(item) ?? []) {
      sum += (tie.left.y + tie.leftAt - tie.rightAt) * tie.weight;
      weight += tie.weight;
    }
    for (const tie of toRight.get(item) ?? []) {
      sum += (tie.right.y + tie.rightAt - tie.leftAt) * tie.weight;
      weight += tie.weight;
    }
    return { y: sum / weight, weight };
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const column of round % 2 === 0 ? columns : columns.toReversed()) place(column, column.map(wanted));
  }
}

/** What nothing pulls at stays where it is. */
const inertia = 0.05;

/** As near as possible to where the items want to be, one below the other: isotonic regression by pooling neighbours. */
function place(items: readonly Item[], wanted: readonly { readonly y: number; readonly weight: number }[]): void {
  const blocks: { readonly sum: number; readonly weight: number; readonly count: number }[] = [];
  let offset = 0;
  const offsets = items.map((item, index) => {
    const before = items[index - 1];
    if (before !== undefined) offset += before.height + Math.max(before.room, item.room);
    return offset;
  });
  for (const [index, { y, weight }] of wanted.entries()) {
    let block = { sum: (y - (offsets[index] ?? 0)) * weight, weight, count: 1 };
    for (let above = blocks.at(-1); above !== undefined && above.sum / above.weight > block.sum / block.weight; above = blocks.at(-1)) {
      blocks.pop();
      block = { sum: above.sum + block.sum, weight: above.weight + block.weight, count: above.count + block.count };
    }
    blocks.push(block);
  }
  let index = 0;
  for (const { sum, weight, count } of blocks) {
    for (const end = index + count; index < end; index += 1) {
      const item = items[index];
      if (item !== undefined) item.y = sum / weight + (offsets[index] ?? 0);
    }
  }
}
