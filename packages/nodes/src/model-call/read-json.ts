/** Reads the JSON object in the text of a model. */
import { isJsonObject, type JsonObject, limits, parseForeignJson } from '@hilo/engine/contract';
import type { ReadAnswer } from './ask-models.ts';

/**
 * Parses a text as a JSON object, which may be in a Markdown fence, and checks it.
 *
 * @param findProblem - why the object is no answer; `undefined` when it is one
 */
export function readJsonAnswer(text: string, findProblem: (value: JsonObject) => string | undefined): ReadAnswer<JsonObject> {
  const value = parseForeignJson(stripFence(text.trim()), limits);
  if (value === undefined) return { kind: 'invalid', problem: text.trim() === '' ? 'it is empty' : 'it is no JSON' };
  if (!isJsonObject(value)) return { kind: 'invalid', problem: 'it is no JSON object' };
  const problem = findProblem(value);
  return problem === undefined ? { kind: 'valid', value } : { kind: 'invalid', problem };
}

const fence = '```';

function stripFence(text: string): string {
  if (!text.startsWith(fence) || !text.endsWith(fence)) return text;
  return text.slice(text.indexOf('\n') + 1, -fence.length);
}
