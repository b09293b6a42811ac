/** A node of a small canvas: its id, its type, its data. */
export type SmallNode = readonly [id: string, type: string, data?: { readonly [field: string]: unknown }];

/** From where, by which port, to where. */
type SmallEdge = readonly [source: string, port: string, target: string];

/** A canvas as JSON, in short notation. */
export const smallCanvas = (id: string, nodes: readonly SmallNode[], edges: readonly SmallEdge[]): object => ({
  schemaVersion: 1,
  id,
  name: id,
  nodes: nodes.map(([id, type, data = {}]) => ({ id, type, data })),
  edges: edges.map(([source, sourceHandle, target]) => ({ source, sourceHandle, target })),
});

/** A node that sends a text. */
export const says = (id: string, text: string): SmallNode => [id, 'message', { message: { type: 'text', text } }];
