import { Graph, layout as dagre } from '@dagrejs/dagre';
import type { Point } from './canvas-json.ts';
import { snap } from './commands.ts';

/** A card to be placed, in pixels. */
export interface Box {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** An edge between two cards; `order` is the index of its port at the source. */
export interface Way {
  readonly source: string;
  readonly target: string;
  readonly order: number;
  readonly isPlain: boolean;
}

export interface LayoutInput {
  readonly boxes: readonly Box[];
  readonly ways: readonly Way[];
}

const gaps = { column: 88, row: 32 } as const;

/** Above this, dagre takes seconds: the linear layout below replaces it. */
export const maxForDagre = 150;

/** Positions every card, in columns from left to right. Deterministic, and no two cards overlap. */
export function layOut(input: LayoutInput): ReadonlyMap<string, Point> {
  const known = new Set(input.boxes.map(({ id }) => id));
  const ways = input.ways.filter(({ source, target }) => known.has(source) && known.has(target) && source !== target);
  const columns = input.boxes.length <= maxForDagre ? columnsByDagre(input.boxes, ways) : columnsByDepth(input.boxes, ways);
  return placeColumns(columns, ways);
}

type Columns = readonly (readonly Box[])[];

/** The parts of dagre's graph that are used here: its own declarations come out as `any` under Node's rules for imports. */
interface DagreGraph {
  setGraph(settings: { readonly rankdir: 'LR'; readonly nodesep: number; readonly ranksep: number }): void;
  setNode(id: string, size: { readonly width: number; readonly height: number }): void;
  setEdge(source: string, target: string, settings: { readonly weight: number }, name: string): void;
  /** @returns the centre, once it is laid out */
  node(id: string): Point;
}
const newGraph = Graph as unknown as new (options: { readonly multigraph: true }) => DagreGraph;
const layOutGraph = dagre as unknown as (graph: DagreGraph) => void;

/** Columns and the order in each, as dagre finds them. */
function columnsByDagre(boxes: readonly Box[], ways: readonly Way[]): Columns {
  const graph = new newGraph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: gaps.row, ranksep: gaps.column });
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  for (const [index, { source, target, isPlain }] of ways.entries()) graph.setEdge(source, target, { weight: isPlain ? 4 : 1 }, `${index}`);
  layOutGraph(graph);
  const centre = (id: string): Point => graph.node(id);
  const byColumn = Map.groupBy(boxes, ({ id }) => Math.round(centre(id).x));
  return [...byColumn.entries()]
    .sort(([left], [right]) => left - right)
    .map(([, column]) => column.toSorted((a, b) => centre(a.id).y - centre(b.id).y));
}

/** Columns by the longest way from an entry, edges back left out; in linear time. */
function columnsByDepth(boxes: readonly Box[], ways: readonly Way[]): Columns {
  const out = Map.groupBy(ways, ({ source }) => source);
  const entered = new Set(ways.map(({ target }) => target));
  const state = new Map<string, 'open' | 'done'>();
  const order: string[] = [];
  const forward: Way[] = [];
  // Depth first, without recursion: a chain of 20,000 nodes has no place on the stack.
  for (const { id: root } of [...boxes.filter(({ id }) => !entered.has(id)), ...boxes]) {
    if (state.has(root)) continue;
    const stack = [{ id: root, next: 0 }];
    state.set(root, 'open');
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const way = out.get(top.id)?.[top.next];
      top.next += 1;
      if (way === undefined) {
        state.set(top.id, 'done');
        order.push(top.id);
        stack.pop();
      } else if (state.get(way.target) !== 'open') {
        forward.push(way);
        if (!state.has(way.target)) {
          state.set(way.target, 'open');
          stack.push({ id: way.target, next: 0 });
        }
      }
    }
  }
  const depth = new Map<string, number>();
  const forwardOf = Map.groupBy(forward, ({ source }) => source);
  for (const id of order.reverse()) {
    const own = depth.get(id) ?? 0;
    for (const { target } of forwardOf.get(id) ?? []) depth.set(target, Math.max(depth.get(target) ?? 0, own + 1));
  }
  const byColumn = Map.groupBy(boxes, ({ id }) => depth.get(id) ?? 0);
  return [...byColumn.entries()].sort(([left], [right]) => left - right).map(([, column]) => column);
}

/**
 * Positions the cards of each column: a card is beside the ports that lead to it, as near as the card above permits. One pass from left to
 * right, so that a straight path is a straight line.
 */
function placeColumns(columns: Columns, ways: readonly Way[]): ReadonlyMap<string, Point> {
  const into = Map.groupBy(ways, ({ target }) => target);
  const places = new Map<string, Point>();
  let x = 0;
  for (const column of columns) {
    const wish = new Map(
      column.map(({ id }, index) => {
        const sources = (into.get(id) ?? []).flatMap(({ source, order, isPlain }) => {
          const place = places.get(source);
          return place === undefined ? [] : [{ y: place.y + order * 30, weight: isPlain ? 4 : 1 }];
        });
        const weight = sources.reduce((sum, source) => sum + source.weight, 0);
        const y = weight === 0 ? undefined : sources.reduce((sum, source) => sum + source.y * source.weight, 0) / weight;
        return [id, { y, index }] as const;
      }),
    );
    const wished = (box: Box) => wish.get(box.id)?.y;
    const ordered = column.toSorted(
      (a, b) => (wished(a) ?? Infinity) - (wished(b) ?? Infinity) || (wish.get(a.id)?.index ?? 0) - (wish.get(b.id)?.index ?? 0),
    );
    let free = Number.NEGATIVE_INFINITY;
    for (const box of ordered) {
      const y = Math.max(wished(box) ?? (free === Number.NEGATIVE_INFINITY ? 0 : free), free);
      const place = snap({ x, y: Math.ceil(y / 8) * 8 });
      places.set(box.id, place);
      free = place.y + box.height + gaps.row;
    }
    x += Math.max(...column.map(({ width }) => width)) + gaps.column;
  }
  const top = Math.min(0, ...[...places.values()].map(({ y }) => y));
  return new Map([...places].map(([id, { x: left, y }]) => [id, { x: left, y: y - top }]));
}
