import type { Canvas } from '../contract/canvas.ts';
import { type Channel, channels as allChannels } from '../contract/execution.ts';
import type { NodeDefinition } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import { checkDrivers } from './check-drivers.ts';
import { checkFields } from './check-fields.ts';
import { checkGraph } from './check-graph.ts';
import { checkLimits } from './check-limits.ts';
import { checkPatterns } from './check-patterns.ts';
import { checkPorts } from './check-ports.ts';
import { checkStructure, type Resolve } from './check-structure.ts';
import { checkVariables } from './check-variables.ts';
import { compileCanvas, nodeTypes } from './compile.ts';
import { graphOf, unconnected } from './graph.ts';
import { readCanvas } from './parse.ts';
import { problemList } from './problem-list.ts';
import { withoutConsequences } from './read-node.ts';

export interface CheckOptions {
  readonly nodes: readonly NodeDefinition[];
  /** Those that the company has connected; limits of others are no problem yet. */
  readonly channels?: readonly Channel[];
  /** The effects that there are drivers for; without it, every effect is taken to have one. */
  readonly effects?: ReadonlySet<string>;
  /** Looks up what the canvas names outside itself; without it, names are taken on trust. What it cannot say is told as a warning. */
  readonly resolve?: Resolve;
}

/**
 * Everything that is wrong with a canvas, at once: errors first, then in the order of the canvas.
 *
 * @returns at most 1,000 problems; none of severity `error` means that it can be published (P15)
 */
export function checkCanvas(canvas: Canvas, options: CheckOptions): readonly Problem[] {
  return problemList(problemsOf(canvas, options));
}

/** Reads and checks a canvas, as a text or as an object. Never throws for what is in it. */
export function checkCanvasText(text: unknown, options: CheckOptions): readonly Problem[] {
  const { canvas, problems, edgesUnread } = readCanvas(text);
  return problemList(canvas === undefined ? problems : [...problems, ...problemsOf(canvas, options, edgesUnread)]);
}

function problemsOf(
  canvas: Canvas,
  { nodes, channels: connected = [], effects, resolve }: CheckOptions,
  edgesUnread = false,
): readonly Problem[] {
  const channels = allChannels.filter((channel) => connected.includes(channel)); // whoever lists them, the problems have one order
  const types = nodeTypes(nodes);
  const { compiled, lone, problems } = compileCanvas(canvas, '', types);
  const graph = edgesUnread ? [] : graphOf(compiled, lone, types); // where no edge is known, every node would seem to be alone
  const alone = [
    ...checkStructure(canvas, lone, graph, types, { channels, resolve }),
    ...(effects === undefined ? [] : checkDrivers(lone, effects)),
    ...checkPatterns(lone),
    ...checkFields(lone),
    ...checkLimits(lone, compiled, channels),
  ];
  return [
    ...problems,
    ...withoutConsequences(alone, lone),
    ...checkGraph(graph),
    ...(edgesUnread ? [] : checkPorts(compiled, graph, types)),
    ...checkVariables(canvas, edgesUnread ? unconnected(lone) : graph),
  ];
}
