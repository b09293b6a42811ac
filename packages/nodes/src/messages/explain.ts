import type { z } from 'zod';

/** A sentence for an issue that zod found: what, where, and what to do. */
export type Explanation = (issue: Pick<z.core.$ZodRawIssue, 'path' | 'input'>) => string;

/** Where an issue is, as a person writes it: `"quick_replies[0].title"`. */
export function place(path: readonly PropertyKey[] | undefined): string {
  if (path === undefined || path.length === 0) return 'The message';
  const steps = path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`));
  return `"${steps.join('')}"`;
}

/** For a value that is missing or of another kind. `what` completes "give …". */
export const mustBe =
  (what: string): Explanation =>
  ({ path, input }) =>
    input === undefined ? `${place(path)} is missing: give ${what}` : `${place(path)} must be ${what}, and is ${inWords(input)}`;

/** What was given: a short value itself, else its kind. */
function inWords(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a text' : `the text ${JSON.stringify(value)}`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
