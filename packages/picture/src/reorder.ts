import { Graph, layout } from '@dagrejs/dagre';

/** A node of dagre's graph: a card, or a part of an edge that passes a rank. */
export interface DagreNode {
  readonly width: number;
  readonly height: number;
  /** The centre, once it is laid out. */
  readonly x: number;
  readonly y: number;
  readonly rank: number;
  order: number;
  /** The edge that a dummy node is a part of, as it runs in the acyclic graph. */
  readonly edgeObj?: DagreEdge;
}

/** An edge of dagre's graph, by the ids of its nodes. */
export interface DagreEdge {
  readonly v: string;
  readonly w: string;
}

/**
 * The parts of dagre's graph that are used here. Its own declarations import without file extensions, so that they come
 * out as `any` under Node's rules.
 */
export interface DagreGraph {
  setGraph(settings: {
    readonly rankdir: 'LR';
    readonly nodesep: number;
    readonly edgesep: number;
    readonly ranksep: number;
    readonly ranker?: 'longest-path';
  }): void;
  setNode(id: string, size: { readonly width: number; readonly height: number }): void;
  setEdge(source: string, target: string, label: object): void;
  nodes(): readonly string[];
  node(id: string): DagreNode;
  edges(): readonly DagreEdge[];
  edge(source: string, target: string): { readonly points: readonly { readonly x: number; readonly y: number }[] };
}

/** Improves the order of the nodes of each rank after dagre has chosen one. */
export type Reorder = (graph: DagreGraph) => void;

/** An empty graph. The cast gives it the types above. */
export const createDagreGraph = (): DagreGraph => new (Graph as new () => DagreGraph)();

/** Lays a graph out, and lets `reorder` improve the order of each rank. */
export const runDagre = (graph: DagreGraph, reorder: Reorder): void => {
  const customOrder = (working: DagreGraph, order: (graph: DagreGraph) => void): void => {
    order(working);
    reorder(working);
  };
  (layout as (graph: DagreGraph, options: { readonly customOrder: typeof customOrder }) => void)(graph, { customOrder });
};

/** Where on a card an edge begins or ends, from 0 at its top to 1 at its bottom. */
export type Anchor = (edge: DagreEdge, end: 'source' | 'target') => number;

/** A part of an edge from one rank to the next. */
interface Segment {
  readonly upper: string;
  readonly lower: string;
  /** Where in their nodes the ends are, from 0 to 1. */
  readonly upperAt: number;
  readonly lowerAt: number;
}

/** A graph with more parts than this keeps dagre's order: single lines can no longer be distinguished in it. */
const maxSegments = 4_000;
const rounds = 12;

/**
 * Reorders each rank with regard to ports: dagre lets all edges of a node begin at one point, so that edges of two ports may cross. Keeps
 * the best order seen.
 */
export function reorder(graph: DagreGraph, anchor: Anchor): void {
  const segments = listSegments(graph, anchor);
  if (segments.length > maxSegments) return;
  const ranks = readRanks(graph);
  const above = Map.groupBy(segments, ({ lower }) => lower);
  const below = Map.groupBy(segments, ({ upper }) => upper);
  const order = new Map(ranks.flatMap((rank) => rank.map((id, index) => [id, index] as const)));
  const between = Map.groupBy(segments, ({ upper }) => graph.node(upper).rank);

  const number = (rank: readonly string[]): void => rank.forEach((id, index) => order.set(id, index));
  const at = (id: string, inside: number): number => (order.get(id) ?? 0) + inside * 0.98;
  const crossings = (): number => [...between.values()].reduce((sum, group) => sum + countCrossings(group, at), 0);

  let best = { ranks: ranks.map((rank) => [...rank]), crossings: crossings() };
  for (let round = 0; round < rounds && best.crossings > 0; round += 1) {
    const isDown = round % 2 === 0;
    for (const rank of isDown ? ranks : ranks.toReversed()) {
      const middle = new Map(rank.map((id) => [id, barycentre(id, isDown ? above.get(id) : below.get(id), isDown, at)]));
      rank.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0));
      number(rank);
    }
    for (const rank of ranks) exchangeNeighbours(rank, above, below, at, order);
    const found = crossings();
    if (found < best.crossings) best = { ranks: ranks.map((rank) => [...rank]), crossings: found };
  }
  for (const rank of best.ranks) for (const [index, id] of rank.entries()) graph.node(id).order = index;
}

function readRanks(graph: DagreGraph): string[][] {
  const byRank = Map.groupBy(graph.nodes(), (id) => graph.node(id).rank);
  return [...byRank.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, ids]) => ids.toSorted((a, b) => graph.node(a).order - graph.node(b).order));
}

/** Every edge has a dummy node at one end at least, which knows the whole edge. */
function listSegments(graph: DagreGraph, anchor: Anchor): readonly Segment[] {
  return graph.edges().map(({ v, w }) => {
    const [upper, lower] = [graph.node(v).edgeObj, graph.node(w).edgeObj];
    return {
      upper: v,
      lower: w,
      upperAt: upper === undefined && lower !== undefined ? anchor(lower, 'source') : 0.5,
      lowerAt: lower === undefined && upper !== undefined ? anchor(upper, 'target') : 0.5,
    };
  });
}

type Height = (id: string, inside: number) => number;

/** The mean height of what a node is connected to; its own where it is connected to nothing. */
function barycentre(id: string, segments: readonly Segment[] | undefined, isDown: boolean, at: Height): number {
  if (segments === undefined) return at(id, 0.5);
  const sum = segments.reduce((total, { upper, lower, upperAt, lowerAt }) => total + (isDown ? at(upper, upperAt) : at(lower, lowerAt)), 0);
  return sum / segments.length;
}

/** How often lines between two ranks cross. */
function countCrossings(segments: readonly Segment[], at: Height): number {
  const ends = segments
    .map(({ upper, lower, upperAt, lowerAt }) => [at(upper, upperAt), at(lower, lowerAt)] as const)
    .sort(([a, x], [b, y]) => a - b || x - y);
  let count = 0;
  for (const [index, [start, end]] of ends.entries()) {
    for (let other = index + 1; other < ends.length; other += 1) {
      const [otherStart = 0, otherEnd = 0] = ends[other] ?? [];
      if (otherStart > start && otherEnd < end) count += 1;
    }
  }
  return count;
}

/** Exchanges neighbours as long as that removes crossings. */
function exchangeNeighbours(
  rank: string[],
  above: ReadonlyMap<string, readonly Segment[]>,
  below: ReadonlyMap<string, readonly Segment[]>,
  at: Height,
  order: Map<string, number>,
): void {
  const around = (left: string, right: string): number => {
    const upward = [...(above.get(left) ?? []), ...(above.get(right) ?? [])];
    const downward = [...(below.get(left) ?? []), ...(below.get(right) ?? [])];
    return countCrossings(upward, at) + countCrossings(downward, at);
  };
  for (let isBetter = true, pass = 0; isBetter && pass < 10; pass += 1) {
    isBetter = false;
    for (let index = 0; index + 1 < rank.length; index += 1) {
      const [left = '', right = ''] = rank.slice(index, index + 2);
      const before = around(left, right);
      order.set(left, index + 1).set(right, index);
      if (around(left, right) < before) {
        rank.splice(index, 2, right, left);
        isBetter = true;
      } else order.set(left, index).set(right, index + 1);
    }
  }
}
