import { createMemoryCanvases } from '@hilo/engine';
import { canvasHash } from '@hilo/engine/store-kit';
import type { Canvas, CanvasStore } from '@hilo/engine/contract';
import { readCanvas } from '../../packages/simulator/src/read-canvas.ts';
import { smallCanvas, type SmallNode } from '../cluster/small-canvas.ts';
import { simulatedIds } from '../../packages/simulator/src/simulation/world.ts';

/** A small canvas, parsed. */
export const canvasOf = (...parts: Parameters<typeof smallCanvas>): Canvas => readCanvas(smallCanvas(...parts));

/** The webhook that starts and resumes: `executionId` in the body names the execution to resume. */
export const hook = (data: { readonly oneTimeOnly?: boolean } = {}): SmallNode => [
  'hook',
  'webhook',
  { variableName: 'call', methods: ['POST'], userIdPath: 'userId', executionIdPath: 'executionId', ...data },
];

/** A store that has these published as their first version. */
export function published(...canvases: readonly Canvas[]): CanvasStore {
  const store = createMemoryCanvases();
  for (const canvas of canvases) void store.publish(simulatedIds.companyId, canvas, canvasHash(canvas), 0);
  return store;
}
