import type { JsonObject } from '@hilo/engine/contract';
import type { Context } from 'hono';
import type { Entry } from '../platform/http/admission.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { readBody } from '../platform/http/read-body.ts';
import { invalidRequest, Refusal, unavailable } from '../platform/http/refusal.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import { checkJsonType, jsonObjectIn } from '../platform/http/json-body.ts';

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
  const entry = admission.enter({ kind: 'new', holder: c.get('companyId') });
  try {
    if (!entry.mayStart()) throw unavailable('Too much is in progress to send anything new; send this again in a moment');
    return await work(await bodyOf(c, entry));
  } finally {
    entry.leave();
  }
}

async function bodyOf(c: Context<HttpEnv>, entry: Pick<Entry, 'take'>): Promise<JsonObject> {
  checkJsonType(c);
  return jsonObjectIn(await bytesOf(c, entry));
}

/** Too much is a 400 here: 413 is none of the statuses of sending (MSG-03, WEB-26). */
async function bytesOf(c: Context<HttpEnv>, entry: Pick<Entry, 'take'>): Promise<Uint8Array> {
  try {
    return await readBody(c, entry);
  } catch (error) {
    throw error instanceof Refusal && error.status === 413 ? invalidRequest(error.message) : error;
  }
}
