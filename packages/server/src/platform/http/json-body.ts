import { isJsonObject, type JsonObject } from '@hilo/engine/contract';
import type { Context } from 'hono';
import type { HttpEnv } from './context.ts';
import { parseJson } from './parse-json.ts';
import { utf8 } from './read-body.ts';
import { invalidRequest } from './refusal.ts';

const jsonType = 'application/json';

/** @throws {Refusal} 400 for a body that says it is something else than JSON (GEN-02); one that says nothing is taken for it */
export function checkJsonType(c: Context<HttpEnv>): void {
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? jsonType;
  if (type !== jsonType && !/^application\/[\w.-]+\+json$/.test(type)) throw invalidRequest(`The body is JSON: send it as ${jsonType}`);
}

/** @throws {Refusal} 400 for bytes that are no JSON object */
export function jsonObjectIn(bytes: Uint8Array): JsonObject {
  const body = parseJson(utf8(bytes));
  if (!isJsonObject(body)) throw invalidRequest('The body is not a JSON object');
  return body;
}
