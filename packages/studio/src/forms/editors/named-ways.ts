/** The ways by which a model may choose to go on: exits of an agent, options of a decision. Each is a port of its name. */
import { isReservedName, type Json, type JsonObject } from '@hilo/engine/contract';
import { isRecord } from '../../canvas/canvas-json.ts';

/** Whether a value is a list of ways with names. */
export const isWays = (value: Json | undefined): value is readonly JsonObject[] =>
  Array.isArray(value) &&
  value.every((way: Json) => isRecord(way) && isTextOrNothing(way['name']) && isTextOrNothing(way['when']) && isTexts(way['examples']));

const isTextOrNothing = (value: Json | undefined): boolean => value === undefined || typeof value === 'string';
const isTexts = (value: Json | undefined): boolean =>
  value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string'));

/** A name as a port and a model take it: one word of letters, digits and `_`. */
export function wordOf(text: string): string {
  const word = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll(/[^a-zA-Z0-9]+/g, '_')
    .replace(/^[^a-zA-Z]+/, '')
    .slice(0, 40);
  return isReservedName(word) ? `${word}_` : word;
}
