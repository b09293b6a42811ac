import type { Canvas } from '../contract/canvas.ts';
import type { Problem } from '../contract/problem.ts';
import { findReads } from '../expressions/template.ts';
import { formatPath, type Path } from '../variables/path.ts';
import { type Graph, parsePaths, type Way, type WayTeller } from './graph.ts';
import { locateVariable } from './text-range.ts';
import { mostProblems, placedProblem, shorten } from './problem-codes.ts';
import type { LoneNode } from './read-node.ts';
import { reach, traceWay } from './walk.ts';

/** Scopes that hold what the canvas itself writes; the others are filled from outside. */
const checkedScopes: ReadonlySet<unknown> = new Set(['$context', '$webhook', '$item', '$input']);

/** A path that is read, and every template that reads it: the index of its node, and its place in the data. */
interface Reading {
  readonly path: Path;
  readonly readers: { readonly positions: readonly number[]; readonly at: readonly (string | number)[] }[];
}

/**
 * Finds variables that are read though, on some way from an entry, nothing has written them (VAR-02).
 *
 * What may be unwritten spreads along the ways until a write stops it; it does so for 31 paths at once, one in each bit
 * of a number.
 */
export function checkVariables(canvas: Canvas, graph: Graph, tellWay: WayTeller): readonly Problem[] {
  const known = listInitialPaths(canvas);
  const roads = flattenWays(graph);
  const readings = [...collectReadings(graph).values()];
  const problems: Problem[] = [];
  let anyWay: SilentWays | undefined; // the same for every path that nothing writes
  for (let start = 0; start < readings.length && problems.length <= mostProblems; start += 31) {
    const batch = readings.slice(start, start + 31);
    const bits = new PathBits(batch.map(({ path }) => path));
    const written = new Int32Array(roads.target.length);
    for (const { road, writes } of roads.writing) written[road] = writes === undefined ? bits.all : bits.of(writes);
    const everWritten = written.reduce((all, mask) => all | mask, 0);
    const unwritten = spread(roads, bits.all & ~bits.of(known), (here, road) => here & ~(written[road] ?? 0));
    for (const [offset, { path, readers }] of batch.entries()) {
      const bit = 1 << offset;
      const isUnsure = (position: number) => ((unwritten[position] ?? 0) & bit) !== 0;
      const unsure = readers.flatMap(({ positions, at }) =>
        positions
          .filter(isUnsure)
          .slice(0, 1)
          .map((position) => ({ position, at })),
      );
      if (unsure.length === 0) continue;
      const isSilent = (road: number) => ((written[road] ?? 0) & bit) === 0;
      const ways = (everWritten & bit) === 0 ? (anyWay ??= findSilentWays(graph, roads, isSilent)) : findSilentWays(graph, roads, isSilent);
      const isSilentWay = ({ writes }: Way) => writes !== undefined && (writes.length === 0 || (bits.of(writes) & bit) === 0);
      const byNode = [...Map.groupBy(unsure, ({ position }) => graph[position]?.index).values()];
      problems.push(
        ...byNode.slice(0, mostProblems + 1).map((places) => {
          const [{ position } = { position: 0 }] = places;
          const way = tellWay(ways.to(position), isSilentWay);
          return { ...describeUnwritten(canvas, graph, path, places, ways.text(position)), ...way };
        }),
      );
    }
  }
  return problems;
}

/** The ways of a graph in one row, those out of a place one after the other. */
interface Roads {
  readonly entries: readonly number[];
  /** Where the ways out of each place begin in the row; one more at the end. */
  readonly first: Int32Array;
  readonly target: Int32Array;
  readonly writing: readonly { readonly road: number; readonly writes: readonly Path[] | undefined }[];
}

export function flattenWays(graph: Graph): Roads {
  const ways = graph.flatMap((place) => place.ways);
  const first = new Int32Array(graph.length + 1);
  for (const [position, place] of graph.entries()) first[position + 1] = (first[position] ?? 0) + place.ways.length;
  return {
    entries: graph.flatMap(({ isEntry }, position) => (isEntry ? [position] : [])),
    first,
    target: Int32Array.from(ways, ({ target }) => target),
    writing: ways.flatMap(({ writes }, road) => (writes?.length === 0 ? [] : [{ road, writes }])),
  };
}

/** What every execution of the canvas has, however it began: an input that is declared is written from the start. */
export function listInitialPaths({ variables, settings }: Canvas): readonly Path[] {
  const defaults = Object.entries(variables).filter(([, { default: value }]) => value !== undefined);
  return [
    ['$context', 'executionId'],
    ...defaults.map(([name]) => ['$context', name]),
    ...(settings.inheritedWebhooks ?? []).map((name) => ['$webhook', name]),
    ...Object.keys(settings.inputs ?? {}).map((name) => ['$input', name]),
  ];
}

