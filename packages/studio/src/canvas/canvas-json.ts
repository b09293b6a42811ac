import type { FieldTexts, Json, JsonObject } from '@hilo/engine/contract';

/**
 * A canvas in the studio: the original JSON, including unknown fields. Only fields that the studio uses are typed; the engine checks the
 * rest.
 */
export interface CanvasJson {
  readonly id: string;
  readonly name: string;
  readonly kind?: 'skill' | 'tool';
  readonly settings?: JsonObject;
  readonly variables?: { readonly [name: string]: JsonObject };
  readonly nodes: readonly NodeJson[];
  readonly edges: readonly EdgeJson[];
  readonly [field: string]: unknown;
}

export interface NodeJson {
  readonly id: string;
  readonly type: string;
  readonly position?: Point;
  readonly data?: JsonObject;
  readonly [field: string]: unknown;
}

/** Whether a node stays where it is: React Flow's own field, which is no behaviour. */
export const isPinned = ({ draggable }: NodeJson): boolean => draggable === false;

export interface EdgeJson {
  readonly source: string;
  readonly sourceHandle?: string | null;
  readonly target: string;
  readonly [field: string]: unknown;
}

/** In pixels of the canvas at zoom 1; `y` grows downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A port of a node, as the engine names it. */
export interface Port {
  readonly name: string;
  /** Must have an edge before the canvas can be published. */
  readonly isRequired: boolean;
}

/** An entry of the catalogue of nodes (`GET /admin/v1/nodes`). */
export interface CatalogueEntry {
  readonly type: string;
  readonly label: string;
  readonly category: string;
  readonly icon: string;
  readonly colour: string;
  readonly description: string;
  readonly formHints: { readonly [field: string]: string };
  /** Labels, help and examples of its fields, by language; left out by an older service. */
  readonly fields?: FieldTexts;
  /** The version of a new node's `data`; 1, when left out. */
  readonly version?: number;
  /** Left out where the ports depend on the data. */
  readonly ports?: { readonly required: readonly string[]; readonly optional: readonly string[] };
  /** Channels and kinds of canvas that the node works in; all, when left out. */
  readonly supports?: { readonly kinds?: readonly string[]; readonly channels?: readonly string[] };
  readonly schema: JsonSchema;
}

/** A JSON Schema, as far as forms read it. */
export type JsonSchema = { readonly [keyword: string]: Json | undefined };

/** Where a port stands among others: a node's id and the port's name. */
export const portKey = (nodeId: string, port: string): string => `${nodeId}\0${port}`;

/** A JSON pointer (RFC 6901) to a field or an item of what another one points to. */
export const pointerTo = (pointer: string, step: string): string => `${pointer}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Reads what may be a canvas: an object with lists of nodes and edges whose ids are texts. Everything else is kept as it is. */
export function asCanvas(value: unknown): CanvasJson | undefined {
  if (!isRecord(value) || typeof value['id'] !== 'string' || !Array.isArray(value['nodes'])) return undefined;
  const edges: unknown = value['edges'] ?? [];
  if (!Array.isArray(edges)) return undefined;
  const name = typeof value['name'] === 'string' ? value['name'] : value['id'];
  const nodes = value['nodes'].every(isNode) ? value['nodes'] : undefined;
  return nodes !== undefined && edges.every(isEdge) ? { ...value, id: value['id'], name, nodes, edges } : undefined;
}

/** Where a value is no canvas: a JSON pointer to the first part that is missing, or of another kind. `undefined` for a canvas. */
export function faultOf(value: unknown): string | undefined {
  if (!isRecord(value)) return '/';
  if (typeof value['id'] !== 'string') return '/id';
  const { nodes } = value;
  const edges: unknown = value['edges'] ?? [];
  if (!Array.isArray(nodes)) return '/nodes';
  if (!Array.isArray(edges)) return '/edges';
  const node = nodes.findIndex((one) => !isNode(one));
  const edge = edges.findIndex((one) => !isEdge(one));
  return node >= 0 ? `/nodes/${node}` : edge >= 0 ? `/edges/${edge}` : undefined;
}

/** A value as a text: a text as it stands, anything else as JSON. */
export const shownText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** A text that a value has in a field, where it is one and not empty. */
export function textIn(value: unknown, field: string): string | undefined {
  const text = isRecord(value) ? value[field] : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

export const isRecord = (value: unknown): value is { readonly [field: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNode = (value: unknown): value is NodeJson =>
  isRecord(value) &&
  typeof value['id'] === 'string' &&
  typeof value['type'] === 'string' &&
  isPosition(value['position']) &&
  isData(value['data']);

const isEdge = (value: unknown): value is EdgeJson =>
  isRecord(value) && typeof value['source'] === 'string' && typeof value['target'] === 'string' && isHandle(value['sourceHandle']);

const isPosition = (value: unknown): boolean =>
  value === undefined || (isRecord(value) && typeof value['x'] === 'number' && typeof value['y'] === 'number');
const isData = (value: unknown): boolean => value === undefined || isRecord(value);
const isHandle = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string';
