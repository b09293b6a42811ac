import type { Canvas } from '../contract/canvas.ts';
import type { NodeDefinition } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import { formatPath, type Path } from '../variables/path.ts';
import { type CheckOptions, examine } from './check.ts';
import { listInitialPaths, PathBits, flattenWays, spread } from './check-variables.ts';
import type { CompiledNode } from './compile.ts';
import type { Graph, Place } from './graph.ts';
import { readCanvas } from './parse.ts';
import { shorten } from './problem-codes.ts';

export interface DescribedPort {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isConnected: boolean;
}

/** What an editor shows of a node beside its form. */
export interface DescribedNode {
  readonly nodeId: string;
  /** A summary in one line; left out when the node has none or its data is invalid. */
  readonly summary?: string;
  /** None where its type or data cannot be read. */
  readonly ports: readonly DescribedPort[];
  /** Variables that have a value whenever an execution comes here, as paths such as `$context.name`. */
  readonly always: readonly string[];
  /** Variables that have a value on some of the ways to here. */
  readonly sometimes: readonly string[];
}

/** A canvas as an editor needs it. */
export interface CanvasDescription {
  /** In the order of the canvas; empty for malformed input. */
  readonly nodes: readonly DescribedNode[];
  /** The problems of `checkCanvasText`. */
  readonly problems: readonly Problem[];
}

/** More variables of all nodes together than anyone completes from: those written last in the canvas are left out. */
const mostVariables = 1_000_000;

/** Describes a canvas, as text or object, valid or not. Never throws, for any input. */
export function describeCanvas(input: unknown, options: CheckOptions): CanvasDescription {
  const { canvas, compiled, lone = [], graph = [], problems } = examine(readCanvas(input), options);
  if (canvas === undefined) return { nodes: [], problems };
  const definitions = new Map(lone.map(({ index, definition }) => [index, definition]));
  const places = Map.groupBy(graph, ({ index }) => index);
  const variables = collectVariables(canvas, graph);
  return {
    nodes: canvas.nodes.map(({ id, data }, index) => {
      const summary = summarize(definitions.get(index), data);
      const [place] = places.get(index) ?? [];
      const node = place === undefined ? undefined : compiled?.nodes.get(id);
      const { always = [], sometimes = [] } = variables.get(index) ?? {};
      return { nodeId: id, ...(summary !== undefined && { summary }), ports: describePorts(node, place), always, sometimes };
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

function describePorts(node: CompiledNode | undefined, place: Place | undefined): readonly DescribedPort[] {
  const described = (isRequired: boolean) => (name: string) => ({ name, isRequired, isConnected: place?.connected.has(name) === true });
  return node === undefined ? [] : [...node.ports.map(described(true)), ...node.optionalPorts.map(described(false))];
}

interface VariablesAt {
  readonly always: string[];
  readonly sometimes: string[];
}

/**
 * The variables that have a value at each node that can be reached, by its position in the canvas. What spreads along the ways does
 * so for 31 paths at once, one in each bit of a number.
 */
function collectVariables(canvas: Canvas, graph: Graph): ReadonlyMap<number, VariablesAt> {
  const known = listInitialPaths(canvas);
  const written = graph.flatMap(({ ways }) => ways.flatMap(({ writes = [] }) => writes));
  const paths = distinct([...known, ...written]).slice(0, Math.floor(mostVariables / Math.max(1, graph.length)));
  const roads = flattenWays(graph);
  const reached = spread(roads, 1, (here) => here);
  const positions = Map.groupBy(
    [...graph.keys()].filter((position) => reached[position] === 1),
    (position) => graph[position]?.index ?? -1,
  );
  const found = new Map<number, VariablesAt>([...positions.keys()].map((index) => [index, { always: [], sometimes: [] }]));
  for (let start = 0; start < paths.length; start += 31) {
    const batch = paths.slice(start, start + 31);
    const bits = new PathBits(batch);
    const atStart = bits.of(known);
    const surely = new Int32Array(roads.target.length);
    const perhaps = new Int32Array(roads.target.length);
    for (const { road, writes } of roads.writing) {
      surely[road] = writes === undefined ? 0 : bits.of(writes);
      perhaps[road] = writes === undefined ? bits.all : bits.of(writes);
    }
    const unwritten = spread(roads, bits.all & ~atStart, (here, road) => here & ~(surely[road] ?? 0));
    const maybeWritten = spread(roads, atStart, (here, road) => here | (perhaps[road] ?? 0));
    for (const [index, { always, sometimes }] of found) {
      const of = (masks: Int32Array) => (positions.get(index) ?? []).reduce((all, position) => all | (masks[position] ?? 0), 0);
      const [missing, there] = [of(unwritten), of(maybeWritten)];
      for (const [offset, path] of batch.entries()) {
        if ((missing & (1 << offset)) === 0) always.push(formatPath(path));
        else if ((there & (1 << offset)) !== 0) sometimes.push(formatPath(path));
      }
    }
  }
  return found;
}

const distinct = (paths: readonly Path[]): readonly Path[] => [...new Map(paths.map((path) => [formatPath(path), path])).values()];
