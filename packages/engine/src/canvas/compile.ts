// Compiles a canvas for execution: configs parsed, templates compiled, edges resolved.
import { describePorts } from '../contract/require-node.ts';
import type { WriteResumeUrl } from '../contract/callback.ts';
import type { Canvas, CanvasEdge } from '../contract/canvas.ts';
import type { Digest } from '../contract/clock.ts';
import type { CommonData } from '../contract/common-data.ts';
import { parseKeptDurationMs } from '../contract/duration.ts';
import type { NodeDefinition, Reference, Visit } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import { sizeOf } from '../variables/measure.ts';
import { portableDigest } from './hash.ts';
import { joinNames, problem } from './problem-codes.ts';
import { type ParsedNode, readNode } from './read-node.ts';
import { describeFault } from './shield.ts';
import { upgradeCanvas } from './upgrade.ts';

/** A node ready to be visited: its config parsed, its templates compiled, its ports resolved to nodes. */
export interface CompiledNode {
  readonly id: string;
  readonly type: string;
  /** Its position in the canvas's list of nodes. */
  readonly index: number;
  readonly definition: NodeDefinition;
  readonly config: unknown;
  /** Runs the node once, for one visit; compiled from the config. */
  readonly visit: Visit;
  readonly common: CommonData;
  /** Ports that must have an edge. */
  readonly ports: readonly string[];
  /** Ports that may stay without one. */
  readonly optionalPorts: readonly string[];
  /** Whether `error` is a port for failures: an author may also name a branch so. */
  readonly takesErrors: boolean;
  /** The size of its id and type, as each entry of the history counts them. */
  readonly nameSize: number;
  /** The node that each connected port leads to. */
  readonly targets: ReadonlyMap<string, CompiledNode>;
}

/** A canvas ready to be executed. Immutable, and shared by all executions of a version. */
export interface CompiledCanvas {
  readonly canvas: Canvas;
  readonly hash: string;
  /** By id. */
  readonly nodes: ReadonlyMap<string, CompiledNode>;
  readonly starts: readonly CompiledNode[];
  readonly webhook: CompiledNode | undefined;
  readonly catcher: CompiledNode | undefined;
  /** The nodes that a third party may resume by an address: a webhook is one only where the canvas leads to it. */
  readonly callable: readonly CompiledNode[];
  /** How long an execution may wait before it ends as `expired`, in milliseconds; without limit when `undefined`. */
  readonly sessionExpiryMs: number | undefined;
  /** The hash function that the keys and random numbers of its executions are derived with. */
  readonly digest: Digest;
  /** Writes the addresses of its callbacks; there are none, where the host gives none. */
  readonly resumeUrl: WriteResumeUrl | undefined;
  /** Whether it, or a workflow that it leads to, may read `$campaign`: only then is the campaign looked up that a message answers. */
  readonly mayReadCampaign: boolean;
}

/** A canvas as far as it could be compiled, and the problems of the rest. */
export interface Compilation {
  readonly compiled: CompiledCanvas;
  /** Every node of a known type, including those that `compiled` leaves out: without a unique id, or partly invalid. */
  readonly parsedNodes: readonly ParsedNode[];
  readonly problems: readonly Problem[];
}

/** Replaces an id, type, end or port that could not be read, which parsing reported already. Valid ones are never empty. */
export const unread = '';

/** Node definitions by type. */
export type NodeTypes = ReadonlyMap<string, NodeDefinition>;

/** Indexes node definitions by their type. */
export const nodeTypes = (definitions: readonly NodeDefinition[]): NodeTypes =>
  new Map(definitions.map((definition) => [definition.type, definition]));

/** A node whose edges are being resolved. */
interface ConnectableNode extends CompiledNode {
  readonly targets: Map<string, CompiledNode>;
}

/** The references of all nodes to what lies outside the canvas: workflows, templates, credentials, functions. */
export const referencesOf = ({ nodes }: Pick<CompiledCanvas, 'nodes'>): readonly Reference[] =>
  [...nodes.values()].flatMap(({ definition, config }) => definition.references(config));

