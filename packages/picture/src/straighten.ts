import { portAt } from './card.ts';
import { gap, type Lane, type Layout, type Line, lineSpacing, type PlacedCard, type Point } from './layout.ts';

/** Lines between the same two cards: they run side by side. */
export interface Bundle {
  /** Positions in the list of cards. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly Line[];
}

/** Columns of cards, as dagre leaves them. */
interface Columns {
  readonly cards: readonly PlacedCard[];
  readonly bundles: readonly Bundle[];
  /** Lines that lead back; they need room to turn. */
  readonly returning: readonly Line[];
  /** The points a bundle passes. */
  readonly pointsOf: (bundle: Bundle) => readonly Point[];
}

interface Column {
  /** Where dagre has the middle of all its cards. */
  readonly centre: number;
  /** As wide as its widest card. */
  readonly width: number;
}

/** A card or a bundle in its column. */
interface ColumnItem extends Item {
  readonly column: Column;
}

interface CardItem extends ColumnItem {
  readonly card: PlacedCard;
}

interface ColumnTie extends Tie {
  readonly left: ColumnItem;
}

/** How far out of a column a lane begins and ends. */
const overhang = 6;

/** Makes lines straight and columns as narrow as they can be: dagre ties lines to the middle of a card, and not to its ports. */
export function straightenLines({ cards, bundles, returning, pointsOf }: Columns): Layout {
  const grouped = [...Map.groupBy(cards, getCentre)].map(([centre, inside]) => ({ column: createColumn(centre, inside), inside }));
  const items = new Map(grouped.flatMap(({ column, inside }) => inside.map((card) => [card.index, createCardItem(card, column)] as const)));
  const columns = grouped.map(({ column }) => column).sort((a, b) => a.centre - b.centre);
  const columnAt = (x: number): Column | undefined => columns.find(({ centre, width }) => Math.abs(x - centre) < width / 2);
  const ties: ColumnTie[] = [];
  const stretchesOf = new Map<Line, readonly ColumnItem[]>();
  for (const bundle of bundles) {
    const [source, target] = [items.get(bundle.from), items.get(bundle.to)];
    if (source === undefined || target === undefined) continue;
    const stretches = pointsOf(bundle).flatMap(({ x, y }) => createBundleItems(bundle, columnAt(x), y));
    ties.push(...createTies(bundle.lines, source, stretches, target));
    for (const line of bundle.lines) stretchesOf.set(line, stretches);
  }

  const byColumn = Map.groupBy([...items.values(), ...new Set([...stretchesOf.values()].flat())], ({ column }) => column);
  const middle = ({ y, height }: Item): number => y + height / 2;
  align(
    columns.map((column) => (byColumn.get(column) ?? []).toSorted((a, b) => middle(a) - middle(b))),
    ties,
  );

  const turns = returning.map(({ from, to }) => [items.get(from)?.column, items.get(to)?.column] as const);
  const xs = placeColumns(columns, ties, turns);
  const xOf = ({ column }: ColumnItem): number => xs.get(column) ?? column.centre - column.width / 2;
  const placeIn = new Map(
    bundles.flatMap(({ lines }) => lines.toSorted((a, b) => a.row - b.row).map((line, index) => [line, index] as const)),
  );
  return {
    cards: [...items.values()].map((item) => ({ ...item.card, width: item.column.width, x: xOf(item), y: item.y })),
    lanes: (line) =>
      (stretchesOf.get(line) ?? []).map((stretch): Lane => {
        const [left, y] = [xOf(stretch), stretch.y + (placeIn.get(line) ?? 0) * lineSpacing];
        return { left: left - overhang, right: left + stretch.column.width + overhang, y };
      }),
  };
}

const getCentre = ({ x, width }: PlacedCard): number => x + width / 2;

const createColumn = (centre: number, cards: readonly PlacedCard[]): Column => ({
  centre,
  width: cards.reduce((widest, { width }) => Math.max(widest, width), 0),
});

const createCardItem = (card: PlacedCard, column: Column): CardItem => ({ y: card.y, height: card.height, room: gap.y + 8, column, card });

const measureHeight = (lines: readonly Line[]): number => (lines.length - 1) * lineSpacing;

/** A bundle as it passes a column; points between the columns are left to the curve. */
function createBundleItems({ lines }: Bundle, column: Column | undefined, middleY: number): readonly ColumnItem[] {
  const height = measureHeight(lines);
  return column === undefined ? [] : [{ column, y: middleY - height / 2, height, room: 12 }];
}

/** The parts of a bundle's way. A long stretch that is straight catches the eye more than where it begins and ends. */
function createTies(lines: readonly Line[], source: CardItem, stretches: readonly ColumnItem[], target: CardItem): readonly ColumnTie[] {
  const portsY = lines.reduce((sum, { row }) => sum + portAt(source.card, row), 0) / lines.length;
  const weight = lines.some(({ tone }) => tone === 'plain') ? 4 : 1;
  const stops = [
    { item: source as ColumnItem, at: portsY, isEnd: true },
    ...stretches.map((item) => ({ item, at: measureHeight(lines) / 2, isEnd: false })),
    { item: target as ColumnItem, at: target.card.inputAt, isEnd: true },
  ];
  return stops.slice(1).flatMap((right, index) => {
    const left = stops[index];
    if (left === undefined) return [];
    const isStretch = !left.isEnd && !right.isEnd;
    return [{ left: left.item, leftAt: left.at, right: right.item, rightAt: right.at, weight: isStretch ? 12 * weight : weight }];
  });
}

/** Where each column begins: the more lines between two columns, the more room there is between them. */
function placeColumns(
  columns: readonly Column[],
  ties: readonly { readonly left: ColumnItem }[],
  turns: readonly (readonly (Column | undefined)[])[],
): ReadonlyMap<Column, number> {
  const leaving = Map.groupBy(ties, ({ left }) => left.column);
  const turned = (column: Column, end: 0 | 1): number => Math.min(6, turns.filter((turn) => turn[end] === column).length);
  let x = 0;
  return new Map(
    columns.map((column, index) => {
      const before = columns[index - 1];
      if (before !== undefined) {
        const crowd = Math.min(16, leaving.get(before)?.length ?? 0);
        x += before.width + gap.x + 5 * crowd + lineSpacing * (turned(before, 0) + turned(column, 1));
      }
      return [column, x] as const;
    }),
  );
}

/** Something in a column: a card, or a line on its way past the column. */
interface Item {
  /** The upper edge. */
  y: number;
  readonly height: number;
  /** The room it needs to its neighbours. */
  readonly room: number;
}

/** A part of a line between two columns, with the heights at which it is tied to its items, from their upper edges. */
interface Tie {
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
function align(columns: readonly (readonly Item[])[], ties: readonly Tie[]): void {
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
