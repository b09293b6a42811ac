import type { CanvasEdge } from '../contract/canvas.ts';
import type { NodeDefinition } from '../contract/node.ts';
import type { WayStep } from '../contract/problem.ts';
import { parsePath, type Path } from '../variables/path.ts';
import { type CompiledCanvas, type CompiledNode, type NodeTypes, resolvePort, unread } from './compile.ts';
import type { ParsedNode } from './read-node.ts';

/** An edge of the control-flow graph: a step from one node to the next, as far as it is known before anything runs. */
export interface GraphEdge {
  readonly port: string | undefined;
  /** The port that the node is left by: one without an edge of its own goes on along `error`. */
  readonly by: string | undefined;
  /** The index of the node that it leads to, in the graph. */
  readonly target: number;
  /** Whether it is taken without a wait or a bound: a cycle of such edges alone is a busy loop. */
  readonly isImmediate: boolean;
  /** The paths that are surely written when it is taken; `undefined` when that is unknown. */
  readonly writes: readonly Path[] | undefined;
}

/**
 * A node of the control-flow graph. An entry whose ports differ from those in the middle of a flow, such as a webhook, is two of them: one
 * as an entry and one as a step.
 */
export interface GraphNode {
  readonly id: string;
  readonly type: string;
  /** The index of the node in the canvas. */
  readonly index: number;
  /** `undefined` when the node could not be compiled: that is reported elsewhere, and nothing is assumed about it. */
  readonly compiled: CompiledNode | undefined;
  /** `undefined` for an unknown type. */
  readonly parsed: ParsedNode | undefined;
  readonly isEntry: boolean;
  /** Whether an execution may end here, now or once its unconnected ports have edges. */
  readonly isExit: boolean;
  /** Ports that have an edge. */
  readonly connected: ReadonlySet<string | undefined>;
  /** Ports that must have an edge and have none. */
  readonly missing: readonly string[];
  readonly outgoing: readonly GraphEdge[];
}

/** The control-flow graph of a canvas: its nodes in their order, without notes and duplicates, then the entries that are nodes of their own. */
export type Graph = readonly GraphNode[];

type EntryKind = NonNullable<NodeDefinition['entry']>['kind'];

/** Whether nodes of this type are entries of this kind; an unknown type may be any. */
export const mayBeEntry = (entry: EntryKind, type: string, types: NodeTypes): boolean =>
  !types.has(type) || types.get(type)?.entry?.kind === entry;

