import { z } from '@hono/zod-openapi';

/** A response with a JSON body, for the description of the interface. */
export const said = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
});

/** The body of a simple error (ERR-07). */
export const Problem = z.object({ error: z.string(), message: z.string() }).openapi('Problem');
