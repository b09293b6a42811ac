import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { Context } from 'hono';
import type { Entry } from '../../http/admission.ts';
import type { HttpEnv } from '../../http/context.ts';
import { parseJson } from '../../http/parse-json.ts';
import { readBody, utf8 } from '../../http/read-body.ts';
import { invalidRequest, Refusal, unavailable } from '../../http/refusal.ts';
import type { Traffic } from '../../http/traffic.ts';

/**
 * Reads the body of a request to send something, with a place among the requests in progress until it is answered (P22).
 *
 * @throws {Refusal} 400 for what is no JSON object or too much (MSG-03), 503 when there is no place
 */
export async function withSendBody(
  c: Context<HttpEnv>,
  { admission }: Pick<Traffic, 'admission'>,
  work: (body: JsonObject) => Promise<Response>,
): Promise<Response> {
  const entry = admission.enter();
  try {
    if (admission.isBusy()) throw unavailable('Too much is in progress to send anything new; send this again in a moment');
    return await work(await bodyOf(c, entry));
  } finally {
    entry.leave();
  }
}

async function bodyOf(c: Context<HttpEnv>, entry: Pick<Entry, 'take'>): Promise<JsonObject> {
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? jsonType;
  if (type !== jsonType && !/^application\/[\w.-]+\+json$/.test(type)) throw invalidRequest(`The body is JSON: send it as ${jsonType}`);
  const body: Json = parseJson(utf8(await bytesOf(c, entry)));
  if (!isJsonObject(body)) throw invalidRequest('The body is not a JSON object');
  return body;
}

const jsonType = 'application/json';

/** Too much is a 400 here: 413 is none of the statuses of sending (MSG-03, WEB-26). */
async function bytesOf(c: Context<HttpEnv>, entry: Pick<Entry, 'take'>): Promise<Uint8Array> {
  try {
    return await readBody(c, entry);
  } catch (error) {
    throw error instanceof Refusal && error.status === 413 ? invalidRequest(error.message) : error;
  }
}
