import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { answerOfModel } from './sample-model.ts';

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
      return { kind: 'answered', text: answerOfModel(findInstructions(fields)) };
    case 'function.call':
      return { kind: 'returned', value: { echo: body } };
    case 'soap.call':
      return { kind: 'response', response: { status: 200, headers: {}, body: { echo: body } } };
    case 'database.call':
      return answerOfDatabase(fields);
    case 'payment.open':
      return { kind: 'opened' };
    case 'code.run':
      return { kind: 'returned', value: {} };
    default:
      return undefined;
  }
}

function answerOfDatabase(request: JsonObject): Json {
  switch (request['operation']) {
    case 'list':
    case 'query':
      return { kind: 'rows', rows: [] };
    case 'get':
      return { kind: 'rows', rows: [rowAskedFor(request)] };
    case 'create':
      return { kind: 'changed', affectedRows: 1, key: { id: 1 } };
    default:
      return { kind: 'changed', affectedRows: 1 };
  }
}

/** The row that a request for a database looks for, with the columns that it names. */
export function rowAskedFor({ where }: JsonObject): JsonObject {
  const conditions = Array.isArray(where) ? (where as readonly Json[]).filter(isJsonObject) : [];
  return Object.fromEntries(conditions.map(({ column, value }) => [typeof column === 'string' ? column : '', value ?? null]));
}

/** The system message for a model, with the schema of its answer. */
export function findInstructions({ messages }: JsonObject): string {
  const [first] = Array.isArray(messages) ? (messages as readonly Json[]) : [];
  return isJsonObject(first) && typeof first['text'] === 'string' ? first['text'] : '';
}
