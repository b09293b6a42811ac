import { z } from '@hono/zod-openapi';
import { Problem } from './schemas.ts';

/** A response with a JSON body, for the document. */
export const answers = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

/** A body that is described and not judged here: a canvas is judged by the engine, which finds more to say. */
export const describedBody = (description: string, schema: object = { type: 'object' }) => ({
  description,
  content: { 'application/json': { schema } },
});

const SimpleError = z.object({ error: z.string(), message: z.string() }).openapi('SimpleError');

const Languages = z.record(z.string(), z.string());
const FullError = z
  .object({
    message: z.union([z.string(), z.array(z.string())]),
    statusMessage: z.string(),
    status: z.int().openapi({ description: '0 for a failure; not the HTTP status' }),
    error: z.object({
      code: z.string(),
      key: z.string(),
      description: z.string(),
      developerMessages: Languages,
      clientMessages: Languages,
    }),
    validationError: z.record(z.string(), z.array(Languages)),
  })
  .openapi('FullError');

/** What every route of management may refuse with. */
export const refusals = {
  401: answers(SimpleError, 'No admin token, or not this one'),
  404: answers(SimpleError, 'No such company, workflow, version, execution or bot'),
  422: answers(FullError, 'A value of the query breaks a rule'),
  503: answers(SimpleError, 'Overloaded, or the store is not reached: nothing was written; see Retry-After'),
};

/** What a route that takes a body may refuse with, too. */
export const bodyRefusals = {
  ...refusals,
  400: answers(SimpleError, 'The body is no JSON, or contradicts the path'),
  413: answers(SimpleError, 'The body is too large'),
  422: answers(FullError.extend({ problems: z.array(Problem) }), 'The canvas cannot be taken: see problems'),
};