/** Builds the control-flow graph of a canvas, in time linear in its size. */
export function buildGraph({ canvas, nodes, webhook }: CompiledCanvas, parsedNodes: readonly ParsedNode[], types: NodeTypes): Graph {
  const positions = new Map<string, number>();
  const sources: { readonly id: string; readonly type: string; readonly index: number }[] = [];
  for (const [index, { id, type }] of canvas.nodes.entries()) {
    if (id === unread || positions.has(id) || types.get(type)?.isRemark === true) continue;
    positions.set(id, sources.length);
    sources.push({ id, type, index });
  }
  const edgesBySource = Map.groupBy<string, CanvasEdge>(canvas.edges, ({ source }) => source);
  const targetIds = new Set<string>(canvas.edges.map(({ target }) => target));
  const mayHave = (entry: EntryKind) => canvas.nodes.some(({ type }) => mayBeEntry(entry, type, types));
  const hasStart = mayHave('message');
  const webhookWrites =
    webhook === undefined ? (mayHave('webhook') ? undefined : []) : parsePaths(webhook.definition.writes(webhook.config)['resume']);
  const parsedByIndex = new Map(parsedNodes.map((node) => [node.index, node]));

  const separateEntries: GraphNode[] = [];
  const graphNodes = sources.map(({ id, type, index }): GraphNode => {
    const compiled = nodes.get(id);
    const known = { id, type, index, compiled, parsed: parsedByIndex.get(index) };
    const edges = edgesBySource.get(id) ?? [];
    if (compiled === undefined) {
      const outgoing = edges.flatMap((edge) => assumeEdge(positions.get(edge.target), assumeWrites(known.parsed, edge)));
      const isEntry = !types.has(type) || types.get(type)?.entry !== undefined;
      const connected = new Set(edges.map(({ sourceHandle }) => sourceHandle ?? undefined));
      return { ...known, isEntry, isExit: true, connected, missing: [], outgoing };
    }
    const { entry, portsWhenEntered } = compiled.definition;
    const connected = new Set(edges.map((edge) => resolvePort(edge, compiled)));
    const outgoing = edges.flatMap(createEdges(known.parsed, compiled, connected, positions, webhookWrites));
    const unreadPorts = edges.filter(({ sourceHandle }) => sourceHandle === unread).length;
    const build = (required: readonly string[], isEntry: boolean, isOwn: (port: string | undefined) => boolean = () => true): GraphNode => {
      const unconnected = required.filter((port) => !connected.has(port));
      const missing = unconnected.length <= unreadPorts ? [] : unconnected; // an edge with an unreadable port may be any port’s
      const isExit = required.length === 0 || unconnected.length > 0 || edges.some(({ target }) => !positions.has(target));
      return { ...known, isEntry, isExit, connected, missing, outgoing: outgoing.filter(({ port }) => isOwn(port)) };
    };
    if (entry === undefined || portsWhenEntered.length === 0) return build(compiled.ports, entry !== undefined);

    const entryPorts = new Set<string | undefined>(compiled.ports);
    separateEntries.push(build(compiled.ports, true, (port) => entryPorts.has(port)));
    // A canvas without a start that another workflow calls begins at the webhook, and waits there for a request.
    return build(targetIds.has(id) ? portsWhenEntered : [], !hasStart, (port) => !entryPorts.has(port));
  });
  return [...graphNodes, ...separateEntries, ...createUnknownSource(canvas, positions)];
}

/** The graph of a canvas with unreadable edges: any edge may exist, so that any node's writes may be made anywhere. */
export function buildGraphWithoutEdges(parsedNodes: readonly ParsedNode[]): Graph {
  const nodes = parsedNodes.filter(({ definition }) => !definition.isRemark);
  const written = nodes.map((node) => assumeWrites(node, {}));
  const writes = written.includes(undefined) ? undefined : written.flatMap((paths = []) => paths);
  const common = { compiled: undefined, isExit: true, connected: new Set<string>(), missing: [] };
  return [
    ...nodes.map((parsed) => ({ ...common, id: parsed.id, type: parsed.type, index: parsed.index, parsed, isEntry: false, outgoing: [] })),
    { ...common, ...unknownNode, isEntry: true, outgoing: nodes.flatMap((_, position) => assumeEdge(position, writes)) },
  ];
}

const unknownNode = { id: unread, type: unread, index: -1, parsed: undefined };

/** One entry that stands for every node without a readable id, with the edges that leave such nodes: assumed to write everything. */
function createUnknownSource({ nodes, edges }: CompiledCanvas['canvas'], positions: ReadonlyMap<string, number>): readonly GraphNode[] {
  const hasUnreadId = nodes.some(({ id }) => id === unread);
  const leaving = edges.filter(({ source }) => source === unread || (hasUnreadId && !positions.has(source)));
  if (leaving.length === 0) return [];
  const outgoing = leaving.flatMap(({ target }) => assumeEdge(positions.get(target)));
  return [{ ...unknownNode, compiled: undefined, isEntry: true, isExit: true, connected: new Set(), missing: [], outgoing }];
}

/** An edge whose node or port is invalid, which is reported elsewhere: never part of a busy loop. An edge to no node is left out. */
const assumeEdge = (target: number | undefined, writes?: readonly Path[]): readonly GraphEdge[] =>
  target === undefined ? [] : [{ port: undefined, by: undefined, target, isImmediate: false, writes }];

/** What a node with unknown ports writes on an edge, or may write; `undefined` when that may be anything. */
function assumeWrites(parsed: ParsedNode | undefined, { sourceHandle }: Pick<CanvasEdge, 'sourceHandle'>): readonly Path[] | undefined {
  if (parsed?.mayWrite === undefined || parsed.definition.webhookPorts.length > 0) return undefined;
  const { read, mayWrite, definition } = parsed;
  const written = read === undefined ? {} : definition.writes(read.config);
  const paths = typeof sourceHandle === 'string' ? getWrites(written, sourceHandle) : undefined;
  return [...mayWrite, ...parsePaths(paths ?? Object.values(written).flat())];
}

