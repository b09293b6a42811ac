import { isJsonObject, type JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { parseJson } from '../platform/http/parse-json.ts';
import { invalidInput, invalidRequest } from '../platform/http/refusal.ts';

const Cancel = z.object({ reason: z.string().trim().min(1).max(500).optional() });

/**
 * Why an execution is cancelled, where the body says so; a body may be left out.
 *
 * @throws {Refusal} 400 for what is no JSON object, 422 for what is no reason
 */
export function cancelReason(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const { data, error } = Cancel.safeParse(objectIn(text));
  if (error !== undefined) throw invalidInput(error);
  return data.reason;
}

function objectIn(text: string): JsonObject {
  const value = parseJson(text);
  if (isJsonObject(value)) return value;
  throw invalidRequest('The body is no JSON object: leave it out, or give { "reason": "…" }');
}
