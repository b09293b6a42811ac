import type { CanvasEdge } from '../contract/canvas.ts';
import type { NodeDefinition } from '../contract/node.ts';
import type { WayStep } from '../contract/problem.ts';
import { parsePath, type Path } from '../variables/path.ts';
import { type CompiledCanvas, type CompiledNode, type NodeTypes, resolvePort, unread } from './compile.ts';
import type { LoneNode } from './read-node.ts';

/** A way out of a place, as far as it can be seen before anything runs. */
export interface Way {
  readonly port: string | undefined;
  /** The position of the place it leads to. */
  readonly target: number;
  /** Whether it may be taken at once and repeatedly: a cycle of such edges alone is a busy loop. */
  readonly isFree: boolean;
  /** The paths that are surely written when it is taken; `undefined` when that is unknown. */
  readonly writes: readonly Path[] | undefined;
}

/**
 * A place of an execution: a node; or a node as an entry, when it then leaves by other ports than in the middle of a flow, as a webhook
 * does.
 */
export interface Place {
  readonly id: string;
  readonly type: string;
  /** The position of the node in the canvas. */
  readonly index: number;
  /** `undefined` when the node could not be compiled: that is reported elsewhere, and nothing is guessed about it. */
  readonly compiled: CompiledNode | undefined;
  /** The node as far as it can be read by itself; `undefined` for an unknown type. */
  readonly lone: LoneNode | undefined;
  readonly isEntry: boolean;
  /** Whether an execution may end here, or could once the ports that miss an edge have one. */
  readonly isExit: boolean;
  /** Ports that have an edge. */
  readonly connected: ReadonlySet<string | undefined>;
  /** Ports that must have an edge and have none. */
  readonly missing: readonly string[];
  readonly ways: readonly Way[];
}

/** A canvas as it can be walked: first its nodes, in their order, without remarks and doubles; then the beginnings apart. */
export type Graph = readonly Place[];

type EntryKind = NonNullable<NodeDefinition['entry']>['kind'];

/** Whether an execution can begin at a node of this type in this way; an unknown type may be any. */
export const mayBe = (entry: EntryKind, type: string, types: NodeTypes): boolean =>
  !types.has(type) || types.get(type)?.entry?.kind === entry;

/** Makes the graph of a canvas, linear in its size. @param lone - its nodes as far as each can be read by itself */
export function buildGraph({ canvas, nodes, webhook }: CompiledCanvas, lone: readonly LoneNode[], types: NodeTypes): Graph {
  const positions = new Map<string, number>();
  const sources: { readonly id: string; readonly type: string; readonly index: number }[] = [];
  for (const [index, { id, type }] of canvas.nodes.entries()) {
    if (id === unread || positions.has(id) || types.get(type)?.isRemark === true) continue;
    positions.set(id, sources.length);
    sources.push({ id, type, index });
  }
  const edges = Map.groupBy<string, CanvasEdge>(canvas.edges, ({ source }) => source);
  const entered = new Set<string>(canvas.edges.map(({ target }) => target));
  const mayHave = (entry: EntryKind) => canvas.nodes.some(({ type }) => mayBe(entry, type, types));
  const hasStart = mayHave('message');
  const received =
    webhook === undefined ? (mayHave('webhook') ? undefined : []) : parsePaths(webhook.definition.writes(webhook.config)['resume']);
  const loneAt = new Map(lone.map((node) => [node.index, node]));

  const beginnings: Place[] = [];
  const places = sources.map(({ id, type, index }): Place => {
    const compiled = nodes.get(id);
    const known = { id, type, index, compiled, lone: loneAt.get(index) };
    const own = edges.get(id) ?? [];
    if (compiled === undefined) {
      const ways = own.flatMap((edge) => guessWay(positions.get(edge.target), guessWrites(known.lone, edge)));
      const isEntry = !types.has(type) || types.get(type)?.entry !== undefined;
      const connected = new Set(own.map(({ sourceHandle }) => sourceHandle ?? undefined));
      return { ...known, isEntry, isExit: true, connected, missing: [], ways };
    }
    const { entry, portsWhenEntered } = compiled.definition;
    const connected = new Set(own.map((edge) => resolvePort(edge, compiled)));
    const ways = own.flatMap(createWays(known, compiled, connected, positions, received));
    const unnamed = own.filter(({ sourceHandle }) => sourceHandle === unread).length;
    const place = (required: readonly string[], isEntry: boolean, isTaken: (port: string | undefined) => boolean = () => true): Place => {
      const loose = required.filter((port) => !connected.has(port));
      const missing = loose.length <= unnamed ? [] : loose; // an edge with an unreadable port may be any port’s
      const isExit = required.length === 0 || loose.length > 0 || own.some(({ target }) => !positions.has(target));
      return { ...known, isEntry, isExit, connected, missing, ways: ways.filter(({ port }) => isTaken(port)) };
    };
    if (entry === undefined || portsWhenEntered.length === 0) return place(compiled.ports, entry !== undefined);

    const begins = new Set<string | undefined>(compiled.ports);
    beginnings.push(place(compiled.ports, true, (port) => begins.has(port)));
    // A workflow that calls this one begins at the webhook where there is no start, and there waits for a request.
    return place(entered.has(id) ? portsWhenEntered : [], !hasStart, (port) => !begins.has(port));
  });
  return [...places, ...beginnings, ...collectUnknownSources(canvas, positions)];
}

