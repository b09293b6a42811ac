import { findReads } from '../expressions/template.ts';
import type { Path } from '../variables/path.ts';
import { checkedScopes, isWrittenBefore, PathBits } from './check-variables.ts';
import { type CompiledCanvas, compileCanvas } from './compile.ts';
import { buildGraph, type Graph } from './graph.ts';

/** A variable that is read on some way from a node before anything on that way has surely written it. */
export interface LivePath {
  readonly path: Path;
  /** The nodes from there to the one that reads it, both included. */
  way(): readonly string[];
}

/** A path, the positions in the graph of the nodes that read it, and the bit that stands for it in the masks of its batch. */
interface PathReaders {
  readonly path: Path;
  readonly positions: number[];
}

/** Up to 31 paths, and which of them each node needs. */
interface Batch {
  readonly bits: PathBits;
  readonly reads: readonly PathReaders[];
  readonly needed: Int32Array;
}

/**
 * The variables that an execution must have wherever it stands: the analysis of `checkVariables`, from the readers backwards. Reads with
 * `??` or `has`, and those that a node writes itself before, do not count.
 *
 * @returns for a node, and with `catch` where that may still run
 */
export function findLivePaths(canvas: CompiledCanvas): (nodeId: string, isCaught: boolean) => readonly LivePath[] {
  const types = new Map([...canvas.nodes.values()].map(({ type, definition }) => [type, definition]));
  const { compiled, parsedNodes } = compileCanvas(canvas.canvas, canvas.hash, types, canvas.digest);
  const graph = buildGraph(compiled, parsedNodes, types);
  const batches = collectBatches(graph);
  // An entry that is two nodes of the graph is there as a step first: what waits has come to it.
  const positions = new Map<string, number>();
  for (const [position, { id }] of graph.entries()) if (!positions.has(id)) positions.set(id, position);
  const known = new Map<string, readonly LivePath[]>();
  const liveAt = (nodeId: string): readonly LivePath[] => {
    const position = positions.get(nodeId);
    if (position === undefined) return [];
    const found = known.get(nodeId) ?? batches.flatMap((batch) => listNeeded(graph, batch, position));
    known.set(nodeId, found);
    return found;
  };
  const { catcher } = compiled;
  return (nodeId, isCaught) => {
    const own = liveAt(nodeId);
    if (isCaught || catcher === undefined) return own;
    const names = new Set(own.map(({ path }) => path.join('\0')));
    return [...own, ...liveAt(catcher.id).filter(({ path }) => !names.has(path.join('\0')))];
  };
}

/** All that is read, in batches of as many paths as a number has bits, each propagated backwards along the edges until a write stops it. */
function collectBatches(graph: Graph): readonly Batch[] {
  const reads = collectReaders(graph);
  const incoming: { readonly from: number; readonly writes: readonly Path[] | undefined }[][] = graph.map(() => []);
  for (const [from, { outgoing }] of graph.entries()) for (const { target, writes } of outgoing) incoming[target]?.push({ from, writes });
  const batches: Batch[] = [];
  for (let start = 0; start < reads.length; start += 31) {
    const batch = reads.slice(start, start + 31);
    const bits = new PathBits(batch.map(({ path }) => path));
    const needed = new Int32Array(graph.length);
    for (const [bit, { positions }] of batch.entries())
      for (const position of positions) needed[position] = (needed[position] ?? 0) | (1 << bit);
    const queue = [...graph.keys()].filter((position) => needed[position] !== 0);
    for (let position = queue.pop(); position !== undefined; position = queue.pop())
      for (const { from, writes } of incoming[position] ?? []) {
        const before = needed[from] ?? 0;
        const now = before | ((needed[position] ?? 0) & ~(writes === undefined ? bits.all : bits.of(writes)));
        if (now === before) continue;
        needed[from] = now;
        queue.push(from);
      }
    batches.push({ bits, reads: batch, needed });
  }
  return batches;
}

function collectReaders(graph: Graph): readonly PathReaders[] {
  const readers = new Map<string, PathReaders>();
  for (const [position, { parsed }] of graph.entries()) {
    if (parsed === undefined) continue;
    for (const { path, isOptional, at } of findReads(parsed.templates)) {
      if (isOptional || !checkedScopes.has(path[0]) || isWrittenBefore(parsed, path, at)) continue;
      const key = path.join('\0');
      const found = readers.get(key) ?? { path, positions: [] };
      if (found.positions.at(-1) !== position) found.positions.push(position);
      readers.set(key, found);
    }
  }
  return [...readers.values()];
}

function listNeeded(graph: Graph, { bits, reads, needed }: Batch, position: number): readonly LivePath[] {
  return reads.flatMap(({ path, positions }, index) => {
    const bit = 1 << index;
    if (((needed[position] ?? 0) & bit) === 0) return [];
    return [{ path, way: () => findReader(graph, position, new Set(positions), (writes) => (bits.of(writes) & bit) === 0) }];
  });
}

/** The shortest way to a node that reads a path, along edges that leave it unwritten. */
function findReader(
  graph: Graph,
  origin: number,
  readers: ReadonlySet<number>,
  leavesUnwritten: (writes: readonly Path[]) => boolean,
): readonly string[] {
  const from = new Map<number, number>([[origin, origin]]);
  for (const position of from.keys()) {
    if (readers.has(position)) return traceNames(graph, from, position);
    for (const { target, writes } of graph[position]?.outgoing ?? [])
      if (!from.has(target) && writes !== undefined && leavesUnwritten(writes)) from.set(target, position);
  }
  return [];
}

function traceNames(graph: Graph, from: ReadonlyMap<number, number>, reached: number): readonly string[] {
  const names: string[] = [];
  for (let position = reached; ; position = from.get(position) ?? position) {
    names.unshift(graph[position]?.id ?? '');
    if (from.get(position) === position) return names;
  }
}
