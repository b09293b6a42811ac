import { millisecondsOf } from '../contract/duration.ts';
import type { Canvas, CanvasEdge, CanvasNode } from '../contract/canvas.ts';
import { CommonData, divideData } from '../contract/common-data.ts';
import type { NodeDefinition } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import { findingsOf, inWords } from './config-issues.ts';
import { listed, problem } from './problem-codes.ts';

/** A node ready to be visited: its config parsed, its templates compiled, its ports resolved to nodes. */
export interface CompiledNode {
  readonly id: string;
  readonly type: string;
  /** Its position in the canvas's list of nodes. */
  readonly index: number;
  readonly definition: NodeDefinition;
  readonly config: unknown;
  readonly common: CommonData;
  /** Ports that must have an edge. */
  readonly ports: readonly string[];
  /** Ports that may stay without one. */
  readonly optionalPorts: readonly string[];
  /** Where each connected port leads. */
  readonly targets: ReadonlyMap<string, CompiledNode>;
}

/** A canvas ready to be executed. Immutable; one for all executions of a version. */
export interface CompiledCanvas {
  readonly canvas: Canvas;
  readonly hash: string;
  readonly nodes: ReadonlyMap<string, CompiledNode>;
  readonly starts: readonly CompiledNode[];
  readonly webhook: CompiledNode | undefined;
  readonly catcher: CompiledNode | undefined;
  /** From the opening of a wait until it ends the execution as `expired`. */
  readonly sessionExpiryMs: number | undefined;
}

/** A canvas as far as it could be compiled, and what stood in the way. */
export interface Compilation {
  readonly compiled: CompiledCanvas;
  readonly problems: readonly Problem[];
}

/** The type of a node whose type or data could not be read, which was told when it was: no type of a canvas is empty. */
export const unreadType = '';

/** Definitions by type. */
export type NodeTypes = ReadonlyMap<string, NodeDefinition>;

export const nodeTypes = (definitions: readonly NodeDefinition[]): NodeTypes =>
  new Map(definitions.map((definition) => [definition.type, definition]));

/** A node whose edges are being resolved. */
interface Connecting extends CompiledNode {
  readonly targets: Map<string, CompiledNode>;
  readonly allPorts: ReadonlySet<string>;
}

/**
 * Parses every config and compiles every template, once. Linear in the canvas. What cannot be compiled is left out and
 * told as a problem.
 */
export function compileCanvas(canvas: Canvas, hash: string, types: NodeTypes): Compilation {
  const problems: Problem[] = [];
  const nodes = new Map<string, Connecting>();
  const seen = new Set<string>();
  for (const [index, node] of canvas.nodes.entries()) {
    if (seen.has(node.id))
      problems.push(problem('DUPLICATE_NODE_ID', ['nodes', index, 'id'], `Two nodes have the id "${node.id}"`, node.id));
    const isFirst = !seen.has(node.id);
    seen.add(node.id);
    if (node.type === unreadType) continue;
    const definition = types.get(node.type);
    if (definition === undefined) {
      const known = listed([...types.keys()], 40);
      problems.push(
        problem('UNKNOWN_NODE_TYPE', ['nodes', index, 'type'], `There is no node type "${node.type}"; there are ${known}`, node.id),
      );
      continue;
    }
    const compiled = compileNode(node, index, definition, problems);
    if (compiled !== undefined && isFirst) nodes.set(node.id, compiled);
  }
  connect(canvas, seen, nodes, problems);
  const all = [...nodes.values()].filter(({ definition }) => !definition.isRemark);
  const enteredBy = (kind: string) => all.filter(({ definition }) => definition.entry?.kind === kind);
  return {
    compiled: {
      canvas,
      hash,
      nodes,
      starts: enteredBy('message'),
      webhook: enteredBy('webhook')[0],
      catcher: enteredBy('catch')[0],
      sessionExpiryMs: millisecondsOf(canvas.settings.sessionExpiry ?? ''),
    },
    problems,
  };
}

function compileNode(node: CanvasNode, index: number, definition: NodeDefinition, problems: Problem[]): Connecting | undefined {
  const { common, config } = divideData(node.data);
  const parsedCommon = CommonData.safeParse(common, { error: inWords });
  const parsedConfig = definition.config.safeParse(config, { error: inWords });
  for (const { error } of [parsedCommon, parsedConfig]) {
    for (const { code, at, message } of findingsOf(error?.issues ?? [], 'INVALID_CONFIG')) {
      problems.push(problem(code, ['nodes', index, 'data', ...at], message, node.id));
    }
  }
  if (!parsedCommon.success || !parsedConfig.success) return undefined;
  const ports = definition.ports(parsedConfig.data);
  const optionalPorts = definition.optionalPorts(parsedConfig.data);
  return {
    id: node.id,
    type: node.type,
    index,
    definition,
    config: parsedConfig.data,
    common: parsedCommon.data,
    ports,
    optionalPorts,
    targets: new Map(),
    allPorts: new Set([...ports, ...optionalPorts]),
  };
}

/** Resolves every edge to its port and its node. */
function connect(canvas: Canvas, known: ReadonlySet<string>, nodes: ReadonlyMap<string, Connecting>, problems: Problem[]): void {
  for (const [index, edge] of canvas.edges.entries()) {
    for (const end of ['source', 'target'] as const) {
      if (!known.has(edge[end]))
        problems.push(problem('EDGE_TO_NOTHING', ['edges', index, end], `The edge's ${end} "${edge[end]}" is no node of this canvas`));
    }
    const source = nodes.get(edge.source);
    if (source === undefined) continue;
    const target = nodes.get(edge.target);
    const port = portOf(edge, source);
    if (port === undefined) {
      problems.push(
        problem(
          'PORT_NOT_NAMED',
          ['edges', index],
          `The edge must say which port of "${source.id}" it leaves by: ${listed([...source.allPorts])}`,
          source.id,
        ),
      );
    } else if (!source.allPorts.has(port)) {
      const choice = source.allPorts.size === 0 ? 'it has none' : `it has ${listed([...source.allPorts])}`;
      problems.push(
        problem('UNKNOWN_PORT', ['edges', index, 'sourceHandle'], `Node "${source.id}" has no port "${port}"; ${choice}`, source.id),
      );
    } else if (target !== undefined && source.targets.has(port)) {
      problems.push(problem('SECOND_EDGE', ['edges', index], `Port "${port}" of "${source.id}" has an edge already`, source.id));
    } else if (target?.definition.isRemark === true) {
      problems.push(
        problem(
          'EDGE_TO_NOTHING',
          ['edges', index, 'target'],
          `The edge leads to "${target.id}", which is a note and cannot be visited`,
          source.id,
        ),
      );
    } else if (target !== undefined) source.targets.set(port, target);
  }
}

/** The port that an edge leaves by, which it need not name where there is no choice. */
export function portOf({ sourceHandle }: CanvasEdge, { ports, optionalPorts }: CompiledNode): string | undefined {
  if (typeof sourceHandle === 'string') return sourceHandle;
  if (ports.length === 1) return ports[0];
  return ports.length === 0 && optionalPorts.length === 1 ? optionalPorts[0] : undefined;
}
