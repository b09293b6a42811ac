import type { Json, JsonObject } from '@hilo/engine/contract';
import { type CanvasJson, type EdgeJson, isPinned, type NodeJson, type Point } from './canvas-json.ts';

/**
 * What an author does to a canvas. Each command is a pure function from a canvas to the next; what it does not touch keeps its identity, so
 * that cards that have not changed are not drawn again.
 */
export type Command = (canvas: CanvasJson) => CanvasJson;

/** A port of a node. */
export interface PortRef {
  readonly nodeId: string;
  readonly port: string;
  /** Whether an edge that names no port leaves by this one. */
  readonly isUnnamed?: boolean;
}

const grid = 8;
export const snap = ({ x, y }: Point): Point => ({ x: Math.round(x / grid) * grid, y: Math.round(y / grid) * grid });

/** An id that no node of the canvas has: the type, and a number from the second on. */
export function freshNodeId(canvas: CanvasJson, type: string, taken: ReadonlySet<string> = new Set()): string {
  const ids = new Set(canvas.nodes.map(({ id }) => id));
  const base = /^[A-Za-z0-9_:-]{1,100}$/.test(type) ? type : 'node';
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!ids.has(id) && !taken.has(id)) return id;
  }
}

export const addNode =
  (node: NodeJson, from?: PortRef): Command =>
  (canvas) => {
    const added = { ...canvas, nodes: [...canvas.nodes, node] };
    return from === undefined ? added : connect(from, node.id)(added);
  };

/** Puts a node onto an edge: what the edge's port led to is now what the new node's first port leads to. */
export const insertOnEdge =
  (node: NodeJson, edge: PortRef, port: string | undefined): Command =>
  (canvas) => {
    const target = canvas.edges.find((one) => isEdgeOf(one, edge))?.target;
    const connected = connect(edge, node.id)({ ...canvas, nodes: [...canvas.nodes, node] });
    return target === undefined || port === undefined ? connected : connect({ nodeId: node.id, port }, target)(connected);
  };

/** From the left border of one card to that of the next. */
export const column = 328;

/** A card that is this much higher or lower than another one is in a row of its own. */
const rowHeight = 160;

/**
 * Makes room for a card at a place: what stands there, or less than a column to the right of it in its rows, moves to the right, with
 * everything behind it. Pinned cards stay, and so does `from`, which leads to the new card.
 */
export const makeRoom =
  (at: Point, from: string): Command =>
  (canvas) => {
    const isInTheWay = ({ id, position }: NodeJson): boolean =>
      id !== from &&
      position !== undefined &&
      position.x > at.x - column &&
      position.x < at.x + column &&
      Math.abs(position.y - at.y) < rowHeight;
    const blocking = canvas.nodes.filter((node) => isInTheWay(node) && !isPinned(node));
    if (blocking.length === 0) return canvas;
    const first = Math.min(...blocking.map(({ position }) => position?.x ?? 0));
    const by = at.x + column - first;
    const moved = canvas.nodes.flatMap((node): [string, Point][] => {
      const { id, position } = node;
      if (position === undefined || position.x < first || id === from || isPinned(node)) return [];
      return [[id, snap({ x: position.x + by, y: position.y })]];
    });
    return moveNodes(new Map(moved))(canvas);
  };

export const moveNodes =
  (positions: ReadonlyMap<string, Point>): Command =>
  (canvas) => ({
    ...canvas,
    nodes: canvas.nodes.map((node) => {
      const position = positions.get(node.id);
      return position === undefined || (node.position?.x === position.x && node.position.y === position.y) ? node : { ...node, position };
    }),
  });

/** Pins nodes to their places, or frees them: those that are pinned stay when others are tidied up. */
export const pin =
  (nodeIds: ReadonlySet<string>, isPinned: boolean): Command =>
  (canvas) => ({
    ...canvas,
    nodes: canvas.nodes.map((node) => {
      if (!nodeIds.has(node.id)) return node;
      const { draggable: _before, ...others } = node;
      return isPinned ? { ...others, draggable: false } : others;
    }),
  });

/** Takes nodes away, with every edge from or to them, and edges by their ports. */
export const remove =
  (nodeIds: ReadonlySet<string>, edges: readonly PortRef[] = []): Command =>
  (canvas) => ({
    ...canvas,
    nodes: canvas.nodes.filter(({ id }) => !nodeIds.has(id)),
    edges: canvas.edges.filter(
      (edge) => !nodeIds.has(edge.source) && !nodeIds.has(edge.target) && !edges.some((one) => isEdgeOf(edge, one)),
    ),
  });

