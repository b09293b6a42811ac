import { parseDurationMs } from '../contract/duration.ts';
import type { Canvas, CanvasEdge } from '../contract/canvas.ts';
import type { Digest } from '../contract/clock.ts';
import type { CommonData } from '../contract/common-data.ts';
import type { NodeDefinition, Reference, Visit } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import { sizeOf } from '../variables/measure.ts';
import { portableDigest } from './hash.ts';
import { joinNames, problem } from './problem-codes.ts';
import { type LoneNode, readNode } from './read-node.ts';

/** A node ready to be visited: its config parsed, its templates compiled, its ports resolved to nodes. */
export interface CompiledNode {
  readonly id: string;
  readonly type: string;
  /** Its position in the canvas's list of nodes. */
  readonly index: number;
  readonly definition: NodeDefinition;
  readonly config: unknown;
  /** Creates visits; made from the config once. */
  readonly visit: Visit;
  readonly common: CommonData;
  /** Ports that must have an edge. */
  readonly ports: readonly string[];
  /** Ports that may stay without one. */
  readonly optionalPorts: readonly string[];
  /** Whether `error` is a port of the node's own: an author may call a branch so, too. */
  readonly takesErrors: boolean;
  /** The size of its id and its type, for that of its history. */
  readonly nameSize: number;
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
  /** What keys and drawn numbers of its executions are derived by. */
  readonly digest: Digest;
}

/** A canvas as far as it could be compiled, and the problems. */
export interface Compilation {
  readonly compiled: CompiledCanvas;
  /** Every node of a known type, including those that `compiled` leaves out: without a unique id, or partly invalid. */
  readonly lone: readonly LoneNode[];
  readonly problems: readonly Problem[];
}

/** The id, type, end or port of a node or edge that could not be read, which parsing reported already: none of them is empty. */
export const unread = '';

/** Definitions by type. */
export type NodeTypes = ReadonlyMap<string, NodeDefinition>;

export const nodeTypes = (definitions: readonly NodeDefinition[]): NodeTypes =>
  new Map(definitions.map((definition) => [definition.type, definition]));

/** A node whose edges are being resolved. */
interface Connecting extends CompiledNode {
  readonly targets: Map<string, CompiledNode>;
}

/** All that the nodes of a canvas name outside it: workflows, templates, credentials and the rest. */
export const referencesOf = ({ nodes }: Pick<CompiledCanvas, 'nodes'>): readonly Reference[] =>
  [...nodes.values()].flatMap(({ definition, config }) => definition.references(config));

/**
 * Parses every config and compiles every template, once. Linear in the canvas. What cannot be compiled is left out and
 * reported as a problem.
 */
export function compileCanvas(canvas: Canvas, hash: string, types: NodeTypes, digest: Digest = portableDigest): Compilation {
  const problems: Problem[] = [];
  const lone: LoneNode[] = [];
  const nodes = new Map<string, Connecting>();
  const seen = new Set<string>();
  let leaving: ReadonlyMap<string, readonly CanvasEdge[]> | undefined; // needed for partly invalid nodes alone
  const listEdges = (id: string) => (leaving ??= Map.groupBy(canvas.edges, ({ source }) => source)).get(id) ?? [];
  for (const [index, node] of canvas.nodes.entries()) {
    const isNamed = node.id !== unread && !seen.has(node.id);
    if (seen.has(node.id) && node.id !== unread)
      problems.push(problem('DUPLICATE_NODE_ID', ['nodes', index, 'id'], `Two nodes have the id "${node.id}"`, node.id));
    seen.add(node.id);
    if (node.type === unread) continue;
    const definition = types.get(node.type);
    if (definition === undefined) {
      const message = `There is no node type "${node.type}"; there are ${joinNames([...types.keys()], 40)}`;
      problems.push(problem('UNKNOWN_NODE_TYPE', ['nodes', index, 'type'], message, node.id));
      continue;
    }
    const read = readNode(node, index, definition, problems);
    lone.push(read);
    const compiled = isNamed ? compileNode(read) : undefined;
    const isWhole = read.wrong.length === 0;
    if (compiled !== undefined && (isWhole || fits(compiled, listEdges(node.id)))) nodes.set(node.id, compiled);
  }
  if (canvas.nodes.length > 0) connect(canvas, seen, nodes, problems);
  const all = [...nodes.values()].filter(({ definition }) => !definition.isRemark);
  const listEntries = (kind: string) => all.filter(({ definition }) => definition.entry?.kind === kind);
  return {
    compiled: {
      canvas,
      hash,
      nodes,
      starts: listEntries('message'),
      webhook: listEntries('webhook')[0],
      catcher: listEntries('catch')[0],
      sessionExpiryMs: parseDurationMs(canvas.settings.sessionExpiry ?? ''),
      digest,
    },
    lone,
    problems,
  };
}

