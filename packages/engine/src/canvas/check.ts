// All checks of a canvas, in their order.
import type { Canvas } from '../contract/canvas.ts';
import { type Channel, channels as allChannels } from '../contract/execution.ts';
import type { NodeDefinition, UserField } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import { checkCallbacks } from './check-callbacks.ts';
import { checkKinds, createForms, createTyping } from './check-kinds.ts';
import { checkAddresses, checkDrivers, checkFields, checkTexts, checkLimits, checkPatterns } from './check-nodes.ts';
import { checkGraph } from './check-graph.ts';
import { checkPorts, checkStructure, type Resolve } from './check-structure.ts';
import { checkRivals, type PublishedWorkflow } from './check-rivals.ts';
import { checkSeen, checkSeenInNodes } from './check-seen.ts';
import { checkVariables } from './check-variables.ts';
import { checkWindow } from './check-window.ts';
import { type CompiledCanvas, compileCanvas, nodeTypes } from './compile.ts';
import { createFixer } from './fixes.ts';
import { buildGraph, buildGraphWithoutEdges, createWayDescriber, type Graph } from './graph.ts';
import { type ReadCanvas, readCanvas } from './parse.ts';
import { sortProblems } from './problem-codes.ts';
import { type ParsedNode, dropConsequences } from './read-node.ts';
import { describeFault, shieldDefinition } from './shield.ts';

/** What a canvas is checked against. */
export interface CheckOptions {
  /** The definitions of the node types that the canvas may use. */
  readonly nodes: readonly NodeDefinition[];
  /** Channels that the company has connected, for a canvas that names none; the limits of other channels are not checked. None by default. */
  readonly channels?: readonly Channel[];
  /** The effects with a driver; without it, every effect counts as having one. */
  readonly effects?: ReadonlySet<string>;
  /** Looks up names outside of the canvas; without it, names are not checked. An unknown name is reported as a warning. */
  readonly resolve?: Resolve;
  /** The workflows that the company has published, whose starts may match the same messages. None by default. */
  readonly published?: readonly PublishedWorkflow[];
  /** What the company declares for its contacts; without it, fields of `$user.fields` are not checked. */
  readonly userFields?: readonly UserField[];
  /** The names of the company's own settings; without them, reads of `$company.settings` are not checked. */
  readonly settings?: readonly string[];
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

/** The result of every check, with what they computed; only the problems when the canvas cannot be parsed at all. */
export interface Examination {
  readonly problems: readonly Problem[];
  readonly canvas?: Canvas;
  readonly compiled?: CompiledCanvas;
  readonly parsedNodes?: readonly ParsedNode[];
  readonly graph?: Graph;
}

/** Compiles a canvas and runs every check on it. */
export function examine(
  { canvas: given, problems: parseProblems, edgesUnread = false, source }: ReadCanvas,
  { nodes, channels: connected = [], effects, resolve, published = [], userFields, settings }: CheckOptions,
): Examination {
  if (given === undefined) return { problems: sortProblems(parseProblems) };
  const named = given.settings.channels ?? connected;
  // In one fixed order, so that messages which list channels do not depend on the canvas.
  const channels = allChannels.filter((channel) => named.includes(channel));
  const faults = new Map<unknown, unknown>(); // what a definition threw, by the config that it looked at
  const types = nodeTypes(nodes.map((node) => shieldDefinition(node, (config, error) => void faults.set(config, error))));
  const { compiled, parsedNodes, problems } = compileCanvas(given, '', types);
  const { canvas } = compiled; // with the data of today's definitions
  const graph = edgesUnread ? [] : buildGraph(compiled, parsedNodes, types); // with unreadable edges, every node would seem unconnected
  const typeOf = createTyping(canvas, parsedNodes);
  const nodeProblems = [
    ...checkStructure(canvas, parsedNodes, graph, types, { channels, resolve }),
    ...(effects === undefined ? [] : checkDrivers(parsedNodes, effects)),
    ...checkPatterns(parsedNodes),
    ...checkAddresses(parsedNodes),
    ...checkCallbacks(compiled, parsedNodes, graph),
    ...checkTexts(canvas, parsedNodes),
    ...checkSeenInNodes(canvas, parsedNodes),
    ...checkFields(canvas, parsedNodes, types, { userFields, settings }),
    ...checkKinds(parsedNodes, typeOf),
    ...checkLimits(parsedNodes, compiled, { channels, typeOf, formOf: createForms(parsedNodes), userFields }),
    ...checkRivals(canvas, parsedNodes, published, nodes),
  ];
  const dataFlowGraph = edgesUnread ? buildGraphWithoutEdges(parsedNodes) : graph;
  const flowProblems = [
    ...checkSeen(canvas),
    ...checkGraph(graph, createWayDescriber(graph)),
    ...(edgesUnread ? [] : checkPorts(compiled, graph, types)),
    ...checkWindow(graph, channels, compiled.sessionExpiryMs, createWayDescriber(graph)),
    ...checkVariables(canvas, dataFlowGraph, createWayDescriber(dataFlowGraph)),
  ];
  const faulty = faults.size === 0 ? [] : parsedNodes.filter(({ read }) => read !== undefined && faults.has(read.config));
  const found = sortProblems([
    ...parseProblems,
    ...problems,
    ...dropConsequences(nodeProblems, parsedNodes),
    ...flowProblems,
    ...faulty.map((node) => describeFault(node, faults.get(node.read?.config))),
  ]);
  return { problems: found.map(createFixer(compiled, types, source)), canvas, compiled, parsedNodes, graph: dataFlowGraph };
}
