/** Typed values with names, as exits of an agent and tools have them: which can be written as lines, and how their type is changed. */
import type { Json, JsonObject } from '@hilo/engine/contract';
import { isRecord } from '../../canvas/canvas-json.ts';
import { titlesOf } from './Chips.tsx';

/** In the order in which they are offered. */
export const fieldTypes = ['text', 'number', 'boolean', 'date', 'time', 'email', 'phone', 'option', 'list'] as const;

/** Whether each value is of a type, and the options of each have titles. */
export const isFields = (value: Json | undefined): value is JsonObject | undefined =>
  value === undefined ||
  (isRecord(value) &&
    Object.values(value).every(
      (field: Json) =>
        isRecord(field) &&
        fieldTypes.some((type) => type === field['type']) &&
        (field['options'] === undefined || titlesOf(field['options']) !== undefined),
    ));

/** A field with another type: what every type has is kept, and what the new one must have is there. */
export function retyped({ label, description, required }: JsonObject, type: string): JsonObject {
  const kept = Object.entries({ label, description, required }).filter(([, value]) => value !== undefined);
  const own: JsonObject = type === 'option' ? { options: [] } : type === 'list' ? { of: 'text' } : {};
  return { type, ...own, ...Object.fromEntries(kept) };
}
