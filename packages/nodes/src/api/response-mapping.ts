import { type Failure, formatPath, getPath, Json, limits, parsePath, type Path, VariablePath, type Write } from '@hilo/engine/contract';
import { z } from 'zod';

/** A place in `{ status, headers, body }`. In the canvas a text, here its steps. */
const ResponsePath = z
  .string()
  .meta({ pattern: '^(status|headers|body)([.[].+)?$', examples: ['body.items[0].id', 'headers.etag'] })
  .transform((text, context): Path => {
    const path = parsePath(text);
    if (path !== undefined && ['status', 'headers', 'body'].includes(String(path[0]))) return path;
    context.addIssue(`"${text}" is no part of an answer; use status, headers.name or body.name`);
    return z.NEVER;
  });

/** Parts of an answer, and the variables that keep them. */
export const ResponseMapping = z
  .array(
    z.strictObject({
      path: VariablePath.meta({ description: 'The variable that keeps the part' }),
      from: ResponsePath.meta({ description: 'The part of the answer' }),
      default: Json.optional().meta({
        description: 'What is kept where the answer has no such part; without one the node leaves by "error"',
      }),
    }),
  )
  .min(1)
  .max(limits.assignments);
type ResponseMapping = z.output<typeof ResponseMapping>;

/** The writes of a mapping, or why there are none: then nothing of it is written. */
export function mapResponse(mapping: ResponseMapping, response: Json): readonly Write[] | Failure {
  const writes: Write[] = [];
  for (const { path, from, default: fallback } of mapping) {
    const found = getPath(response, from);
    const value = found === undefined ? fallback : found; // null is there
    if (value === undefined) {
      const where = formatPath(from);
      return { cause: 'RESPONSE_MAPPING', message: `The answer has no "${where}", and the mapping no default`, details: { from: where } };
    }
    writes.push({ path, value });
  }
  return writes;
}
