import { isScopeName, type Path, parsePath } from '@hilo/engine/contract';
import { z } from 'zod';

/** A place to read: `$user.names`. In the canvas a text, here its steps. */
export const ReadPath = z
  .string()
  .meta({ pattern: String.raw`^\$\w+[.[]`, examples: ['$context.answer'] })
  .transform((text, context): Path => {
    const path = parsePath(text);
    if (path !== undefined && path.length >= 2 && isScopeName(path[0])) return path;
    context.addIssue(`"${text}" is not the place of a variable; write it as $context.name`);
    return z.NEVER;
  });
