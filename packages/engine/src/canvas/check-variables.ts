// Checks that each variable that a canvas reads may have a value by then.
import type { Canvas } from '../contract/canvas.ts';
import type { Problem } from '../contract/problem.ts';
import { findNearestName } from '../expressions/nearest-name.ts';
import { findReads } from '../expressions/template.ts';
import { formatPath, type Path } from '../variables/path.ts';
import { type DescribeWay, formatWay, type Graph, type GraphEdge, type GraphNode, parsePaths } from './graph.ts';
import { locateVariable } from './text-range.ts';
import { joinNames, maxProblems, placedProblem, problemCodes, shorten } from './problem-codes.ts';
import type { ParsedNode } from './read-node.ts';
import { reach, traceWay } from './walk.ts';

/** Scopes that hold what the canvas itself writes; the others are filled from outside. */
export const checkedScopes: ReadonlySet<unknown> = new Set(['$context', '$webhook', '$item', '$input', '$tool']);

/** A path, and every template that reads it: the graph nodes that have the template, and its place in their data. */
interface PathReaders {
  readonly path: Path;
  readonly readers: { readonly positions: readonly number[]; readonly at: readonly (string | number)[] }[];
}

/** The fields that every message has: one of another kind may lack any other. */
export const ownMessageFields: readonly string[] = ['id', 'type', 'at'];
const messageFields: ReadonlySet<unknown> = new Set(ownMessageFields);

/**
 * Finds variables that are read though, on some way from an entry, nothing has written them (VAR-02); and, as warnings, fields of `$message`
 * that not every message has, where a message of any kind may have led to the node, and the zone and the locale of a user.
 */
export function checkVariables(canvas: Canvas, graph: Graph, describeWay: DescribeWay): readonly Problem[] {
  const edges = flattenEdges(graph);
  const takesAny = ({ compiled }: GraphNode): boolean => {
    const entry = compiled?.definition.entry;
    return entry?.kind === 'message' && entry.takesAny?.(compiled?.config) === true;
  };
  const anyMessage = { ...edges, entries: edges.entries.filter((position) => graph.slice(position, position + 1).some(takesAny)) };
  const isOfMessage = ([scope, field]: Path): boolean => scope === '$message' && field !== undefined && !messageFields.has(field);
  const find = (isWanted: (path: Path) => boolean, among: FlatEdges, initial: readonly Path[]): readonly Problem[] =>
    findUnwritten(canvas, graph, describeWay, { edges: among, initial, reads: collectReads(graph, isWanted) });
  return [
    ...find(([scope]) => checkedScopes.has(scope), edges, listInitialPaths(canvas)),
    ...(anyMessage.entries.length === 0 ? [] : find(isOfMessage, anyMessage, [])),
    ...find(isOfPlace, edges, []),
  ];
}

/** Where a user is: known of those whose channel or workspace tells it, and missing of the others. */
const isOfPlace = ([scope, field]: Path): boolean => scope === '$user' && (field === 'timeZone' || field === 'locale');

interface Flow {
  readonly edges: FlatEdges;
  /** The paths that have a value at the entries. */
  readonly initial: readonly Path[];
  readonly reads: readonly PathReaders[];
}

/**
 * A data-flow analysis: "may be unwritten" is propagated along the edges until a write stops it, for 31 paths at once, one in each bit of
 * a number.
 */