/** The graph of a canvas with unreadable edges: any edge may exist, so that any node's writes may be made anywhere. */
export function buildGraphWithoutEdges(lone: readonly LoneNode[]): Graph {
  const nodes = lone.filter(({ definition }) => !definition.isRemark);
  const written = nodes.map((node) => guessWrites(node, {}));
  const writes = written.includes(undefined) ? undefined : written.flatMap((paths = []) => paths);
  const place = { compiled: undefined, isExit: true, connected: new Set<string>(), missing: [] };
  return [
    ...nodes.map((node) => ({ ...place, id: node.id, type: node.type, index: node.index, lone: node, isEntry: false, ways: [] })),
    { ...place, id: unread, type: unread, index: -1, lone: undefined, isEntry: true, ways: nodes.flatMap((_, at) => guessWay(at, writes)) },
  ];
}

/** A place for all edges of nodes without a readable id: assumed reachable, with everything written. */
function collectUnknownSources({ nodes, edges }: CompiledCanvas['canvas'], positions: ReadonlyMap<string, number>): readonly Place[] {
  const hasNameless = nodes.some(({ id }) => id === unread);
  const loose = edges.filter(({ source }) => source === unread || (hasNameless && !positions.has(source)));
  if (loose.length === 0) return [];
  const ways = loose.flatMap(({ target }) => guessWay(positions.get(target)));
  const nowhere = { id: unread, type: unread, index: -1, compiled: undefined, lone: undefined };
  return [{ ...nowhere, isEntry: true, isExit: true, connected: new Set(), missing: [], ways }];
}

/** An edge of which nothing is known: its node or its port is reported as a problem. An edge to nothing is left out. */
const guessWay = (target: number | undefined, writes?: readonly Path[]): readonly Way[] =>
  target === undefined ? [] : [{ port: undefined, target, isFree: false, writes }];

/** What a node with unknown ports writes on an edge, or may write; `undefined` when that may be anything. */
function guessWrites(lone: LoneNode | undefined, { sourceHandle }: Pick<CanvasEdge, 'sourceHandle'>): readonly Path[] | undefined {
  if (lone?.mayWrite === undefined || lone.definition.webhookPorts.length > 0) return undefined;
  const { read, mayWrite, definition } = lone;
  const written = read === undefined ? {} : definition.writes(read.config);
  const paths =
    typeof sourceHandle === 'string' && Object.hasOwn(written, sourceHandle) ? written[sourceHandle] : Object.values(written).flat();
  return [...mayWrite, ...parsePaths(paths)];
}

/** The ways along each edge of a node: by its own port, and along `error` also by every optional port that has no edge. */
function createWays(
  { lone }: Pick<Place, 'lone'>,
  node: CompiledNode,
  connected: ReadonlySet<string | undefined>,
  positions: ReadonlyMap<string, number>,
  received: readonly Path[] | undefined,
): (edge: CanvasEdge) => readonly Way[] {
  const { definition, config, common, ports, optionalPorts } = node;
  const known = new Set([...ports, ...optionalPorts]);
  const unhurried = new Set([...definition.waitsBefore(config), ...definition.boundedPorts]);
  const written = definition.writes(config);
  const towardsError = ['error', ...optionalPorts.filter((port) => !connected.has(port))];
  const listWrites = (port: string): readonly Path[] | undefined => {
    if (lone?.mayWrite === undefined || (received === undefined && definition.webhookPorts.includes(port))) return undefined;
    return [...parsePaths(written[port]), ...lone.mayWrite, ...(definition.webhookPorts.includes(port) ? (received ?? []) : [])];
  };
  return (edge) => {
    const port = resolvePort(edge, node);
    const target = positions.get(edge.target);
    if (target === undefined || port === undefined || !known.has(port)) return guessWay(target);
    if (port === 'error' && common.onError === 'fail') return [];
    return (port === 'error' ? towardsError : [port]).map((left) => ({
      port,
      target,
      isFree: !unhurried.has(left),
      writes: listWrites(left),
    }));
  };
}

/** Dotted paths as their steps. */
export const parsePaths = (texts: readonly string[] = []): readonly Path[] =>
  texts.map((text) => parsePath(text)).filter((path) => path !== undefined);

/** More steps of ways than anyone follows: those of later problems are left out. */
const mostSteps = 20_000;

/** Gives ways of a graph as the author sees them, as long as all of them together are not too long. */
export function createWayTeller(graph: Graph) {
  let left = mostSteps;
  /** @param isTaken - which ways out of a place are meant; the first of them to the next place is */
  return (positions: readonly number[], isTaken: (way: Way) => boolean = () => true): { readonly way?: readonly WayStep[] } => {
    if (positions.length === 0 || positions.length > left) return {};
    left -= positions.length;
    const way = positions.flatMap((position, index): readonly WayStep[] => {
      const { id: nodeId = unread, ways = [] } = graph[position] ?? {};
      const next = positions[index + 1];
      const port = next === undefined ? undefined : ways.find((each) => each.target === next && isTaken(each))?.port;
      return nodeId === unread ? [] : [{ nodeId, ...(port !== undefined && { port }) }];
    });
    return { way };
  };
}

export type WayTeller = ReturnType<typeof createWayTeller>;
