import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { RecordedCall } from './recording-drivers.ts';
import { answerOfModel } from './sample-model.ts';

/**
 * An answer for every effect that a simulation asks for, where a test does not care which: a model that keeps to the schema,
 * a database that has every row and keeps none, a function and a service that return what they were asked, a checkout.
 *
 * @example
 * const talk = await simulate({ canvases: [canvas], answers: sampleAnswer });
 */
export function sampleAnswer({ effect, request }: RecordedCall): Json | undefined {
  const fields: JsonObject = isJsonObject(request) ? request : {};
  const body = fields['body'] ?? null;
  switch (effect) {
    case 'model.ask':
      return { kind: 'answered', text: answerOfModel(firstText(fields['messages'])) };
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

function answerOfDatabase({ operation, where }: JsonObject): Json {
  switch (operation) {
    case 'list':
    case 'query':
      return { kind: 'rows', rows: [] };
    case 'get': {
      const conditions = Array.isArray(where) ? (where as readonly Json[]).filter(isJsonObject) : [];
      return { kind: 'rows', rows: [Object.fromEntries(conditions.map(({ column, value }) => [String(column), value ?? null]))] };
    }
    case 'create':
      return { kind: 'changed', affectedRows: 1, key: { id: 1 } };
    default:
      return { kind: 'changed', affectedRows: 1 };
  }
}

function firstText(messages: Json | undefined): string {
  const [first] = Array.isArray(messages) ? (messages as readonly Json[]) : [];
  return isJsonObject(first) && typeof first['text'] === 'string' ? first['text'] : '';
}
