import { z } from '@hono/zod-openapi';
import { FullError, Problem, said } from './openapi.ts';
import { Problem as CanvasProblem } from './admin-schemas.ts';

/** What every route of management may refuse with. */
export const refusals = {
  401: said('No admin token, or not this one', Problem),
  404: said('No such company, workflow, version, execution or bot', Problem),
  422: said('A value of the query breaks a rule', FullError),
  429: said('Too many requests: see Retry-After', Problem),
  503: said('Overloaded, or the store is not reached: nothing was written; see Retry-After', Problem),
};

/** What a route that takes a body may refuse with, too. */
export const bodyRefusals = {
  ...refusals,
  400: said('The body is no JSON, or contradicts the path', Problem),
  413: said('The body is too large', Problem),
  422: said(
    'A value breaks a rule; for a canvas or a workspace, see problems',
    FullError.extend({ problems: z.array(CanvasProblem).optional() }),
  ),
};
