import { isSameJson, type JsonObject } from '../contract/json.ts';
import type { CanvasDifference } from '../contract/migration.ts';
import type { CompiledCanvas, CompiledNode } from './compile.ts';
import { canonical } from './hash.ts';
import { reach } from './walk.ts';

/** What one node of the version before differs in, by itself. */
export type LocalDifference = Omit<CanvasDifference, 'way'>;

/** Two versions of a canvas, compared once for all executions. */
export interface Comparison {
  /** The nearest difference that an execution at this node may come to; none where every future is the same. */
  differenceFrom(nodeId: string, isCaught: boolean): CanvasDifference | undefined;
  /** The nodes of the version before that the other does not have as they are, by id. */
  readonly local: ReadonlyMap<string, LocalDifference>;
  /** Whether nothing differs, wherever an execution stands. */
  readonly isSame: boolean;
  /** The id that a node of the version before has in the other. */
  nameOf(nodeId: string): string;
}

/** Renamed nodes: the id before, and the id after. */
export type Renames = { readonly [before: string]: string };

/**
 * Compares two versions of a canvas, for executions that wait in the first. Two nodes are the same when type, data and connected ports are,
 * each port leading to the same node; an execution has the same future when no other node can be reached from where it waits. So it is a
 * bisimulation whose relation is given in advance, and costs one comparison of each node and one search backwards from all that differ.
 * What only a start looks at (declared inputs and defaults, channels, nodes that cannot be reached) does not count.
 */
export function compareCanvases(before: CompiledCanvas, after: CompiledCanvas, renames: Renames = {}): Comparison {
  const nameOf = (id: string): string => (Object.hasOwn(renames, id) ? (renames[id] ?? id) : id);
  const nodes = [...before.nodes.values()];
  const isWebhookSame = hasSameWebhook(before, after);
  const local = new Map<string, LocalDifference>();
  for (const node of nodes) {
    const difference = findLocalDifference(before, after, node, nameOf, isWebhookSame);
    if (difference !== undefined) local.set(node.id, { nodeId: node.id, ...difference });
  }
  const findWay = createWayFinder(nodes, local);
  const ofCatch = findCatchDifference(before, after, nameOf, findWay);
  const ofAll = findSettingsDifference(before, after) ?? (isWebhookSame ? undefined : describeWebhook(before, after));
  return {
    local,
    isSame: local.size === 0 && ofCatch === undefined && ofAll === undefined,
    nameOf,
    differenceFrom: (nodeId, isCaught) => findWay(nodeId) ?? (isCaught ? undefined : ofCatch) ?? ofAll,
  };
}

function findLocalDifference(
  before: CompiledCanvas,
  after: CompiledCanvas,
  node: CompiledNode,
  nameOf: (id: string) => string,
  isWebhookSame: boolean,
): Omit<LocalDifference, 'nodeId'> | undefined {
  const other = after.nodes.get(nameOf(node.id));
  if (other === undefined) return { kind: 'gone' };
  if (node.type !== other.type) return { kind: 'type' };
  const field = findDifferentField(dataOf(before, node), dataOf(after, other));
  if (field !== undefined) return { kind: 'data', field };
  for (const [port, target] of node.targets) if (other.targets.get(port)?.id !== nameOf(target.id)) return { kind: 'port', port };
  for (const port of other.targets.keys()) if (!node.targets.has(port)) return { kind: 'port', port };
  if (losesAddress(before, node, other.id)) return { kind: 'webhook' };
  const { entry, webhookPorts } = node.definition;
  return (entry?.kind === 'webhook' || webhookPorts.length > 0) && !isWebhookSame ? { kind: 'webhook' } : undefined;
}

/**
 * Whether calls would no longer find a node under its new name: an address that `resumeUrl` gave names the node for which it is, and somebody
 * outside has it. A canvas that gives no address has none to lose.
 */
export const losesAddress = ({ canvas: { nodes } }: CompiledCanvas, { id, definition }: CompiledNode, name: string): boolean =>
  id !== name && definition.callback !== undefined && nodes.some(({ data }) => JSON.stringify(data).includes('resumeUrl'));

