import type { Canvas } from '../contract/canvas.ts';
import { type Channel, channels as allChannels } from '../contract/execution.ts';
import type { NodeDefinition } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import { checkDrivers, checkFields, checkLimits, checkPatterns } from './check-nodes.ts';
import { checkGraph } from './check-graph.ts';
import { checkPorts, checkStructure, type Resolve } from './check-structure.ts';
import { checkRivals, type PublishedWorkflow } from './check-rivals.ts';
import { checkVariables } from './check-variables.ts';
import { type CompiledCanvas, compileCanvas, nodeTypes } from './compile.ts';
import { createFixer } from './fixes.ts';
import { type Graph, buildGraph, buildGraphWithoutEdges, createWayTeller } from './graph.ts';
import { type ReadCanvas, readCanvas } from './parse.ts';
import { sortProblems } from './problem-codes.ts';
import { type LoneNode, dropConsequences } from './read-node.ts';

export interface CheckOptions {
  readonly nodes: readonly NodeDefinition[];
  /** Channels that the company has connected; limits of other channels are no problem yet. */
  readonly channels?: readonly Channel[];
  /** The effects with a driver; without it, every effect counts as having one. */
  readonly effects?: ReadonlySet<string>;
  /** Looks up names outside of the canvas; without it, names are not checked. An unknown name is reported as a warning. */
  readonly resolve?: Resolve;
  /** The workflows that the company has published, which may begin with the same messages; none, when left out. */
  readonly published?: readonly PublishedWorkflow[];
}

/**
 * Everything that is wrong with a canvas, at once: errors first, then in the order of the canvas.
 *
 * @returns at most 1,000 problems; none of severity `error` means that it can be published (P15)
 */
export function checkCanvas(canvas: Canvas, options: CheckOptions): readonly Problem[] {
  return examine({ canvas, problems: [] }, options).problems;
}

/** Parses and checks a canvas, as text or object. Never throws, for any input. */
export function checkCanvasText(text: unknown, options: CheckOptions): readonly Problem[] {
  return examine(readCanvas(text), options).problems;
}

/** A canvas, its problems, and what the check knows of it; only the problems when it cannot be parsed at all. */
export interface Examination {
  readonly problems: readonly Problem[];
  readonly canvas?: Canvas;
  readonly compiled?: CompiledCanvas;
  readonly lone?: readonly LoneNode[];
  readonly graph?: Graph;
}

export function examine(
  { canvas, problems: parseProblems, edgesUnread = false }: ReadCanvas,
  { nodes, channels: connected = [], effects, resolve, published = [] }: CheckOptions,
): Examination {
  if (canvas === undefined) return { problems: sortProblems(parseProblems) };
  const meant = canvas.settings.channels ?? connected;
  // Problems have one order, whichever check finds them.
  const channels = allChannels.filter((channel) => meant.includes(channel));
  const types = nodeTypes(nodes);
  const { compiled, lone, problems } = compileCanvas(canvas, '', types);
  const graph = edgesUnread ? [] : buildGraph(compiled, lone, types); // without edges, every node would seem unconnected
  const alone = [
    ...checkStructure(canvas, lone, graph, types, { channels, resolve }),
    ...(effects === undefined ? [] : checkDrivers(lone, effects)),
    ...checkPatterns(lone),
    ...checkFields(canvas, lone),
    ...checkLimits(lone, compiled, channels),
    ...checkRivals(canvas, lone, published, nodes),
  ];
  const walked = edgesUnread ? buildGraphWithoutEdges(lone) : graph;
  const found = sortProblems([
    ...parseProblems,
    ...problems,
    ...dropConsequences(alone, lone),
    ...checkGraph(graph, createWayTeller(graph)),
    ...(edgesUnread ? [] : checkPorts(compiled, graph, types)),
    ...checkVariables(canvas, walked, createWayTeller(walked)),
  ]);
  return { problems: found.map(createFixer(compiled, types)), canvas, compiled, lone, graph: walked };
}
