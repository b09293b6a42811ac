import { z } from '@hono/zod-openapi';
import { FullError, Problem, said } from './openapi.ts';

/** The answer of what changes something: sentences for people, and `status` 1, which is not the HTTP status (CAM-14). */
export const succeeded = (...message: readonly string[]) => ({ message, statusMessage: 'success' as const, status: 1 as const });

/** Its shape, for the description of the interface. */
export const Succeeded = z.object({ message: z.array(z.string()).readonly(), statusMessage: z.literal('success'), status: z.literal(1) });

/** What any route may come to, whatever is asked of it. */
export const anyRefusals = {
  401: said('No valid client id and secret', z.object({ message: z.string() }).openapi('Unauthorized')),
  429: said('Too many requests: see Retry-After', Problem),
  500: said(
    'Something went wrong on our side; try again later',
    z.object({ message: z.array(z.string()), statusMessage: z.string(), status: z.int() }).openapi('Failure'),
  ),
  503: said('Overloaded, or the store is not reached: nothing was written; see Retry-After', Problem),
};

/** What a route without a body may refuse with. */
export const restRefusals = (notFound: string) => ({
  ...anyRefusals,
  404: said(notFound, Problem),
  422: said('A value breaks a rule', FullError),
});

/** What a route with a body may refuse with, too. */
export const restBodyRefusals = (notFound: string) => ({
  ...restRefusals(notFound),
  400: said('The body is no JSON object, or is not sent as JSON', Problem),
  413: said('The body is larger than 1 MB', Problem),
});
