import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';

/**
 * An answer for every effect that a simulation asks for, for tests that do not depend on it: a model that follows the schema, a
 * database that has every row and stores none, a function and a service that return their input, a checkout.
 *
 * @example
 * const conversation = await simulate({ canvases: [canvas], answers: sampleAnswer });
 */
export function sampleAnswer({ effect, request }: { readonly effect: string; readonly request: Json }): Json | undefined {
  const fields: JsonObject = isJsonObject(request) ? request : {};
  const body = fields['body'] ?? null;
  switch (effect) {
    case 'model.ask':
      return { kind: 'answered', text: createModelAnswer(findInstructions(fields)) };
    case 'function.call':
      return { kind: 'returned', value: { echo: body } };
    case 'soap.call':
      return { kind: 'response', response: { status: 200, headers: {}, body: { echo: body } } };
    case 'database.call':
      return createDatabaseAnswer(fields);
    case 'payment.open':
      return { kind: 'opened' };
    case 'code.run':
      return { kind: 'returned', value: {} };
    default:
      return undefined;
  }
}

function createDatabaseAnswer(request: JsonObject): Json {
  switch (request['operation']) {
    case 'list':
    case 'query':
      return { kind: 'rows', rows: [] };
    case 'get':
      return { kind: 'rows', rows: [findRequestedRow(request)] };
    case 'create':
      return { kind: 'changed', affectedRows: 1, key: { id: 1 } };
    default:
      return { kind: 'changed', affectedRows: 1 };
  }
}

/** The row that a request for a database looks for, with the columns that it names. */
export function findRequestedRow({ where }: JsonObject): JsonObject {
  const conditions = Array.isArray(where) ? (where as readonly Json[]).filter(isJsonObject) : [];
  return Object.fromEntries(conditions.map(({ column, value }) => [typeof column === 'string' ? column : '', value ?? null]));
}

/** The system message for a model, with the schema of its answer. */
export function findInstructions({ messages }: JsonObject): string {
  const [first] = Array.isArray(messages) ? (messages as readonly Json[]) : [];
  return isJsonObject(first) && typeof first['text'] === 'string' ? first['text'] : '';
}

/**
 * The answer of a model that follows its instructions: the first object that is valid under the schema in them, provided the schema is
 * on a line of its own.
 */
export function createModelAnswer(instructions: string): string {
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
