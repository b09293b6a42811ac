import type { Json } from '@hilo/engine/contract';
import type { Context } from 'hono';
import type { Admission } from '../platform/http/admission.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { parseJson } from '../platform/http/parse-json.ts';
import { readBody, utf8 } from '../platform/http/read-body.ts';
import { invalidRequest } from '../platform/http/refusal.ts';

/**
 * The body of a call: JSON, or null where there is none.
 *
 * @throws {Refusal} 400 for what is no JSON (GEN-02), 413, 503
 */
export async function readJson(c: Context<HttpEnv>, admission: Admission): Promise<Json> {
  const entry = admission.enter({ kind: 'new', holder: c.get('companyId') });
  try {
    const text = utf8(await readBody(c, entry));
    if (text === '') return null;
    if (!/^\s*(?:application\/(?:[\w.+-]+\+)?json\s*(?:;|$)|$)/i.test(c.req.header('content-type') ?? ''))
      throw invalidRequest('A function takes JSON: send it with content-type application/json');
    return parseJson(text);
  } finally {
    entry.leave();
  }
}