/**
 * Compiles a canvas: parses every config, compiles every template, resolves every edge. What cannot be compiled is left out and reported as
 * a problem. Linear in the canvas.
 *
 * @param hash - the version's, from `canvasHash`
 */
export function compileCanvas(
  given: Canvas,
  hash: string,
  types: NodeTypes,
  digest: Digest = portableDigest,
  resumeUrl?: WriteResumeUrl,
): Compilation {
  const { canvas, problems: upgradeProblems, from } = upgradeCanvas(given, types);
  const problems: Problem[] = [...upgradeProblems];
  const parsedNodes: ParsedNode[] = [];
  const nodes = new Map<string, ConnectableNode>();
  const seen = new Set<string>();
  let edgesBySource: ReadonlyMap<string, readonly CanvasEdge[]> | undefined; // needed for partly invalid nodes alone
  const listEdges = (id: string) => (edgesBySource ??= Map.groupBy(canvas.edges, ({ source }) => source)).get(id) ?? [];
  for (const [index, node] of canvas.nodes.entries()) {
    const isDuplicate = node.id !== unread && seen.has(node.id);
    if (isDuplicate) problems.push(problem('DUPLICATE_NODE_ID', ['nodes', index, 'id'], `Two nodes have the id "${node.id}"`, node.id));
    seen.add(node.id);
    if (node.type === unread) continue;
    const definition = types.get(node.type);
    if (definition === undefined) {
      const message = `There is no node type "${node.type}"; there are ${joinNames([...types.keys()], 40)}`;
      problems.push(problem('UNKNOWN_NODE_TYPE', ['nodes', index, 'type'], message, node.id));
      continue;
    }
    const before = problems.length;
    const parsed = readNode(node, index, definition, problems);
    const written = from.get(index);
    if (written !== undefined)
      for (const found of problems.splice(before))
        problems.push({ ...found, message: `${found.message} (after the "upgrade" from version ${written})` });
    parsedNodes.push(parsed);
    const compiled = node.id === unread || isDuplicate ? undefined : compileNode(parsed, problems);
    const isValid = parsed.wrong.length === 0;
    if (compiled !== undefined && (isValid || hasPortsOf(compiled, listEdges(node.id)))) nodes.set(node.id, compiled);
  }
  if (canvas.nodes.length > 0) resolveEdges(canvas, seen, nodes, problems);
  const visitable = [...nodes.values()].filter(({ definition }) => !definition.isRemark);
  const entered = new Set(visitable.flatMap(({ targets }) => [...targets.values()]));
  const listEntries = (kind: string) => visitable.filter(({ definition }) => definition.entry?.kind === kind);
  return {
    compiled: {
      canvas,
      hash,
      nodes,
      starts: listEntries('message'),
      webhook: listEntries('webhook')[0],
      catcher: listEntries('catch')[0],
      callable: visitable.filter(
        (node) => node.definition.callback !== undefined && (node.definition.entry === undefined || entered.has(node)),
      ),
      sessionExpiryMs: parseKeptDurationMs(canvas.settings.sessionExpiry ?? ''),
      digest,
      resumeUrl,
      mayReadCampaign: /\$campaign|"workflowId"/.test(JSON.stringify(canvas.nodes)),
    },
    parsedNodes,
    problems,
  };
}

/** @param problems - where it is reported that the definition threw at the config */
function compileNode({ id, type, index, definition, read }: ParsedNode, problems: Problem[]): ConnectableNode | undefined {
  if (read === undefined) return undefined;
  try {
    const ports = definition.ports(read.config);
    const optionalPorts = definition.optionalPorts(read.config);
    const taken = new Set<string>();
    const fault = describePorts(ports, taken) ?? describePorts(optionalPorts, taken);
    if (fault !== undefined) throw new TypeError(`its ports ${fault}`);
    const nameSize = sizeOf(id) + sizeOf(type);
    const takesErrors = optionalPorts.includes('error');
    const visit = definition.compile(read.config);
    return { id, type, index, definition, ...read, visit, nameSize, ports, optionalPorts, takesErrors, targets: new Map() };
  } catch (error) {
    problems.push(describeFault({ index, id, type }, error));
    return undefined;
  }
}

