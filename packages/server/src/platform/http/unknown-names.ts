// What management does not know of a request is refused: a misspelt filter would list everything, and a misspelt option would do the usual.
import { parseJsonObject } from '@hilo/engine';
import { findNearestName, suggest } from '@hilo/engine/contract';
import type { Context, MiddlewareHandler } from 'hono';
import type { HttpEnv } from './context.ts';
import type { Route } from './define-route.ts';
import { type FieldErrors, groupByField, invalidFields, invalidRequest } from './errors.ts';
import { hasBody } from './read-body.ts';

/** So many are named at once: a body may have thousands. */
const mostNamed = 20;

/**
 * Says of each unknown name that it is unknown, and which one was likely meant, or which there are.
 *
 * @param what - what the names are of, such as `this body`
 */
export const explainUnknownNames = (given: Iterable<string>, known: readonly string[], what: string): FieldErrors =>
  groupByField(
    [...new Set(given)]
      .filter((name) => !known.includes(name))
      .slice(0, mostNamed)
      .map((name) => {
        const advice = suggest(findNearestName(name, known)) ?? `it takes ${known.length === 0 ? 'nothing' : known.join(', ')}`;
        return [name, `${name} is not part of ${what}: ${advice}`] as const;
      }),
  );

/**
 * Refuses a request whose query has a name that its route does not declare (422, by field), and one with a body where its route
 * declares none. A deprecated route is left aside: it fails for every request alike.
 */
export function refuseUndeclared({ deprecated, queryNames, body }: Route<never>): MiddlewareHandler<HttpEnv> {
  if (deprecated === true) return (_c, next) => next();
  return async (c, next) => {
    const unknown = explainUnknownNames(new URL(c.req.url).searchParams.keys(), queryNames, 'this query');
    if (Object.keys(unknown).length > 0) throw invalidFields(unknown);
    if (body === undefined) await refuseBody(c);
    return next();
  };
}

/** Refuses the body of a request whose route takes none: what its sender asks for would not be done. `{}` asks for nothing. */
async function refuseBody(c: Context<HttpEnv>): Promise<void> {
  if (!hasBody(c)) return;
  const { method } = c.req;
  const text = method === 'GET' || method === 'HEAD' ? undefined : await c.req.text();
  if (text?.trim() === '') return;
  if (text === undefined || !text.trimStart().startsWith('{'))
    throw invalidRequest(`${method} of this address takes no body: send it without, with what is meant in the path and the query`);
  const unknown = explainUnknownNames(Object.keys(parseJsonObject(text)), [], 'this body');
  if (Object.keys(unknown).length > 0) throw invalidFields(unknown);
}
