import type { JsonObject } from '@hilo/engine/contract';

type Node = readonly [id: string, type: string, data?: JsonObject];

/**
 * A canvas out of its nodes in a row: each leads to the next by its first port, where it has one.
 *
 * @param more - further fields of the canvas, and edges beyond the row
 */
export function flow(nodes: readonly Node[], ports: readonly (string | undefined)[], more: JsonObject = {}): JsonObject {
  return {
    schemaVersion: 1,
    id: 'flow',
    name: 'Flow',
    nodes: nodes.map(([id, type, data = {}]) => ({ id, type, data })),
    edges: ports.flatMap((port, index) => {
      const [source, target] = [nodes[index]?.[0], nodes[index + 1]?.[0]];
      return port === undefined || source === undefined || target === undefined ? [] : [{ source, sourceHandle: port, target }];
    }),
    ...more,
  };
}
