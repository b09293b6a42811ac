import type { Problem } from '@hilo/engine/contract';
import { HTTPException } from 'hono/http-exception';
import type { ZodError } from 'zod';
import { fullError } from '../http/full-error.ts';
import { type FieldErrors, notFound, Refusal } from '../http/refusal.ts';

export const companyNotFound = (companyId: string): Refusal => notFound('COMPANY_NOT_FOUND', `There is no company "${companyId}"`);

export const workflowNotFound = (workflowId: string): Refusal =>
  notFound('WORKFLOW_NOT_FOUND', `There is no workflow "${workflowId}": PUT a canvas here to make it`);

export const executionNotFound = (executionId: string): Refusal =>
  notFound('EXECUTION_NOT_FOUND', `There is no execution "${executionId}"`);

/** Values that break a rule, by field (ERR-05). */
export const invalidFields = (fields: FieldErrors): Refusal => new Refusal(422, 'E0422', sentenceOf(fields), { fields });

/** The same for what a schema found. */
export function invalidInput({ issues }: Pick<ZodError, 'issues'>): Refusal {
  const fields = new Map<string, string[]>();
  for (const { path, message } of issues) add(fields, path.join('.') || 'body', message);
  return invalidFields(Object.fromEntries(fields));
}

/** A canvas or a workspace that cannot be taken: the shape of every 422, a field being a JSON pointer, with the report beside it. */
export function problemsRefused(problems: readonly Problem[]): HTTPException {
  const fields = new Map<string, string[]>();
  for (const { severity, pointer, code, message } of problems)
    if (severity === 'error') add(fields, pointer === '' ? '/' : pointer, `${code}: ${message}`);
  const errors = Object.fromEntries(fields);
  const message = sentenceOf(errors);
  return new HTTPException(422, { message, res: Response.json({ ...fullError(message, errors), problems }, { status: 422 }) });
}

function add(fields: Map<string, string[]>, field: string, text: string): void {
  const texts = fields.get(field);
  if (texts === undefined) fields.set(field, [text]);
  else texts.push(text);
}

/** The first thing that is wrong, and how many more there are. */
function sentenceOf(fields: FieldErrors): string {
  const all = Object.entries(fields).flatMap(([field, texts]) => texts.map((text) => `${field}: ${text}`));
  return `${all[0] ?? 'Nothing is wrong'}${all.length > 1 ? `; and ${all.length - 1} more` : ''}`;
}
