import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { OutputSchema } from './output-schema.ts';

/** What an answer is worth. */
export type ReadAnswer = { readonly kind: 'valid'; readonly value: JsonObject } | { readonly kind: 'invalid'; readonly problem: string };

/** Reads a model's text as JSON, also in a fence as models like to write it, and checks it. */
export function readAnswer(text: string, schema: Pick<OutputSchema, 'problem'>): ReadAnswer {
  let value: Json;
  try {
    value = JSON.parse(unfenced(text.trim())) as Json;
  } catch {
    return { kind: 'invalid', problem: text.trim() === '' ? 'it is empty' : 'it is no JSON' };
  }
  if (!isJsonObject(value)) return { kind: 'invalid', problem: 'it is no JSON object' };
  const problem = schema.problem(value);
  return problem === undefined ? { kind: 'valid', value } : { kind: 'invalid', problem };
}

const fence = '```';

function unfenced(text: string): string {
  if (!text.startsWith(fence) || !text.endsWith(fence)) return text;
  return text.slice(text.indexOf('\n') + 1, -fence.length);
}
