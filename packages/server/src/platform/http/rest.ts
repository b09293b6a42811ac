// The form of answers and errors of the REST interface.
import { parseJsonObject, utf8 } from '@hilo/engine';
import type { JsonObject } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { HttpEnv } from './context.ts';
import { invalidRequest } from './errors.ts';
import { ErrorBody, FullError, jsonResponse } from './openapi.ts';
import { readBody } from './read-body.ts';
import type { Traffic } from './traffic.ts';

/** The answer of what changes something: sentences for people, and `status` 1, which is not the HTTP status (CAM-14). */
export const succeeded = (...message: readonly string[]) => ({ message, statusMessage: 'success' as const, status: 1 as const });

/** Its shape, for the description of the interface. */
export const Succeeded = z.object({ message: z.array(z.string()).readonly(), statusMessage: z.literal('success'), status: z.literal(1) });

/** The errors that any route may answer. */
export const commonErrorResponses = {
  401: jsonResponse('No valid client id and secret', z.object({ message: z.string() }).openapi('Unauthorized')),
  429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
  500: jsonResponse(
    'An internal error; try again later',
    z.object({ message: z.array(z.string()), statusMessage: z.string(), status: z.int() }).openapi('Failure'),
  ),
  503: jsonResponse('Overloaded, or the store is unavailable: nothing was written; see Retry-After', ErrorBody),
};

/** What a route without a body may refuse with. */
export const restErrorResponses = (notFound: string) => ({
  ...commonErrorResponses,
  404: jsonResponse(notFound, ErrorBody),
  422: jsonResponse('A value is not valid', FullError),
});

/** What a route with a body may refuse with, too. */
export const restBodyErrorResponses = (notFound: string) => ({
  ...restErrorResponses(notFound),
  400: jsonResponse('The body is not a JSON object, or is not sent as JSON', ErrorBody),
  413: jsonResponse('The body is larger than 1 MB', ErrorBody),
});

/** A whole number of a query: digits and nothing else. */
const WholeNumber = (name: string) =>
  z.string(`${name} may be in the query once`).regex(/^\d+$/, `${name} is a whole number`).transform(Number);

const longestPage = 50;

/** Up to here the place of a page in the whole is exact. */
const lastPage = Math.floor(Number.MAX_SAFE_INTEGER / longestPage);

/** Which page of a list, and how long pages are (CAM-06, CON-03, CON-04). Outside its bounds a value is refused, not cut. */
export const PageQuery = z.object({
  limit: WholeNumber('limit')
    .refine((limit) => limit >= 1 && limit <= longestPage, `limit is 1 to ${longestPage}`)
    .default(10)
    .openapi({ type: 'integer', minimum: 1, maximum: longestPage, default: 10 }),
  page: WholeNumber('page')
    .refine((page) => page >= 1, 'page is 1 or more')
    .refine((page) => page <= lastPage, `page is at most ${lastPage}`)
    .default(1)
    .openapi({ type: 'integer', minimum: 1, maximum: lastPage, default: 1 }),
});

type Page = z.output<typeof PageQuery>;

/** Rows before the page. */
export const countRowsBefore = ({ limit, page }: Page): number => (page - 1) * limit;

/** The position of a page in the whole list (CAM-08). */
export const describePage = ({ limit, page }: Page, total: number) => ({
  limit,
  page,
  total,
  offset: countRowsBefore({ limit, page }),
  totalPages: Math.ceil(total / limit),
});

/** The position of a page, for the description of the interface. */
export const Pagination = z
  .object({ limit: z.int(), page: z.int(), total: z.int(), offset: z.int(), totalPages: z.int() })
  .openapi('Pagination');

const jsonType = 'application/json';

/**
 * @param undeclared - the type of a body without a declared one: JSON, when left out
 * @throws {HttpError} 400 for another type than JSON (GEN-02)
 */
export function checkJsonType(c: Context<HttpEnv>, undeclared = jsonType): void {
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? undeclared;
  if (type !== jsonType && !/^application\/[\w.-]+\+json$/.test(type)) throw invalidRequest(`The body is JSON: send it as ${jsonType}`);
}

/** What routes with a body count it with. */
export interface RestTraffic {
  readonly traffic: Pick<Traffic, 'admission'>;
}

/**
 * Handles the JSON object in the body of a request, within the admission limits until it is answered (P22). Called once the ids of the
 * path are found (GEN-09).
 *
 * @throws {HttpError} 400 for anything but a JSON object, 413 over the limits, 503 when there is no capacity
 */
export async function withBody<Answer>(
  c: Context<HttpEnv>,
  { admission }: Pick<Traffic, 'admission'>,
  work: (body: JsonObject) => Answer | Promise<Answer>,
): Promise<Answer> {
  const entry = admission.enter({ kind: 'new', holder: c.get('companyId') });
  try {
    checkJsonType(c);
    return await work(parseJsonObject(utf8(await readBody(c, entry))));
  } finally {
    entry.leave();
  }
}
