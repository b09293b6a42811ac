import { typeWords } from '@hilo/engine/contract';
import type { z } from 'zod';

/** The field that a path leads to, quoted. */
export const quoteField = (path: readonly PropertyKey[]): string => {
  const field = path.findLast((step) => typeof step === 'string');
  return field === undefined ? 'The value' : `"${field}"`;
};

/** Describes in words why the type or the size of a value is wrong. The value is never repeated: it may be a secret. */
export const inWords: z.core.$ZodErrorMap = (issue) => {
  const name = quoteField(issue.path ?? []);
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `${name} is missing` : `${name} must be ${typeWords[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.input === undefined ? `${name} is missing` : `${name} must be ${listChoices(issue.values)}`;
    case 'invalid_union':
      return Array.isArray(issue.options) ? `${name} must be ${listChoices(issue.options)}` : `${name} is not what it must be`;
    case 'too_small':
      return describeBound(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return describeBound(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'unrecognized_keys':
      return `${name} has no ${listKeys(issue.keys)}`;
    default:
      return undefined;
  }
};

/** So many unknown fields are named: a body may have thousands, and the text is said of each. */
const maxKeys = 5;

function listKeys(keys: readonly string[]): string {
  const named = keys.slice(0, maxKeys).map((key) => `"${key.slice(0, 200).toWellFormed()}"`);
  return `${named.join(', ')}${keys.length > maxKeys ? `, and ${keys.length - maxKeys} more` : ''}`;
}

const unitsOf: { readonly [origin: string]: string | undefined } = { string: 'character', array: 'item', record: 'field', object: 'field' };

function describeBound(origin: string, bound: number | bigint, words: string): string {
  const unit = unitsOf[origin];
  return unit === undefined ? `it must be ${words} ${bound}` : `it must have ${words} ${bound} ${unit}${Number(bound) === 1 ? '' : 's'}`;
}

const listChoices = (values: readonly unknown[]): string => `${values.length === 1 ? '' : 'one of '}${values.map(String).join(', ')}`;