/** Leads a port to a node. A port has one edge: what it led to before, it leads to no more. */
export const connect =
  (from: PortRef, target: string): Command =>
  (canvas) => {
    const index = canvas.edges.findIndex((edge) => isEdgeOf(edge, from));
    const before = canvas.edges[index];
    const edge: EdgeJson = { ...before, source: from.nodeId, sourceHandle: from.port, target };
    return { ...canvas, edges: index < 0 ? [...canvas.edges, edge] : canvas.edges.with(index, edge) };
  };

/** Redirects an edge by its other end: it now leaves by another port. */
export const leaveBy =
  (edge: PortRef, from: PortRef): Command =>
  (canvas) => {
    const target = canvas.edges.find((one) => isEdgeOf(one, edge))?.target;
    return target === undefined ? canvas : connect(from, target)(remove(new Set(), [edge])(canvas));
  };

export const setData =
  (nodeId: string, data: JsonObject): Command =>
  (canvas) => ({ ...canvas, nodes: canvas.nodes.map((node) => (node.id === nodeId ? { ...node, data } : node)) });

/** Changes what a canvas says about itself: its name, description, settings, variables. `undefined` takes the field away. */
export const setField =
  (field: 'name' | 'description' | 'kind' | 'settings' | 'variables', value: Json | undefined): Command =>
  (canvas) => {
    const { [field]: _before, ...others } = canvas;
    return (value === undefined ? others : { ...canvas, [field]: value }) as CanvasJson;
  };

/** Renames an option: the edge of its port follows it, so that a new title cuts no way. */
export const renamePort =
  (nodeId: string, before: string, after: string): Command =>
  (canvas) => {
    const isTaken = canvas.edges.some((edge) => edge.source === nodeId && edge.sourceHandle === after);
    if (isTaken) return canvas;
    const edges = canvas.edges.map((edge) =>
      edge.source === nodeId && edge.sourceHandle === before ? { ...edge, sourceHandle: after } : edge,
    );
    return { ...canvas, edges };
  };

/** A canvas whose nodes without a position have that at which they are drawn. */
export const withPlaces = (canvas: CanvasJson, places: ReadonlyMap<string, Point>): CanvasJson => ({
  ...canvas,
  nodes: canvas.nodes.map((node): NodeJson => {
    const place = places.get(node.id);
    return node.position === undefined && place !== undefined ? { ...node, position: place } : node;
  }),
});

/** A part of a canvas, as the clipboard holds it. */
export const copyOf = (canvas: CanvasJson, nodeIds: ReadonlySet<string>): Pick<CanvasJson, 'nodes' | 'edges'> => ({
  nodes: canvas.nodes.filter(({ id }) => nodeIds.has(id)),
  edges: canvas.edges.filter(({ source, target }) => nodeIds.has(source) && nodeIds.has(target)),
});

/**
 * Adds copied nodes under new ids, moved by `by`. Edges among them are kept; an edge to a node that was not copied is left out.
 *
 * @returns the command, and the ids of what it adds
 */
export function paste(
  canvas: CanvasJson,
  copied: Pick<CanvasJson, 'nodes' | 'edges'>,
  by: Point,
): { readonly command: Command; readonly ids: readonly string[] } {
  const ids = new Map<string, string>();
  for (const { id, type } of copied.nodes) ids.set(id, freshNodeId(canvas, type, new Set(ids.values())));
  const nodes = copied.nodes.map((node): NodeJson => {
    const { x, y } = node.position ?? { x: 0, y: 0 };
    return { ...node, id: ids.get(node.id) ?? node.id, position: snap({ x: x + by.x, y: y + by.y }) };
  });
  const edges = copied.edges.flatMap(({ id: _id, ...edge }): EdgeJson[] => {
    const [source, target] = [ids.get(edge.source), ids.get(edge.target)];
    return source === undefined || target === undefined ? [] : [{ ...edge, source, target }];
  });
  return {
    command: (before) => ({ ...before, nodes: [...before.nodes, ...nodes], edges: [...before.edges, ...edges] }),
    ids: nodes.map(({ id }) => id),
  };
}

/** Whether an edge leaves by a port. */
const isEdgeOf = ({ source, sourceHandle }: EdgeJson, { nodeId, port, isUnnamed = false }: PortRef): boolean =>
  source === nodeId && (typeof sourceHandle === 'string' ? sourceHandle === port : isUnnamed);
