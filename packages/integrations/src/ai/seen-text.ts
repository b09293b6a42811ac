// What a model is given has no characters that people do not see: instructions can be written in them, into a name, a page or a canvas, and a
// model reads what nobody who looked at the text could.
import { isJsonObject, type Json, type JsonObject, seenText } from '@hilo/engine/contract';

/** A value with all its texts, and names of fields, as people see them. */
export function seenValue(value: Json): Json {
  if (typeof value === 'string') return seenText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(seenValue);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [seenText(name), seenValue(item)]));
}

const described: ReadonlySet<string> = new Set(['description', 'title']);

/** A JSON Schema with its descriptions as people see them; its names and values stay, since answers are compared with them. */
export function seenSchema(schema: JsonObject): JsonObject {
  const see = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(see);
    return isJsonObject(value) ? seenSchema(value) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, described.has(name) && typeof value === 'string' ? seenText(value) : see(value)]),
  );
}
