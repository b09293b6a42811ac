import type { Canvas, CanvasEdge, CanvasNode } from '../contract/canvas.ts';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';
import { pointer } from '../contract/problem.ts';

/** A value that differs. `before` is left out for a new value, `after` for a removed one. */
export interface ChangedField {
  /** JSON pointer (RFC 6901): into the node for a field of a node, into the canvas for one of its own. */
  readonly pointer: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** A node that differs. */
export interface ChangedNode {
  readonly nodeId: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** `type` and the fields of `data`; for an added or removed node, all of it. */
  readonly fields: readonly ChangedField[];
}

/** The target of a port: `before` is left out when it had no edge, `after` when it has none now. */
export interface ChangedEdge {
  readonly source: string;
  /** Left out when the edge names none: then the node has one port. */
  readonly port?: string;
  readonly before?: string;
  readonly after?: string;
}

/** The differences between two canvases. */
export interface CanvasDiff {
  readonly nodes: readonly ChangedNode[];
  readonly edges: readonly ChangedEdge[];
  /** Differences of the other fields: name, settings, variables and so on. */
  readonly settings: readonly ChangedField[];
}

/**
 * Compares the behaviour of two canvases. Layout and the order of nodes and edges do not count: the diff is empty exactly when both have the
 * same `canvasHash`. Pure, and linear in both.
 */
export function diffCanvases(before: Canvas, after: Canvas): CanvasDiff {
  return {
    nodes: pair(before.nodes, after.nodes, ({ id }) => id).flatMap(([old, now]): readonly ChangedNode[] => {
      const fields = changedFields(old && pickBehaviour(old), now && pickBehaviour(now));
      const nodeId = (now ?? old)?.id ?? '';
      return fields.length === 0 ? [] : [{ nodeId, kind: old === undefined ? 'added' : now === undefined ? 'removed' : 'changed', fields }];
    }),
    edges: changedEdges(before.edges, after.edges),
    settings: changedFields(pickRootFields(before), pickRootFields(after)),
  };
}

const pickBehaviour = ({ type, version = 1, data }: CanvasNode): JsonObject => ({ type, ...(version !== 1 && { version }), data });

function pickRootFields({ $schema: _schema, viewport: _viewport, nodes: _nodes, edges: _edges, ...rest }: Canvas): JsonObject {
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Pairs the items of two lists by name, in the order of the first list; items of one name are paired in their order. */
function pair<Item>(
  before: readonly Item[],
  after: readonly Item[],
  nameOf: (item: Item) => string,
): readonly (readonly [Item | undefined, Item | undefined])[] {
  const rest = Map.groupBy(after, nameOf);
  const kept = before.map((item) => [item, rest.get(nameOf(item))?.shift()] as const);
  return [...kept, ...[...rest.values()].flat().map((item) => [undefined, item] as const)];
}

/** Each port whose target differs. A port that has several edges, as a draft may, has several entries. */
function changedEdges(before: readonly CanvasEdge[], after: readonly CanvasEdge[]): readonly ChangedEdge[] {
  const nameOf = ({ source, sourceHandle }: CanvasEdge): string => `${source}\0${sourceHandle ?? ''}`;
  const identityOf = (edge: CanvasEdge): string => `${nameOf(edge)}\0${edge.target}`;
  const differing = pair(before, after, identityOf).filter(([old, now]) => old === undefined || now === undefined);
  const removed = differing.flatMap(([old]) => (old === undefined ? [] : [old]));
  const added = differing.flatMap(([, now]) => (now === undefined ? [] : [now]));
  return pair(removed, added, nameOf).flatMap(([old, now]): readonly ChangedEdge[] => {
    const edge = old ?? now;
    if (edge === undefined) return [];
    const { source, sourceHandle: port } = edge;
    return [{ source, ...(typeof port === 'string' && { port }), ...(old && { before: old.target }), ...(now && { after: now.target }) }];
  });
}

/** The smallest values that differ, at any depth. Lists are compared item by item, by index. */
function changedFields(before: Json | undefined, after: Json | undefined, at: readonly (string | number)[] = []): readonly ChangedField[] {
  if (before === after) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const [old, now]: readonly (readonly Json[])[] = [before, after];
    return Array.from({ length: Math.max(before.length, after.length) }, (_, index) =>
      changedFields(old?.[index], now?.[index], [...at, index]),
    ).flat();
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => changedFields(getOwn(before, key), getOwn(after, key), [...at, key]));
  }
  return [{ pointer: pointer(at), ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
}

const getOwn = (object: JsonObject, key: string): Json | undefined => (Object.hasOwn(object, key) ? object[key] : undefined);
