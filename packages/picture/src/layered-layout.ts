import { type Card, portAt } from './card.ts';
import { type Anchor, createDagreGraph, reorder, runDagre } from './reorder.ts';
import { gap, type Layout, type Line, type PlacedCard } from './layout.ts';
import { type Bundle, straightenLines } from './straighten.ts';

/** Larger canvases take too long to lay out, and their pictures are unreadable anyway. */
const most = { nodes: 600, columns: 300, passed: 12_000 };

/**
 * Lays cards out in columns from left to right, with dagre; notes, which have no edges, are in a row above. The cards of a column are
 * equally wide. `undefined` for a canvas that is too large.
 */
export function layOutInColumns(cards: readonly Card[], lines: readonly Line[]): Layout | undefined {
  const nodes = cards.filter(({ kind }) => kind !== 'note');
  const returning = findReturningLines(lines, cards.length);
  const ways = lines.filter((line) => !returning.has(line) && cards[line.from]?.kind !== 'note' && cards[line.to]?.kind !== 'note');
  const { columns, passed } = measureExtent(ways, cards.length);
  if (nodes.length > most.nodes || columns > most.columns || passed > most.passed) return undefined;

  const graph = createDagreGraph();
  graph.setGraph({ rankdir: 'LR', nodesep: gap.y + 8, edgesep: 16, ranksep: gap.x });
  for (const { index, width, height } of nodes) graph.setNode(String(index), { width, height });
  const bundles = bundleLines(ways);
  for (const { from, to, lines } of bundles)
    graph.setEdge(String(from), String(to), { weight: lines.some(({ tone }) => tone === 'plain') ? 4 : 1 });
  runDagre(graph, (working) => reorder(working, createAnchor(cards, bundles)));

  const placed = nodes.map((card) => {
    const { x, y } = graph.node(String(card.index));
    return { ...card, x: x - card.width / 2, y: y - card.height / 2 };
  });
  const straight = straightenLines({
    cards: placed,
    bundles,
    returning: [...returning],
    pointsOf: ({ from, to }) => graph.edge(String(from), String(to)).points.slice(1, -1),
  });
  return { ...straight, cards: [...straight.cards, ...placeNotes(cards, straight.cards)].sort((a, b) => a.index - b.index) };
}

const bundleLines = (lines: readonly Line[]): readonly Bundle[] =>
  [...Map.groupBy(lines, ({ from, to }) => `${from} ${to}`).values()].flatMap((bundle) =>
    bundle.slice(0, 1).map(({ from, to }) => ({ from, to, lines: bundle })),
  );

/** Where on its two cards an edge is tied: at the middle of the ports it leaves by, and near the top. */
function createAnchor(cards: readonly Card[], bundles: readonly Bundle[]): Anchor {
  const between = new Map(bundles.map(({ from, to, lines }) => [`${from} ${to}`, lines]));
  return ({ v, w }, end) => {
    const card = cards[Number(end === 'source' ? v : w)];
    const lines = between.get(`${v} ${w}`);
    if (card === undefined || lines === undefined) return 0.5;
    if (end === 'target') return card.inputAt / card.height;
    return lines.reduce((sum, { row }) => sum + portAt(card, row), 0) / lines.length / card.height;
  };
}

/** Notes in a row above the nodes. */
function placeNotes(cards: readonly Card[], placed: readonly PlacedCard[]): readonly PlacedCard[] {
  const left = placed.reduce((least, { x }) => Math.min(least, x), 0);
  const top = placed.reduce((least, { y }) => Math.min(least, y), Number.POSITIVE_INFINITY);
  let x = left;
  return cards
    .filter(({ kind }) => kind === 'note')
    .map((note) => {
      const placedNote = { ...note, x, y: (Number.isFinite(top) ? top : 0) - note.height - 2 * gap.y };
      x += note.width + gap.y;
      return placedNote;
    });
}

/** The lines that close a cycle: without them the graph is acyclic. Depth-first, in the order of the nodes. */
function findReturningLines(lines: readonly Line[], count: number): ReadonlySet<Line> {
  const ways = Map.groupBy(lines, ({ from }) => from);
  const entered = new Set(lines.map(({ to }) => to));
  const indices = Array.from({ length: count }, (_, index) => index);
  const returning = new Set<Line>();
  const state = new Map<number, 'open' | 'done'>();
  for (const root of [...indices.filter((index) => !entered.has(index)), ...indices]) {
    if (state.has(root)) continue;
    state.set(root, 'open');
    // A path may be of any length: a stack instead of recursion, each level with its lines that were not followed yet.
    const path = [{ at: root, left: [...(ways.get(root) ?? [])] }];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const line = step.left.shift();
      if (line === undefined) {
        state.set(step.at, 'done');
        path.pop();
      } else if (state.get(line.to) === 'open') returning.add(line);
      else if (!state.has(line.to)) {
        state.set(line.to, 'open');
        path.push({ at: line.to, left: [...(ways.get(line.to) ?? [])] });
      }
    }
  }
  return returning;
}

/** How many columns a picture has, and how many of them the lines cross, when each card is right of all that lead to it. */
function measureExtent(ways: readonly Line[], count: number): { readonly columns: number; readonly passed: number } {
  const leaving = Map.groupBy(ways, ({ from }) => from);
  const missing = Array.from({ length: count }, () => 0);
  for (const { to } of ways) missing[to] = (missing[to] ?? 0) + 1;
  const column = missing.map(() => 0);
  const ready = missing.flatMap((number, index) => (number === 0 ? [index] : []));
  for (let at = ready.pop(); at !== undefined; at = ready.pop()) {
    for (const { to } of leaving.get(at) ?? []) {
      column[to] = Math.max(column[to] ?? 0, (column[at] ?? 0) + 1);
      missing[to] = (missing[to] ?? 0) - 1;
      if (missing[to] === 0) ready.push(to);
    }
  }
  return {
    columns: column.reduce((most, at) => Math.max(most, at + 1), 0),
    passed: ways.reduce((sum, { from, to }) => sum + (column[to] ?? 0) - (column[from] ?? 0), 0),
  };
}
