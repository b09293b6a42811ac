import { typeWords } from '@hilo/engine/contract';
import type { z } from 'zod';

/** The field that a path leads to, quoted. */
export const quoteField = (path: readonly PropertyKey[]): string => {
  const field = path.findLast((step) => typeof step === 'string');
  return field === undefined ? 'The value' : `"${field}"`;
};

/** Describes in words why the type of a value is wrong. The value is never repeated: it may be a secret. */
export const inWords: z.core.$ZodErrorMap = (issue) => {
  const name = quoteField(issue.path ?? []);
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `${name} is missing` : `${name} must be ${typeWords[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.input === undefined ? `${name} is missing` : `${name} must be ${listChoices(issue.values)}`;
    case 'invalid_union':
      return Array.isArray(issue.options) ? `${name} must be ${listChoices(issue.options)}` : `${name} is not what it must be`;
    default:
      return undefined;
  }
};

const listChoices = (values: readonly unknown[]): string => `${values.length === 1 ? '' : 'one of '}${values.map(String).join(', ')}`;