function collectReadings(graph: Graph): ReadonlyMap<string, Reading> {
  const places = Map.groupBy(graph.keys(), (position) => graph[position]?.lone);
  const readings = new Map<string, Reading>();
  for (const [node, positions] of places) {
    if (node === undefined) continue;
    for (const { path, isOptional, at } of findReads(node.templates)) {
      if (isOptional || !checkedScopes.has(path[0]) || isWrittenBefore(node, path, at)) continue;
      const key = path.join('\0');
      const reading = readings.get(key) ?? { path, readers: [] };
      reading.readers.push({ positions, at });
      readings.set(key, reading);
    }
  }
  return readings;
}

/** Whether the node that reads a path has written it itself before that, or may have. */
function isWrittenBefore({ read, definition, mayWrite }: LoneNode, path: Path, at: readonly (string | number)[]): boolean {
  if (mayWrite === undefined) return true;
  const written = read === undefined ? [] : definition.writesBefore(read.config, at);
  return written.length + mayWrite.length > 0 && new PathBits([path]).of([...parsePaths(written), ...mayWrite]) !== 0;
}

/**
 * The bits at each place that come there on some way from an entry.
 *
 * @param pass - what a road makes of the bits at its beginning
 */
export function spread({ entries, first, target }: Roads, atEntries: number, pass: (bits: number, road: number) => number): Int32Array {
  const bits = new Int32Array(first.length - 1);
  const seen = new Uint8Array(first.length - 1);
  const queue = [...entries];
  for (const position of entries) {
    bits[position] = atEntries;
    seen[position] = 1;
  }
  for (let position = queue.pop(); position !== undefined; position = queue.pop()) {
    const end = first[position + 1] ?? 0;
    for (let road = first[position] ?? 0; road < end; road += 1) {
      const there = target[road] ?? 0;
      const after = (bits[there] ?? 0) | pass(bits[position] ?? 0, road);
      if (seen[there] === 1 && after === bits[there]) continue;
      seen[there] = 1;
      bits[there] = after;
      queue.push(there);
    }
  }
  return bits;
}

/** Ways by which nothing writes, to any place. */
interface SilentWays {
  to(position: number): readonly number[];
  /** The node ids on it; the middle of a long one is left out. */
  text(position: number): string;
}

function findSilentWays(graph: Graph, { entries, first, target }: Roads, isSilent: (road: number) => boolean): SilentWays {
  const from = reach(graph.length, entries, (position) => {
    const targets: number[] = [];
    for (let road = first[position] ?? 0; road < (first[position + 1] ?? 0); road += 1) if (isSilent(road)) targets.push(target[road] ?? 0);
    return targets;
  });
  const ways = new Map<number, readonly number[]>(); // of one place at a time, since the paths of all could be quadratic
  const to = (position: number): readonly number[] => {
    const way = ways.get(position) ?? traceWay(from, position);
    if (!ways.has(position)) ways.clear();
    ways.set(position, way);
    return way;
  };
  const texts = new Map<number, string>();
  const text = (position: number): string => {
    const ids = texts.has(position) ? [] : to(position).map((step) => graph[step]?.id ?? '');
    const written = texts.get(position) ?? (ids.length > 12 ? [...ids.slice(0, 5), '…', ...ids.slice(-6)] : ids).join(' → ');
    texts.set(position, written);
    return written;
  };
  return { to, text };
}

/** One problem for a variable and a node, at all places of the node that read it. */
function describeUnwritten(
  canvas: Canvas,
  graph: Graph,
  path: Path,
  unsure: readonly { readonly position: number; readonly at: readonly (string | number)[] }[],
  way: string,
): Problem {
  const { id = '', index = 0 } = graph[unsure[0]?.position ?? 0] ?? {};
  const message = `${shorten(formatPath(path), 100)} may be missing here: nothing writes it on the way ${way}`;
  const places = unsure.map(({ at }) => ['nodes', index, 'data', ...at]);
  return { ...placedProblem('UNWRITTEN_VARIABLE', places, message, id), ...locateVariable(canvas, places[0] ?? [], path) };
}

interface Step {
  readonly next: Map<string, Step>;
  /** Paths that end here, and paths that continue from here. */
  here: number;
  beyond: number;
}

/** Up to 31 paths, each a bit of a number, found by the paths of writes. */
export class PathBits {
  /** The bits of all paths. */
  readonly all: number;
  readonly #root: Step = newStep();

  constructor(paths: readonly Path[]) {
    this.all = 2 ** paths.length - 1;
    for (const [index, path] of paths.entries()) {
      const bit = 1 << index;
      let step = this.#root;
      for (const name of path) {
        step.beyond |= bit;
        const next = step.next.get(String(name)) ?? newStep();
        step.next.set(String(name), next);
        step = next;
      }
      step.here |= bit;
    }
  }

  /** The paths that have a value, whole or in part, once these are written: a write above them, at them or below them. */
  of(writes: readonly Path[]): number {
    let bits = 0;
    for (const path of writes) {
      let step: Step | undefined = this.#root;
      for (const name of path) {
        bits |= step.here;
        step = step.next.get(String(name));
        if (step === undefined) break;
      }
      if (step !== undefined) bits |= step.here | step.beyond;
    }
    return bits;
  }
}

const newStep = (): Step => ({ next: new Map(), here: 0, beyond: 0 });
