import { nodeTypes } from '@hilo/engine/debug';
import type { NodeDefinition } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';

const definitions = nodeTypes(standardNodes);

/** The definition of a standard node: what random canvases may hold is read from it, as the check does. */
export function definitionOf(type: string): NodeDefinition {
  const definition = definitions.get(type);
  if (definition === undefined) throw new RangeError(`There is no node type "${type}"`);
  return definition;
}
