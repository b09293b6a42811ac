import type { JsonObject } from '@hilo/engine/contract';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { HttpEnv } from './context.ts';
import { inShape } from './envelope.ts';
import { readBody } from './read-body.ts';
import { invalidInput } from './refusal.ts';
import type { Traffic } from './traffic.ts';
import type { Service } from '../../service.ts';
import { checkJsonType, jsonObjectIn } from './json-body.ts';

/** An app for one resource: what its schemas refuse of a query is a 422, by field (ERR-05). */
export const createResource = (service: Pick<Service, 'log'>): OpenAPIHono<HttpEnv> =>
  inShape(
    new OpenAPIHono<HttpEnv>({
      defaultHook: (result) => {
        if (!result.success) throw invalidInput(result.error);
      },
    }),
    service,
  );

/**
 * Works with the JSON object in the body of a request, which has its place among the requests in progress until it is
 * answered (P22). Called once the path's ids are found (GEN-09).
 *
 * @throws {Refusal} 400 for what is no JSON object, 413 over the limits, 503 when there is no place
 */
export async function withBody<Answer>(
  c: Context<HttpEnv>,
  { admission }: Pick<Traffic, 'admission'>,
  work: (body: JsonObject) => Answer | Promise<Answer>,
): Promise<Answer> {
  const entry = admission.enter({ kind: 'new', holder: c.get('companyId') });
  try {
    checkJsonType(c);
    return await work(jsonObjectIn(await readBody(c, entry)));
  } finally {
    entry.leave();
  }
}