/** Renames that two versions suggest: nodes that are gone, each with the only new one of its type and data. */
export function suggestRenames(before: CompiledCanvas, after: CompiledCanvas, known: Renames = {}): Renames {
  const taken = new Set(Object.values(known));
  const fresh = [...after.nodes.values()].filter(({ id }) => !before.nodes.has(id) && !taken.has(id));
  const suggested: { [before: string]: string } = {};
  for (const node of before.nodes.values()) {
    if (after.nodes.has(node.id) || known[node.id] !== undefined || node.id === before.webhook?.id) continue;
    const like = fresh.filter(({ id, type, index }) => {
      const isSame = type === node.type && findDifferentField(dataOf(before, node), dataOf(after, { index })) === undefined;
      return isSame && !taken.has(id);
    });
    const [only, another] = like;
    if (only === undefined || another !== undefined) continue;
    suggested[node.id] = only.id;
    taken.add(only.id);
  }
  return suggested;
}

const dataOf = ({ canvas }: CompiledCanvas, { index }: Pick<CompiledNode, 'index'>): JsonObject => canvas.nodes[index]?.data ?? {};

/** What people read on the canvas is no behaviour. */
const remarks: ReadonlySet<string> = new Set(['label', 'notes']);

function findDifferentField(before: JsonObject, after: JsonObject): string | undefined {
  for (const field in before) if (!remarks.has(field) && !isSameJson(before[field], after[field])) return field;
  for (const field in after) if (!remarks.has(field) && !Object.hasOwn(before, field)) return field;
  return undefined;
}

/**
 * Whether both have the same webhook. It counts for every execution, also where it can no longer come to it: a late request that names the
 * execution is answered by its configuration, and a child hands back by it (WEB-15, WEB-17, WEB-23).
 */
function hasSameWebhook(before: CompiledCanvas, after: CompiledCanvas): boolean {
  const [one, other] = [before.webhook, after.webhook];
  if (one === undefined || other === undefined) return one === other;
  return one.id === other.id && one.type === other.type && findDifferentField(dataOf(before, one), dataOf(after, other)) === undefined;
}

const describeWebhook = ({ webhook }: CompiledCanvas, after: CompiledCanvas): CanvasDifference => ({
  nodeId: webhook?.id ?? after.webhook?.id ?? '',
  kind: 'webhook',
  way: [],
});

function findSettingsDifference({ canvas: before }: CompiledCanvas, { canvas: after }: CompiledCanvas): CanvasDifference | undefined {
  const differing = { nodeId: '', kind: 'settings', way: [] } as const;
  if (before.kind !== after.kind) return { ...differing, field: 'kind' };
  for (const field of ['outputs', 'sessionExpiry'] as const)
    if (canonical(before.settings[field] ?? null) !== canonical(after.settings[field] ?? null)) return { ...differing, field };
  return undefined;
}

/** What an execution comes to by a failure that no port takes: `catch` must correspond, and so must all that follows it. */
function findCatchDifference(
  { catcher }: CompiledCanvas,
  after: CompiledCanvas,
  nameOf: (id: string) => string,
  findWay: FindWay,
): CanvasDifference | undefined {
  const isSame = catcher === undefined ? after.catcher === undefined : nameOf(catcher.id) === after.catcher?.id;
  if (!isSame) return { nodeId: catcher?.id ?? after.catcher?.id ?? '', kind: 'catch', way: [] };
  return catcher === undefined ? undefined : findWay(catcher.id);
}

type FindWay = (nodeId: string) => CanvasDifference | undefined;

/** Finds the shortest way from a node to one that differs, each once: the search begins at all of these. */
function createWayFinder(nodes: readonly CompiledNode[], local: ReadonlyMap<string, LocalDifference>): FindWay {
  const positions = new Map(nodes.map(({ id }, position) => [id, position]));
  const sources: number[][] = nodes.map(() => []);
  for (const [position, { targets }] of nodes.entries())
    for (const target of new Set(targets.values())) sources[positions.get(target.id) ?? 0]?.push(position);
  const differing = [...local.keys()].map((id) => positions.get(id) ?? 0);
  const towards = reach(nodes.length, differing, (position) => sources[position] ?? []);
  const known = new Map<string, CanvasDifference | undefined>();
  const trace = (nodeId: string): CanvasDifference | undefined => {
    let position = positions.get(nodeId) ?? -1;
    if ((towards[position] ?? -1) === -1) return undefined;
    const way = [nodeId];
    for (let next = towards[position] ?? -1; next !== position; next = towards[position] ?? -1) {
      position = next;
      way.push(nodes[position]?.id ?? '');
    }
    const difference = local.get(way.at(-1) ?? '');
    return difference === undefined ? undefined : { ...difference, way };
  };
  return (nodeId) => {
    if (!known.has(nodeId)) known.set(nodeId, trace(nodeId));
    return known.get(nodeId);
  };
}
