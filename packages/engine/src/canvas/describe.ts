// Describes a canvas for an editor: each node with its ports, texts and problems.
import type { Canvas } from '../contract/canvas.ts';
import type { NodeDefinition } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import { formatPath, type Path } from '../variables/path.ts';
import { type CheckOptions, examine } from './check.ts';
import { flattenEdges, listInitialPaths, PathBits, propagate } from './check-variables.ts';
import type { CompiledNode } from './compile.ts';
import type { Graph, GraphNode } from './graph.ts';
import { readCanvas } from './parse.ts';
import { shorten } from './problem-codes.ts';

/** A port of a node. */
export interface DescribedPort {
  readonly name: string;
  /** Whether it must have an edge. */
  readonly isRequired: boolean;
  /** Whether it has one. */
  readonly isConnected: boolean;
}

/** What an editor shows of a node beside its form. */
export interface DescribedNode {
  readonly nodeId: string;
  /** A summary in one line; left out when the node has none or its data is invalid. */
  readonly summary?: string;
  /** Empty when its type or data cannot be read. */
  readonly ports: readonly DescribedPort[];
  /** Variables that have a value whenever an execution reaches the node, as paths such as `$context.name`. */
  readonly always: readonly string[];
  /** Variables that have a value on some ways to the node and not on others. */
  readonly sometimes: readonly string[];
}

/** A canvas as an editor needs it. */
export interface CanvasDescription {
  /** In the order of the canvas; empty for malformed input. */
  readonly nodes: readonly DescribedNode[];
  /** The problems of `checkCanvasText`. */
  readonly problems: readonly Problem[];
}

/** Variables of all nodes together, so that the description stays small; those written last in the canvas are left out. */
const maxVariables = 1_000_000;

/** Describes a canvas, as text or object, valid or not. Never throws, for any input. */
export function describeCanvas(input: unknown, options: CheckOptions): CanvasDescription {
  const { canvas, compiled, parsedNodes = [], graph = [], problems } = examine(readCanvas(input), options);
  if (canvas === undefined) return { nodes: [], problems };
  const definitions = new Map(parsedNodes.map(({ index, definition }) => [index, definition]));
  const graphNodes = Map.groupBy(graph, ({ index }) => index);
  const variables = collectVariables(canvas, graph);
  return {
    nodes: canvas.nodes.map(({ id, data }, index) => {
      const summary = summarize(definitions.get(index), data);
      const [graphNode] = graphNodes.get(index) ?? [];
      const node = graphNode === undefined ? undefined : compiled?.nodes.get(id);
      const { always = [], sometimes = [] } = variables.get(index) ?? {};
      return { nodeId: id, ...(summary !== undefined && { summary }), ports: describePorts(node, graphNode), always, sometimes };
    }),
    problems,
  };
}

/** Summaries get unchecked data: one that throws is left out. */
function summarize(definition: NodeDefinition | undefined, data: unknown): string | undefined {
  try {
    const summary: unknown = definition?.visual.summary?.(data);
    return typeof summary === 'string' ? shorten(summary, 500) : undefined;
  } catch {
    return undefined;
  }
}

function describePorts(node: CompiledNode | undefined, graphNode: GraphNode | undefined): readonly DescribedPort[] {
  const describe = (isRequired: boolean) => (name: string) => ({ name, isRequired, isConnected: graphNode?.connected.has(name) === true });
  return node === undefined ? [] : [...node.ports.map(describe(true)), ...node.optionalPorts.map(describe(false))];
}

interface VariablesAt {
  readonly always: string[];
  readonly sometimes: string[];
}

/**
 * The variables that have a value at each reachable node, by its index in the canvas. A data-flow analysis, as for
 * `UNWRITTEN_VARIABLE`: for 31 paths at once, one in each bit of a number.
 */
function collectVariables(canvas: Canvas, graph: Graph): ReadonlyMap<number, VariablesAt> {
  const initial = listInitialPaths(canvas);
  const written = graph.flatMap(({ outgoing }) => outgoing.flatMap(({ writes = [] }) => writes));
  const paths = distinct([...initial, ...written]).slice(0, Math.floor(maxVariables / Math.max(1, graph.length)));
  const edges = flattenEdges(graph);
  const reached = propagate(edges, 1, (before) => before);
  const positions = Map.groupBy(
    [...graph.keys()].filter((position) => reached[position] === 1),
    (position) => graph[position]?.index ?? -1,
  );
  const found = new Map<number, VariablesAt>([...positions.keys()].map((index) => [index, { always: [], sometimes: [] }]));
  for (let start = 0; start < paths.length; start += 31) {
    const batch = paths.slice(start, start + 31);
    const bits = new PathBits(batch);
    const atStart = bits.of(initial);
    const surely = new Int32Array(edges.target.length);
    const perhaps = new Int32Array(edges.target.length);
    for (const { edge, writes } of edges.writing) {
      surely[edge] = writes === undefined ? 0 : bits.of(writes);
      perhaps[edge] = writes === undefined ? bits.all : bits.of(writes);
    }
    const unwritten = propagate(edges, bits.all & ~atStart, (before, edge) => before & ~(surely[edge] ?? 0));
    const maybeWritten = propagate(edges, atStart, (before, edge) => before | (perhaps[edge] ?? 0));
    for (const [index, { always, sometimes }] of found) {
      const of = (masks: Int32Array) => (positions.get(index) ?? []).reduce((all, position) => all | (masks[position] ?? 0), 0);
      const [missing, present] = [of(unwritten), of(maybeWritten)];
      for (const [offset, path] of batch.entries()) {
        if ((missing & (1 << offset)) === 0) always.push(formatPath(path));
        else if ((present & (1 << offset)) !== 0) sometimes.push(formatPath(path));
      }
    }
  }
  return found;
}

const distinct = (paths: readonly Path[]): readonly Path[] => [...new Map(paths.map((path) => [formatPath(path), path])).values()];