function compileNode({ id, type, index, definition, read }: LoneNode): Connecting | undefined {
  if (read === undefined) return undefined;
  const ports = definition.ports(read.config);
  const optionalPorts = definition.optionalPorts(read.config);
  const nameSize = sizeOf(id) + sizeOf(type);
  const takesErrors = optionalPorts.includes('error');
  const visit = definition.compile(read.config);
  return { id, type, index, definition, ...read, visit, nameSize, ports, optionalPorts, takesErrors, targets: new Map() };
}

/** Whether every edge of a partly invalid node leaves by a port of the valid part: then its ports are known from that. */
const fits = (node: Connecting, edges: readonly CanvasEdge[]): boolean =>
  edges.every((edge) => edge.sourceHandle === unread || hasPort(node, resolvePort(edge, node) ?? unread));

const hasPort = ({ ports, optionalPorts }: CompiledNode, port: string): boolean => ports.includes(port) || optionalPorts.includes(port);

const listPorts = ({ ports, optionalPorts }: CompiledNode): readonly string[] => [...new Set([...ports, ...optionalPorts])];

/** Resolves every edge to its port and its node. */
function connect(canvas: Canvas, known: ReadonlySet<string>, nodes: ReadonlyMap<string, Connecting>, problems: Problem[]): void {
  /** Ports whose edge leads to no visitable node. */
  const leadingNowhere = new Set<string>();
  const formatKey = (source: CompiledNode, port: string): string => `${source.index} ${port}`;
  for (const [index, edge] of canvas.edges.entries()) {
    const [source, target] = [nodes.get(edge.source), nodes.get(edge.target)];
    if (source === undefined || target === undefined)
      for (const end of ['source', 'target'] as const) {
        if (edge[end] !== unread && !known.has(edge[end]))
          problems.push(problem('EDGE_TO_NOTHING', ['edges', index, end], `The edge's ${end} "${edge[end]}" is no node of this canvas`));
      }
    if (source === undefined || edge.sourceHandle === unread) continue;
    const port = resolvePort(edge, source);
    if (port === undefined) {
      const message = `The edge must say which port of "${source.id}" it leaves by: ${joinNames(listPorts(source))}`;
      problems.push(problem('PORT_NOT_NAMED', ['edges', index], message, source.id));
    } else if (!hasPort(source, port)) {
      const all = listPorts(source);
      const choice = all.length === 0 ? 'it has none' : `it has ${joinNames(all)}`;
      const message = `Node "${source.id}" has no port "${port}"; ${choice}`;
      problems.push(problem('UNKNOWN_PORT', ['edges', index, 'sourceHandle'], message, source.id));
    } else if (
      known.has(edge.target) &&
      (source.targets.has(port) || (leadingNowhere.size > 0 && leadingNowhere.has(formatKey(source, port))))
    ) {
      problems.push(problem('SECOND_EDGE', ['edges', index], `Port "${port}" of "${source.id}" has an edge already`, source.id));
    } else if (target?.definition.isRemark === true) {
      const message = `The edge leads to "${target.id}", which is a note and cannot be visited`;
      problems.push(problem('EDGE_TO_NOTHING', ['edges', index, 'target'], message, source.id));
    } else if (target !== undefined) {
      source.targets.set(port, target);
      continue;
    }
    if (port !== undefined) leadingNowhere.add(formatKey(source, port));
  }
}

/** The port that an edge leaves by, which it need not name where there is no choice. */
export function resolvePort({ sourceHandle }: CanvasEdge, { ports, optionalPorts }: CompiledNode): string | undefined {
  if (typeof sourceHandle === 'string') return sourceHandle;
  if (ports.length === 1) return ports[0];
  return ports.length === 0 && optionalPorts.length === 1 ? optionalPorts[0] : undefined;
}
