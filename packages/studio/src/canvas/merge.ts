import type { Json } from '@hilo/engine/contract';
import { type CanvasJson, type EdgeJson, isRecord, portKey } from './canvas-json.ts';

/** A place that both sides changed differently. The merged canvas has my value there until the author chooses. */
export interface Conflict {
  /** `nodes`, the node's id and the field's steps; or `edges` and the port; or a field of the canvas. */
  readonly at: readonly string[];
  /** `undefined`: not there. */
  readonly base: Json | undefined;
  readonly mine: Json | undefined;
  readonly theirs: Json | undefined;
}

export interface Merge {
  readonly canvas: CanvasJson;
  readonly conflicts: readonly Conflict[];
  /** Places where only they changed something, which is now in the canvas. */
  readonly taken: readonly (readonly string[])[];
}

/**
 * Merges two drafts with a common base: by node, by field, and by edge. Changes of one side are taken; equal changes are no conflict;
 * other ones are. Positions are no content: when both moved a card, my position stays.
 */
export function mergeCanvases(base: CanvasJson, mine: CanvasJson, theirs: CanvasJson): Merge {
  const conflicts: Conflict[] = [];
  const taken: (readonly string[])[] = [];
  const merged = mergeValues(asTree(base), asTree(mine), asTree(theirs), [], { conflicts, taken });
  return { canvas: fromTree(merged as Tree, [theirs, mine]), conflicts, taken };
}

/** Takes their value at a conflict instead of mine. */
export function takeTheirs(canvas: CanvasJson, { at, theirs }: Conflict): CanvasJson {
  return fromTree(withValue(asTree(canvas), at, theirs) as Tree, [canvas]);
}

/** A canvas with its lists keyed, so that the same thing has the same place on every side. */
interface Tree {
  readonly nodes: { readonly [nodeId: string]: unknown };
  readonly edges: { readonly [port: string]: unknown };
  readonly [field: string]: unknown;
}

/** Ids come from arbitrary files: a record without a prototype accepts any name. */
const keyed = <Item>(items: readonly Item[], key: (item: Item) => string): { [key: string]: Item } => {
  const record = Object.create(null) as { [key: string]: Item };
  for (const item of items) if (!(key(item) in record)) record[key(item)] = item;
  return record;
};

const edgeKey = ({ source, sourceHandle }: EdgeJson): string => portKey(source, sourceHandle ?? '');

const asTree = (canvas: CanvasJson): Tree => ({
  ...canvas,
  nodes: keyed(canvas.nodes, ({ id }) => id),
  edges: keyed(canvas.edges, edgeKey),
});

/** Orders a list by both sides: added items keep their neighbours. */
function fromTree(tree: Tree, order: readonly CanvasJson[]): CanvasJson {
  const inOrder = (all: Tree['nodes'], keys: readonly string[]): unknown[] =>
    [...new Set(keys)].flatMap((key) => (key in all ? [all[key]] : []));
  const nodes = inOrder(tree.nodes, [...order.flatMap((side) => side.nodes.map(({ id }) => id)), ...Object.keys(tree.nodes)]);
  const edges = inOrder(tree.edges, [...order.flatMap((side) => side.edges.map(edgeKey)), ...Object.keys(tree.edges)]);
  return { ...tree, nodes, edges } as unknown as CanvasJson;
}

interface Findings {
  readonly conflicts: Conflict[];
  readonly taken: (readonly string[])[];
}

/** Merges the values of one place. Objects are merged by field; a list is one value, since its items have no names. */
function mergeValues(base: unknown, mine: unknown, theirs: unknown, at: readonly string[], findings: Findings): unknown {
  if (isSame(mine, theirs) || isSame(base, theirs)) return mine;
  if (isSame(base, mine)) {
    findings.taken.push(at);
    return theirs;
  }
  if (at.length === 3 && at[0] === 'nodes' && at[2] === 'position') return mine;
  if (isRecord(mine) && isRecord(theirs) && (isRecord(base) || base === undefined)) {
    const merged = Object.create(null) as { [field: string]: unknown };
    const fields = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
    for (const field of fields) {
      const value = mergeValues(own(base, field), own(mine, field), own(theirs, field), [...at, field], findings);
      if (value !== undefined) merged[field] = value;
    }
    return { ...merged };
  }
  findings.conflicts.push({ at, base: base as Json | undefined, mine: mine as Json | undefined, theirs: theirs as Json | undefined });
  return mine;
}

const own = (value: unknown, field: string): unknown => (isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined);

function withValue(tree: unknown, at: readonly string[], value: unknown): unknown {
  const [field, ...rest] = at;
  if (field === undefined) return value;
  const record: { readonly [field: string]: unknown } = isRecord(tree) ? tree : {};
  const { [field]: before, ...others } = record;
  const after = withValue(before, rest, value);
  return after === undefined ? others : { ...record, [field]: after };
}

/** Whether two values are the same JSON. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]));
  if (!isRecord(left) || !isRecord(right)) return false;
  const fields = Object.keys(left);
  return (
    fields.length === Object.keys(right).length && fields.every((field) => Object.hasOwn(right, field) && isSame(left[field], right[field]))
  );
}
