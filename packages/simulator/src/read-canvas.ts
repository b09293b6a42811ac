// Reads what is given as a canvas: an object or its text, with all that its shape lacks.
import { parseCanvas } from '@hilo/engine';
import { type Canvas, HiloError } from '@hilo/engine/contract';

/**
 * Canvases that were read here. Each is read once, however many conversations of it are played: a second reading would make other objects,
 * and of the data of those nothing is known, so that they were compiled from the beginning.
 */
const known = new WeakSet<object>();

const isKnown = (input: object | string): input is Canvas => typeof input === 'object' && known.has(input);

/** @throws {HiloError} `INVALID_CANVAS` for what has not the shape of a canvas */
export function readCanvas(input: object | string): Canvas {
  if (isKnown(input)) return input;
  const { canvas, problems } = parseCanvas(input);
  if (canvas === undefined) throw new HiloError('INVALID_CANVAS', { workflowId: readId(input), problems });
  known.add(canvas);
  return canvas;
}

const readId = (input: object | string): string =>
  typeof input === 'object' && 'id' in input && typeof input.id === 'string' ? input.id : '';
