import { parseCanvas } from '@hilo/engine';
import { type Canvas, HiloError } from '@hilo/engine/contract';

/** @throws {HiloError} `INVALID_CANVAS` for what has not the shape of a canvas */
export function readCanvas(input: object): Canvas {
  const { canvas, problems } = parseCanvas(input);
  if (canvas === undefined)
    throw new HiloError('INVALID_CANVAS', { workflowId: 'id' in input && typeof input.id === 'string' ? input.id : '', problems });
  return canvas;
}