function findUnwritten(canvas: Canvas, graph: Graph, describeWay: DescribeWay, { edges, initial, reads }: Flow): readonly Problem[] {
  const problems: Problem[] = [];
  let findWayWithoutWrites: FindWay | undefined; // the same for every path that nothing writes
  for (let start = 0; start < reads.length && problems.length <= maxProblems; start += 31) {
    const batch = reads.slice(start, start + 31);
    const bits = new PathBits(batch.map(({ path }) => path));
    const written = new Int32Array(edges.target.length);
    for (const { edge, writes } of edges.writing) written[edge] = writes === undefined ? bits.all : bits.of(writes);
    const everWritten = written.reduce((all, mask) => all | mask, 0);
    const unwritten = propagate(edges, bits.all & ~bits.of(initial), (before, edge) => before & ~(written[edge] ?? 0));
    for (const [offset, { path, readers }] of batch.entries()) {
      const bit = 1 << offset;
      const mayBeUnwritten = (position: number) => ((unwritten[position] ?? 0) & bit) !== 0;
      const unsureReads = readers.flatMap(({ positions, at }) => {
        const position = positions.find(mayBeUnwritten);
        return position === undefined ? [] : [{ position, at }];
      });
      if (unsureReads.length === 0) continue;
      const leavesUnwritten = (edge: number) => ((written[edge] ?? 0) & bit) === 0;
      const createFinder = () => createWayFinder(graph, edges, leavesUnwritten);
      const reading = new Set(unsureReads.map(({ position }) => position));
      // Executions that come to a reader fail there: where there is a way that has no other reader, it is shown.
      const findFreeWay = reading.size < 2 ? undefined : createWayFinder(graph, edges, leavesUnwritten, reading);
      const findWay = (everWritten & bit) === 0 ? (findWayWithoutWrites ??= createFinder()) : createFinder();
      const isTaken = ({ writes }: GraphEdge) => writes !== undefined && (writes.length === 0 || (bits.of(writes) & bit) === 0);
      const byNode = [...Map.groupBy(unsureReads, ({ position }) => graph[position]?.index).values()];
      problems.push(
        ...byNode.slice(0, maxProblems + 1).map((places) => {
          const [{ position } = { position: 0 }] = places;
          const free = findFreeWay?.(position);
          const way = free !== undefined && edges.entries.includes(free[0] ?? -1) ? free : findWay(position);
          const found = { ...describeUnwritten(canvas, graph, path, places, way), ...describeWay(way, isTaken) };
          const hint = (everWritten & bit) === 0 ? hintAtNames(canvas, path, listNames(canvas, graph, edges, path, places)) : undefined;
          return hint === undefined ? found : { ...found, hint };
        }),
      );
    }
  }
  return problems.map((one) => {
    const follows = findEarlierReader(one, problems);
    return follows === undefined ? one : { ...one, follows };
  });
}

/** The node on the way of a problem in which an execution fails first: it reads the same variable, or another part of it. */
function findEarlierReader({ way = [], nodeId, subject }: Problem, all: readonly Problem[]): string | undefined {
  const name = nameOfVariable(subject);
  const readers = new Set(
    all.flatMap((other) => (nameOfVariable(other.subject) === name && other.nodeId !== undefined ? [other.nodeId] : [])),
  );
  return way.slice(0, -1).find((step) => step.nodeId !== nodeId && readers.has(step.nodeId))?.nodeId;
}

