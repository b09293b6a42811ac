/** Values that fill in a form, for inputs that lead through a question. */
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';

/** A right value for each field, as the config of a node writes the fields; `undefined` where that has none. */
export function sampleForm(input: Json | undefined): JsonObject | undefined {
  const fields = isJsonObject(input) && input['kind'] === 'form' ? input['fields'] : undefined;
  if (!isJsonObject(fields)) return undefined;
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, isJsonObject(field) ? sampleOf(field) : '']));
}

function sampleOf({ type, min, max, minLength, maxLength, options, several }: JsonObject): Json {
  switch (type) {
    case 'number':
      return typeof min === 'number' ? Math.ceil(min) : typeof max === 'number' ? Math.floor(max) : 1;
    case 'boolean':
      return true;
    case 'date':
      return min ?? max ?? '2031-04-05';
    case 'time':
      return '15:30';
    case 'email':
      return 'ana@example.com';
    case 'phone':
      return '5215512345678';
    case 'option': {
      const first = Array.isArray(options) ? (options as readonly Json[])[0] : undefined;
      const value = isJsonObject(first) ? (first['payload'] ?? first['title'] ?? '') : '';
      return several === true ? [value] : value;
    }
    default: {
      const least = typeof minLength === 'number' ? minLength : 1;
      return 'Hello'.padEnd(least, '!').slice(0, Math.max(least, typeof maxLength === 'number' ? maxLength : 5));
    }
  }
}