/** What is written at a port. A port may be called as a method of every object is, such as `toString`. */
const getWrites = (written: ReturnType<NodeDefinition['writes']>, port: string): readonly string[] | undefined =>
  Object.hasOwn(written, port) ? written[port] : undefined;

/** The graph's edges along each edge of a node: by its own port, and along `error` also by every optional port that has no edge. */
function createEdges(
  parsed: ParsedNode | undefined,
  node: CompiledNode,
  connected: ReadonlySet<string | undefined>,
  positions: ReadonlyMap<string, number>,
  webhookWrites: readonly Path[] | undefined,
): (edge: CanvasEdge) => readonly GraphEdge[] {
  const { definition, config, common, ports, optionalPorts, takesErrors } = node;
  const knownPorts = new Set([...ports, ...optionalPorts]);
  const boundedPorts = new Set([...definition.waitsBefore(config), ...definition.boundedPorts]);
  const written = definition.writes(config);
  const heard = new Set(definition.heardBefore(config));
  const portsToError = ['error', ...optionalPorts.filter((port) => !connected.has(port))];
  const listWrites = (port: string): readonly Path[] | undefined => {
    if (parsed?.mayWrite === undefined || (webhookWrites === undefined && definition.webhookPorts.includes(port))) return undefined;
    return [
      ...parsePaths(getWrites(written, port)),
      ...parsed.mayWrite,
      ...(heard.has(port) ? [['$message']] : []),
      ...(definition.webhookPorts.includes(port) ? (webhookWrites ?? []) : []),
    ];
  };
  return (edge) => {
    const port = resolvePort(edge, node);
    const target = positions.get(edge.target);
    if (target === undefined || port === undefined || !knownPorts.has(port)) return assumeEdge(target);
    // A branch may be called "error" at a node that has no such port for its failures.
    const isForErrors = port === 'error' && takesErrors;
    if (isForErrors && common.onError === 'fail') return [];
    const left = isForErrors ? portsToError : [port];
    return left.map((by) => ({ port, by, target, isImmediate: !boundedPorts.has(by), writes: listWrites(by) }));
  };
}

/** Dotted paths as their steps. */
export const parsePaths = (texts: readonly string[] = []): readonly Path[] =>
  texts.map((text) => parsePath(text)).filter((path) => path !== undefined);

/** The node ids on a way; of more than 12, the first `head` and the last `11 - head` ones. */
export function formatWay(graph: Graph, positions: readonly number[], head: number): string {
  const ids = (part: readonly number[]) => part.map((position) => graph[position]?.id ?? '');
  return (positions.length > 12 ? [...ids(positions.slice(0, head)), '…', ...ids(positions.slice(head - 11))] : ids(positions)).join(' → ');
}

/** Steps in the ways of all problems together; the ways of later problems are left out. */
const maxSteps = 20_000;

/** Describes ways through a graph by node id and port, until together they have {@link maxSteps} steps. */
export function createWayDescriber(graph: Graph) {
  let left = maxSteps;
  /** @param isTaken - which edges the way may take; between two nodes it takes the first of them */
  return (positions: readonly number[], isTaken: (edge: GraphEdge) => boolean = () => true): { readonly way?: readonly WayStep[] } => {
    if (positions.length === 0 || positions.length > left) return {};
    left -= positions.length;
    const way = positions.flatMap((position, index): readonly WayStep[] => {
      const { id: nodeId = unread, outgoing = [] } = graph[position] ?? {};
      const next = positions[index + 1];
      const port = next === undefined ? undefined : outgoing.find((edge) => edge.target === next && isTaken(edge))?.port;
      return nodeId === unread ? [] : [{ nodeId, ...(port !== undefined && { port }) }];
    });
    return { way };
  };
}

export type DescribeWay = ReturnType<typeof createWayDescriber>;
