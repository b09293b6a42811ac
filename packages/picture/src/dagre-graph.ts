import { Graph, layout } from '@dagrejs/dagre';

export interface DagreNode {
  readonly width: number;
  readonly height: number;
  /** The centre, once it is laid out. */
  readonly x: number;
  readonly y: number;
  readonly rank: number;
  order: number;
  /** On a stand-in for a part of an edge: which edge that is, as it runs in the graph without circles. */
  readonly edgeObj?: DagreEdge;
}

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

export const createDagreGraph = (): DagreGraph => new (Graph as new () => DagreGraph)();

export const runDagre = (graph: DagreGraph, reorder: Reorder): void => {
  const customOrder = (working: DagreGraph, order: (graph: DagreGraph) => void): void => {
    order(working);
    reorder(working);
  };
  (layout as (graph: DagreGraph, options: { readonly customOrder: typeof customOrder }) => void)(graph, { customOrder });
};
