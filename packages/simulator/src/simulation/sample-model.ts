import { isJsonObject, type Json } from '@hilo/engine/contract';

/**
 * The answer of a model that follows its instructions: the first object that is valid under the schema in them, provided the schema is
 * on a line of its own.
 */
export function answerOfModel(instructions: string): string {
  const schema = instructions.split('\n').find((line) => line.startsWith('{'));
  return JSON.stringify(schema === undefined ? {} : createSample(JSON.parse(schema) as Json));
}

/** A value that is valid under a JSON Schema, as far as the keywords below are concerned. */
export function createSample(schema: Json | undefined): Json {
  if (!isJsonObject(schema)) return null;
  const { const: constant, enum: values, anyOf, oneOf, type, minimum, minLength, properties, required } = schema;
  if (constant !== undefined) return constant;
  if (Array.isArray(values)) return (values as readonly Json[])[0] ?? null;
  for (const choices of [anyOf, oneOf]) if (Array.isArray(choices)) return createSample((choices as readonly Json[])[0]);
  switch (Array.isArray(type) ? (type as readonly Json[])[0] : type) {
    case 'object':
      return Object.fromEntries(
        listNames(required).map((name) => [name, createSample(isJsonObject(properties) ? properties[name] : undefined)]),
      );
    case 'array':
      return [];
    case 'string':
      return 'a'.repeat(typeof minLength === 'number' ? minLength : 1);
    case 'integer':
    case 'number':
      return typeof minimum === 'number' ? minimum : 0;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

const listNames = (required: Json | undefined): readonly string[] =>
  Array.isArray(required) ? (required as readonly Json[]).filter((name) => typeof name === 'string') : [];
