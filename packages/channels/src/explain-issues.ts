import { typeWords } from '@hilo/engine/contract';
import type { z } from 'zod';

/** Describes in words why a value is of the wrong type; its place is put before it by {@link explainIssues}. */
export const inWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_union') return undefined;
  if (issue.input === undefined) return 'it is missing';
  if (issue.code === 'invalid_type') return `it must be ${typeWords[issue.expected] ?? issue.expected}`;
  return Array.isArray(issue.options) ? `it must be one of ${issue.options.join(', ')}` : undefined;
};

/** Every issue with its place, unless its message begins with that. @param whole - what the value itself is called */
export const explainIssues = (
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
  whole: string,
): string =>
  issues
    .map(({ path, message }) => {
      const place = path.length === 0 ? whole : path.join('.');
      return message.startsWith(`"${place}"`) ? message : `${place}: ${message}`;
    })
    .join('; ');
