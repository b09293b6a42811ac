// Refusals, as tests expect them.
import { expect } from 'vitest';

interface Refusal {
  readonly status: number;
  readonly body: unknown;
}

/** A refusal in full (ERR-01, ERR-05). @param fields - what is wrong, by field */
export const invalid = (fields: { readonly [field: string]: string }): Refusal => ({
  status: 422,
  body: {
    message: [sentenceOf(Object.entries(fields))],
    statusMessage: 'failed',
    status: 0,
    error: {
      code: 'E0422',
      key: 'VALIDATOR_ERROR',
      description: expect.any(String) as unknown,
      developerMessages: expect.objectContaining({ en: expect.any(String) as unknown }) as unknown,
      clientMessages: expect.objectContaining({ es: expect.any(String) as unknown }) as unknown,
    },
    validationError: Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, [{ en: text }]])),
  },
});

/** The sentence about the first field, which names it once, and how many more fields are wrong. */
const sentenceOf = ([[field, text] = ['', ''], ...more]: readonly (readonly [string, string])[]): string =>
  `${text.startsWith(`${field} `) ? text : `${field}: ${text}`}${more.length > 0 ? `; and ${more.length} more` : ''}`;

/** A refusal of the simple kind (ERR-07). */
export const simple = (status: number, error: string, message: string): Refusal => ({ status, body: { error, message } });
