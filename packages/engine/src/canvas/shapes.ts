/** Objects whose names are known, since each node that writes them says which they have: a read of another name is a typing error. */
import type { Canvas } from '../contract/canvas.ts';
import { formatPath, type Path, parsePath } from '../variables/path.ts';
import type { ParsedNode } from './read-node.ts';

/** Objects by their dotted path, each with its names. */
export type Shapes = ReadonlyMap<string, ReadonlySet<string>>;

const noShapes: Shapes = new Map();

/** The objects whose names are known. None, while a field is invalid that may name what its node writes. */
export function listShapes({ variables }: Canvas, nodes: readonly ParsedNode[]): Shapes {
  const shapes = new Map<string, Set<string>>();
  const declared = new Set<string>(); // where each node says which names it writes
  for (const [position, { definition, read }] of nodes.entries()) {
    for (const [path, names] of Object.entries(read === undefined ? {} : definition.shapes(read.config))) {
      declared.add(`${position} ${path}`);
      const known = shapes.get(path) ?? new Set();
      for (const name of names) known.add(name);
      shapes.set(path, known);
    }
  }
  if (shapes.size === 0 || nodes.some(({ mayWrite }) => mayWrite === undefined)) return noShapes;
  for (const [name, { default: value }] of Object.entries(variables)) if (value !== undefined) shapes.delete(`$context.${name}`);
  const inside = indexByPrefix(shapes.keys());
  for (const [position, node] of nodes.entries()) {
    for (const path of listWrites(node)) {
      const written = formatPath(path);
      for (const object of inside.get(written) ?? []) shapes.delete(object);
      if (!declared.has(`${position} ${written}`)) shapes.delete(written);
      addNames(shapes, path);
    }
  }
  return shapes;
}

function listWrites({ read, definition, mayWrite = [] }: ParsedNode): readonly Path[] {
  const surely = read === undefined ? [] : Object.values(definition.writes(read.config)).flat();
  return [...[...new Set(surely)].map((path) => parsePath(path) ?? []), ...mayWrite];
}

/** The objects inside each path: a write there leaves nothing of them. */
function indexByPrefix(objects: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const inside = new Map<string, string[]>();
  for (const object of objects) {
    const path = parsePath(object) ?? [];
    for (let length = 1; length < path.length; length += 1) {
      const prefix = formatPath(path.slice(0, length));
      const others = inside.get(prefix);
      if (others === undefined) inside.set(prefix, [object]);
      else others.push(object);
    }
  }
  return inside;
}

/** Adds the name that a write inside an object gives it. */
function addNames(shapes: ReadonlyMap<string, Set<string>>, path: Path): void {
  for (let length = 2; length < path.length; length += 1) {
    const name = path[length];
    if (typeof name === 'string') shapes.get(formatPath(path.slice(0, length)))?.add(name);
  }
}

/** The name of a read that its object never has: none, or one. */
export function findOutsideOfShape(
  shapes: Shapes,
  path: Path,
): readonly { readonly name: string; readonly object: string; readonly field: string; readonly known: readonly string[] }[] {
  if (shapes.size === 0) return [];
  for (let length = 2; length < path.length; length += 1) {
    const [object, field] = [formatPath(path.slice(0, length)), path[length]];
    const names = shapes.get(object);
    if (names !== undefined && typeof field === 'string' && !names.has(field))
      return [{ name: formatPath(path.slice(0, length + 1)), object, field, known: [...names] }];
  }
  return [];
}