/** `$context.report` of `$context.report.body.url`. */
const nameOfVariable = (subject: string | undefined): string => /^[^.[]+[.[][^.[]*/.exec(subject ?? '')?.[0] ?? '';

/** All edges of a graph in one list, ordered by their source; an edge is known by its index in it. */
interface FlatEdges {
  readonly entries: readonly number[];
  /** The index of the first edge of each node, and after the last node the number of edges. */
  readonly first: Int32Array;
  /** The target of each edge. */
  readonly target: Int32Array;
  /** The edges that write, or may. */
  readonly writing: readonly { readonly edge: number; readonly writes: readonly Path[] | undefined }[];
}

export function flattenEdges(graph: Graph): FlatEdges {
  const edges = graph.flatMap(({ outgoing }) => outgoing);
  const first = new Int32Array(graph.length + 1);
  for (const [position, { outgoing }] of graph.entries()) first[position + 1] = (first[position] ?? 0) + outgoing.length;
  return {
    entries: graph.flatMap(({ isEntry }, position) => (isEntry ? [position] : [])),
    first,
    target: Int32Array.from(edges, ({ target }) => target),
    writing: edges.flatMap(({ writes }, edge) => (writes?.length === 0 ? [] : [{ edge, writes }])),
  };
}

/** The paths that have a value in every execution from its start: declared defaults, inputs, inherited webhooks. */
export function listInitialPaths({ variables, settings }: Canvas): readonly Path[] {
  const defaults = Object.entries(variables).filter(([, { default: value }]) => value !== undefined);
  return [
    ['$context', 'executionId'],
    ...defaults.map(([name]) => ['$context', name]),
    ...(settings.inheritedWebhooks ?? []).map((name) => ['$webhook', name]),
    ...Object.entries(settings.inputs ?? {})
      .filter(([, { optional, default: value }]) => optional !== true || value !== undefined)
      .map(([name]) => ['$input', name]),
  ];
}

function collectReads(graph: Graph, isWanted: (path: Path) => boolean): readonly PathReaders[] {
  const positionsByNode = Map.groupBy(graph.keys(), (position) => graph[position]?.parsed);
  const reads = new Map<string, PathReaders>();
  for (const [node, positions] of positionsByNode) {
    if (node === undefined) continue;
    for (const { path, isOptional, at } of findReads(node.templates)) {
      if (isOptional || !isWanted(path) || isWrittenBefore(node, path, at)) continue;
      const key = path.join('\0');
      const read = reads.get(key) ?? { path, readers: [] };
      read.readers.push({ positions, at });
      reads.set(key, read);
    }
  }
  return [...reads.values()];
}

/** Whether the node that reads a path has written it itself before that, or may have. */
export function isWrittenBefore({ read, definition, mayWrite }: ParsedNode, path: Path, at: readonly (string | number)[]): boolean {
  if (mayWrite === undefined) return true;
  const written = read === undefined ? [] : definition.writesBefore(read.config, at);
  return written.length + mayWrite.length > 0 && new PathBits([path]).of([...parsePaths(written), ...mayWrite]) !== 0;
}

/**
 * The bits that reach each node on some way from an entry.
 *
 * @param transfer - the bits after an edge, given those before it
 */
export function propagate(
  { entries, first, target }: FlatEdges,
  atEntries: number,
  transfer: (before: number, edge: number) => number,
): Int32Array {
  const bits = new Int32Array(first.length - 1);
  const seen = new Uint8Array(first.length - 1);
  const queue = [...entries];
  for (const position of entries) {
    bits[position] = atEntries;
    seen[position] = 1;
  }
  for (let position = queue.pop(); position !== undefined; position = queue.pop()) {
    const end = first[position + 1] ?? 0;
    for (let edge = first[position] ?? 0; edge < end; edge += 1) {
      const next = target[edge] ?? 0;
      const after = (bits[next] ?? 0) | transfer(bits[position] ?? 0, edge);
      if (seen[next] === 1 && after === bits[next]) continue;
      seen[next] = 1;
      bits[next] = after;
      queue.push(next);
    }
  }
  return bits;
}

const noEnds: ReadonlySet<number> = new Set();

/** Finds the shortest way from an entry to a node on which a path is not written. */
type FindWay = (position: number) => readonly number[];

function createWayFinder(
  graph: Graph,
  { entries, first, target }: FlatEdges,
  leavesUnwritten: (edge: number) => boolean,
  ends: ReadonlySet<number> = noEnds,
): FindWay {
  const from = reach(graph.length, entries, (position) => {
    const targets: number[] = [];
    if (ends.has(position)) return targets;
    for (let edge = first[position] ?? 0; edge < (first[position + 1] ?? 0); edge += 1)
      if (leavesUnwritten(edge)) targets.push(target[edge] ?? 0);
    return targets;
  });
  let last: { readonly position: number; readonly way: readonly number[] } | undefined; // of one node only: all ways could be quadratic
  return (position) => {
    if (last?.position !== position) last = { position, way: traceWay(from, position) };
    return last.way;
  };
}

/** One problem for a variable and a node, at all places of the node that read it. */
function describeUnwritten(
  canvas: Canvas,
  graph: Graph,
  path: Path,
  reads: readonly { readonly position: number; readonly at: readonly (string | number)[] }[],
  way: readonly number[],
): Problem {
  const { id = '', index = 0 } = graph[reads[0]?.position ?? 0] ?? {};
  const isUnsure = path[0] === '$message' || path[0] === '$user';
  const reason = isOfPlace(path)
    ? 'not every user has one, nor tells a channel of it,'
    : isUnsure
      ? 'any message may lead here, also one that has none,'
      : 'nothing writes it';
  const message = `${shorten(formatPath(path), 100)} may be missing here: ${reason} on the way ${formatWay(graph, way, 5)}`;
  const places = reads.map(({ at }) => ['nodes', index, 'data', ...at]);
  const problem = placedProblem('UNWRITTEN_VARIABLE', places, message, id);
  return { ...problem, ...(isUnsure && { severity: 'warning' }), ...locateVariable(canvas, places[0] ?? [], path) };
}

/** The names that there are beside one that nothing writes: of inputs, of what a node fills in itself, or of what others write. */
function listNames(
  { settings }: Canvas,
  graph: Graph,
  { writing }: FlatEdges,
  [scope]: Path,
  [first]: readonly { readonly position: number; readonly at: readonly (string | number)[] }[],
): readonly string[] {
  if (scope === '$input') return Object.keys(settings.inputs ?? {});
  const { read, definition } = graph[first?.position ?? -1]?.parsed ?? {};
  const own = read === undefined || first === undefined ? [] : parsePaths(definition?.writesBefore(read.config, first.at) ?? []);
  const names = [...own, ...writing.flatMap(({ writes = [] }) => writes)].flatMap(([of, name]) =>
    of === scope && typeof name === 'string' ? [name] : [],
  );
  return [...new Set(names)].slice(0, mostNames);
}

/** The most names that one is compared with. */
const mostNames = 200;

/** What to do about a name that nothing writes, where more can be said than of any. */
function hintAtNames(canvas: Canvas, [scope, name, ...below]: Path, known: readonly string[]): string | undefined {
  // $tool.change_address.city: the tool is the one whose question this is, and its inputs have no name of it before them.
  const written = scope === '$tool' ? [name, ...below] : [name];
  const [nearest] = written
    .flatMap((one) => (typeof one === 'string' ? [findNearestName(one, known)] : []))
    .filter((one) => one !== undefined);
  const meant = nearest === undefined ? '' : `Did you mean ${formatPath([String(scope), nearest])}? `;
  if (scope === '$input')
    return `${meant}Declare the input in "settings.inputs" of the canvas, such as { "settings": { "inputs": { ${JSON.stringify(
      shorten(String(name ?? 'name'), 64),
    )}: { "type": "string" } } } }, or read it with "??".`;
  if (scope === '$tool')
    return `${meant}The question of a tool may read the inputs of its call: ${known.length === 0 ? 'this one has none' : joinNames(known.map((input) => `$tool.${input}`))}.`;
  return meant === '' ? undefined : `${meant}${problemCodes.UNWRITTEN_VARIABLE.hint}`;
}

/** A node of the prefix tree of some paths. */
interface TrieNode {
  readonly children: Map<string, TrieNode>;
  /** The bits of the paths that end here. */
  ending: number;
  /** The bits of the paths that continue from here. */
  continuing: number;
}

/** Up to 31 paths, each a bit of a number, found by the paths of writes. */
export class PathBits {
  /** The bits of all paths. */
  readonly all: number;
  readonly #root: TrieNode = createTrieNode();

  constructor(paths: readonly Path[]) {
    this.all = 2 ** paths.length - 1;
    for (const [index, path] of paths.entries()) {
      const bit = 1 << index;
      let node = this.#root;
      for (const name of path) {
        node.continuing |= bit;
        const child = node.children.get(String(name)) ?? createTrieNode();
        node.children.set(String(name), child);
        node = child;
      }
      node.ending |= bit;
    }
  }

  /** The paths that have a value, whole or in part, after these writes: a write above a path, at it or below it. */
  of(writes: readonly Path[]): number {
    let bits = 0;
    for (const path of writes) {
      let node: TrieNode | undefined = this.#root;
      for (const name of path) {
        bits |= node.ending;
        node = node.children.get(String(name));
        if (node === undefined) break;
      }
      if (node !== undefined) bits |= node.ending | node.continuing;
    }
    return bits;
  }
}

const createTrieNode = (): TrieNode => ({ children: new Map(), ending: 0, continuing: 0 });
