import type { CanvasEdge } from '../contract/canvas.ts';
import type { NodeDefinition } from '../contract/node.ts';
import { parsePath, type Path } from '../variables/path.ts';
import { type CompiledCanvas, type CompiledNode, type NodeTypes, portOf } from './compile.ts';

/** A way out of a place, as far as it can be seen before anything runs. */
export interface Way {
  readonly port: string | undefined;
  /** The position of the place it leads to. */
  readonly target: number;
  /** Whether it may be taken at once and any number of times: a cycle of such ways alone is a busy loop. */
  readonly isFree: boolean;
  /** What is surely written when it is taken; `undefined` where that cannot be known. */
  readonly writes: readonly Path[] | undefined;
}

/**
 * Where an execution can stand: a node; or a node at which it begins, when it then leaves by other ports than in the
 * middle of a flow, as it does at a webhook.
 */
export interface Place {
  readonly id: string;
  readonly type: string;
  /** The position of the node in the canvas. */
  readonly index: number;
  /** `undefined` when the node could not be compiled: that is told elsewhere, and nothing is guessed about it. */
  readonly compiled: CompiledNode | undefined;
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

/** Whether an execution can begin at a node of this type in this way: what has no known type may be meant as any. */
export const mayBe = (entry: EntryKind, type: string, types: NodeTypes): boolean =>
  !types.has(type) || types.get(type)?.entry?.kind === entry;

/** Makes the graph of a canvas, linear in its size. */
export function graphOf({ canvas, nodes, webhook }: CompiledCanvas, types: NodeTypes): Graph {
  const positions = new Map<string, number>();
  const sources: { readonly id: string; readonly type: string; readonly index: number }[] = [];
  for (const [index, { id, type }] of canvas.nodes.entries()) {
    if (positions.has(id) || types.get(type)?.isRemark === true) continue;
    positions.set(id, sources.length);
    sources.push({ id, type, index });
  }
  const edges = Map.groupBy<string, CanvasEdge>(canvas.edges, ({ source }) => source);
  const entered = new Set<string>(canvas.edges.map(({ target }) => target));
  const mayHave = (entry: EntryKind) => sources.some(({ type }) => mayBe(entry, type, types));
  const hasStart = mayHave('message');
  const received =
    webhook === undefined ? (mayHave('webhook') ? undefined : []) : pathsOf(webhook.definition.writes(webhook.config)['resume']);

  const beginnings: Place[] = [];
  const places = sources.map(({ id, type, index }): Place => {
    const compiled = nodes.get(id);
    const own = edges.get(id) ?? [];
    if (compiled === undefined) {
      const ways = own.flatMap(({ target }) => unclear(positions.get(target)));
      const isEntry = !types.has(type) || types.get(type)?.entry !== undefined;
      const connected = new Set(own.map(({ sourceHandle }) => sourceHandle ?? undefined));
      return { id, type, index, compiled, isEntry, isExit: true, connected, missing: [], ways };
    }
    const { entry, portsWhenEntered } = compiled.definition;
    const connected = new Set(own.map((edge) => portOf(edge, compiled)));
    const ways = own.flatMap(waysBy(compiled, connected, positions, received));
    const place = (required: readonly string[], isEntry: boolean, isTaken: (port: string | undefined) => boolean = () => true): Place => {
      const missing = required.filter((port) => !connected.has(port));
      const isExit = required.length === 0 || missing.length > 0 || own.some(({ target }) => !positions.has(target));
      return { id, type, index, compiled, isEntry, isExit, connected, missing, ways: ways.filter(({ port }) => isTaken(port)) };
    };
    if (entry === undefined || portsWhenEntered.length === 0) return place(compiled.ports, entry !== undefined);

    const begins = new Set<string | undefined>(compiled.ports);
    beginnings.push(place(compiled.ports, true, (port) => begins.has(port)));
    // A workflow that calls this one begins at the webhook where there is no start, and there waits for a request.
    return place(entered.has(id) ? portsWhenEntered : [], !hasStart, (port) => !begins.has(port));
  });
  return [...places, ...beginnings];
}

/** A way of which nothing can be known: its node or its port is told as a problem. An edge to nothing is no way at all. */
const unclear = (target: number | undefined): readonly Way[] =>
  target === undefined ? [] : [{ port: undefined, target, isFree: false, writes: undefined }];

/** The ways along each edge of a node: by its own port, and along `error` also by every optional port that has no edge. */
function waysBy(
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
  return (edge) => {
    const port = portOf(edge, node);
    const target = positions.get(edge.target);
    if (target === undefined || port === undefined || !known.has(port)) return unclear(target);
    if (port === 'error' && common.onError === 'fail') return [];
    return (port === 'error' ? towardsError : [port]).map((left) => ({
      port,
      target,
      isFree: !unhurried.has(left),
      writes: definition.webhookPorts.includes(left) ? received && [...pathsOf(written[left]), ...received] : pathsOf(written[left]),
    }));
  };
}

/** Dotted paths as their steps. */
export const pathsOf = (texts: readonly string[] = []): readonly Path[] =>
  texts.map((text) => parsePath(text)).filter((path) => path !== undefined);