/** Whether every edge of a partly invalid node leaves by a port that its valid part has: then its ports are known. */
const hasPortsOf = (node: ConnectableNode, edges: readonly CanvasEdge[]): boolean =>
  edges.every((edge) => edge.sourceHandle === unread || hasPort(node, resolvePort(edge, node) ?? unread));

const hasPort = ({ ports, optionalPorts }: CompiledNode, port: string): boolean => ports.includes(port) || optionalPorts.includes(port);

const listPorts = ({ ports, optionalPorts }: CompiledNode): readonly string[] => [...new Set([...ports, ...optionalPorts])];

/** The problem of an edge that leaves by no port of its source: it names none of several, or one that is not there. */
function describeWrongPort(source: CompiledNode, port: string | undefined, index: number): Problem {
  const ports = listPorts(source);
  const [id, place] = [source.id, ['edges', index]];
  if (port !== undefined) {
    const choice = ports.length === 0 ? 'it has none' : `it has ${joinNames(ports)}`;
    return problem('UNKNOWN_PORT', [...place, 'sourceHandle'], `Node "${id}" has no port "${port}"; ${choice}`, id);
  }
  return ports.length === 0
    ? problem('UNKNOWN_PORT', place, `Node "${id}" has no ports, so that no edge can leave it`, id)
    : problem('PORT_NOT_NAMED', place, `The edge must say which port of "${id}" it leaves by: ${joinNames(ports)}`, id);
}

/** Resolves every edge to its port and its node, and reports those that cannot be. */
function resolveEdges(canvas: Canvas, known: ReadonlySet<string>, nodes: ReadonlyMap<string, ConnectableNode>, problems: Problem[]): void {
  const brokenPorts = new Set<string>(); // whose edge leads to no visitable node
  const formatKey = (source: CompiledNode, port: string): string => `${source.index} ${port}`;
  for (const [index, edge] of canvas.edges.entries()) {
    const [source, target] = [nodes.get(edge.source), nodes.get(edge.target)];
    if (source === undefined || target === undefined)
      for (const end of ['source', 'target'] as const) {
        if (edge[end] !== unread && !known.has(edge[end]) && !known.has(unread))
          // else it may be the node without a readable id
          problems.push(problem('EDGE_TO_NOTHING', ['edges', index, end], `The edge's ${end} "${edge[end]}" is no node of this canvas`));
      }
    if (source === undefined || edge.sourceHandle === unread) continue;
    const port = resolvePort(edge, source);
    if (port === undefined || !hasPort(source, port)) {
      problems.push(describeWrongPort(source, port, index));
    } else if (known.has(edge.target) && (source.targets.has(port) || (brokenPorts.size > 0 && brokenPorts.has(formatKey(source, port))))) {
      problems.push(problem('SECOND_EDGE', ['edges', index], `Port "${port}" of "${source.id}" has an edge already`, source.id));
    } else if (target?.definition.isRemark === true) {
      const message = `The edge leads to "${target.id}", which is a note and cannot be visited`;
      problems.push(problem('EDGE_TO_NOTHING', ['edges', index, 'target'], message, source.id));
    } else if (target !== undefined) {
      source.targets.set(port, target);
      continue;
    }
    if (port !== undefined) brokenPorts.add(formatKey(source, port));
  }
}

/** The port that an edge leaves by: the named one, or the only one; `undefined` when it must be named and is not. */
export function resolvePort({ sourceHandle }: CanvasEdge, { ports, optionalPorts }: CompiledNode): string | undefined {
  if (typeof sourceHandle === 'string') return sourceHandle;
  if (ports.length === 1) return ports[0];
  return ports.length === 0 && optionalPorts.length === 1 ? optionalPorts[0] : undefined;
}
