// The methods of a call: those that its schema lists, so that they are told where the node is.
import type { Json } from '@hilo/engine/contract';
import { type JsonSchema, shownText } from '../../canvas/canvas-json.ts';
import { shapeOf } from '../shape.ts';

/** Whether a value is the name of a method, or none is named. */
export const isMethod = (value: Json | undefined): boolean => value === undefined || (typeof value === 'string' && /^[A-Z]+$/.test(value));

/** What a call is made with that names no method. */
export const usualMethod = 'GET';

/** The methods that are offered, and one that is named though the node does not take it. */
export function methodsOf(schema: JsonSchema, root: JsonSchema, value: Json | undefined): readonly string[] {
  const shape = shapeOf(schema, root);
  const listed = shape.kind === 'choice' ? shape.values.map(shownText) : [];
  return typeof value === 'string' && !listed.includes(value) ? [...listed, value] : listed;
}
