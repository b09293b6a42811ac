import { canvasHash, createMemoryCanvases, parseCanvas } from '@hilo/engine';
import type { Canvas, CanvasStore } from '@hilo/engine/contract';
import { simulatedIds } from '../../src/simulation/world.ts';

/** A node: its id, its type, its data. */
export type Node = readonly [id: string, type: string, data?: { readonly [field: string]: unknown }];
/** From where, by which port, to where. */
type Edge = readonly [source: string, port: string, target: string];

/** A small canvas, parsed. */
export function canvasOf(id: string, nodes: readonly Node[], edges: readonly Edge[]): Canvas {
  const { canvas, problems } = parseCanvas({
    schemaVersion: 1,
    id,
    name: id,
    nodes: nodes.map(([id, type, data = {}]) => ({ id, type, data })),
    edges: edges.map(([source, sourceHandle, target]) => ({ source, sourceHandle, target })),
  });
  if (canvas === undefined) throw new Error(`Canvas "${id}" is none: ${problems.map(({ message }) => message).join('; ')}`);
  return canvas;
}

/** The webhook that starts and resumes: `executionId` in the body names what is resumed. */
export const hook = (data: { readonly oneTimeOnly?: boolean } = {}): Node => [
  'hook',
  'webhook',
  { variableName: 'call', methods: ['POST'], userIdPath: 'userId', executionIdPath: 'executionId', ...data },
];

export const says = (id: string, text: string): Node => [id, 'message', { message: { type: 'text', text } }];

/** A store that has these published as their first version. */
export function published(...canvases: readonly Canvas[]): CanvasStore {
  const store = createMemoryCanvases();
  for (const canvas of canvases) void store.publish(simulatedIds.companyId, canvas, canvasHash(canvas), 0);
  return store;
}
