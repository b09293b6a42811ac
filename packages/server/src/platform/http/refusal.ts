import type { Problem } from '@hilo/engine/contract';
import type { ZodError } from 'zod';
import { httpLimits } from './limits.ts';

/** The statuses of the specification for what is not taken, and the few additions of GEN-06. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 422 | 429 | 503;

/** What is wrong, by field. */
export type FieldErrors = { readonly [field: string]: readonly string[] };

interface RefusalDetails {
  readonly headers?: { readonly [name: string]: string };
  /** Of a 422: what is wrong, by field (ERR-05). */
  readonly fields?: FieldErrors;
  /** Of a 422 for a canvas or a workspace: the report that is given beside them. */
  readonly problems?: readonly Problem[];
}

/** A request that is not taken. The surface that throws it gives the answer its shape (ERR-01 to ERR-08). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: RefusalStatus;
  /** The code of ERR-06, or an addition to them. */
  readonly code: string;
  readonly headers: { readonly [name: string]: string };
  readonly fields: FieldErrors;
  readonly problems: readonly Problem[] | undefined;

  constructor(status: RefusalStatus, code: string, message: string, { headers = {}, fields = {}, problems }: RefusalDetails = {}) {
    super(message.slice(0, httpLimits.messageChars).toWellFormed());
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.fields = fields;
    this.problems = problems;
  }
}

export const invalidRequest = (reason: string): Refusal => new Refusal(400, 'INVALID_REQUEST', reason);

/** @param scheme - what a caller is to send, where HTTP has a name for it (RFC 9110) */
export const unauthorized = (message: string, scheme?: string): Refusal =>
  new Refusal(401, 'UNAUTHORIZED', message, scheme === undefined ? {} : { headers: { 'www-authenticate': scheme } });

export const notFound = (code: string, message: string): Refusal => new Refusal(404, code, message);

export const tooLarge = (what: string): Refusal => new Refusal(413, 'INVALID_REQUEST', what);

/** Nothing was written: the same request may be sent again (P22, P26). */
export const unavailable = (reason: string, retryAfterS = 1): Refusal =>
  new Refusal(503, 'UNAVAILABLE', reason, { headers: { 'retry-after': String(retryAfterS) } });

/** Values that break a rule, by field (ERR-05). */
export const invalidFields = (fields: FieldErrors, problems?: readonly Problem[]): Refusal =>
  new Refusal(422, 'E0422', sentenceOf(fields), { fields, ...(problems !== undefined && { problems }) });

/** The same for what a schema found. A field is one of the body or the query itself, whatever inside it is wrong. */
export const invalidInput = ({ issues }: Pick<ZodError, 'issues'>): Refusal =>
  invalidFields(byField(issues.map(({ path: [field = 'body'], message }) => [String(field), message])));

/** What is said of each field, in the order in which it was found. */
export const byField = (found: readonly (readonly [field: string, text: string])[]): FieldErrors =>
  Object.fromEntries([...Map.groupBy(found, ([field]) => field)].map(([field, texts]) => [field, texts.map(([, text]) => text)]));

/** The first thing that is wrong, and how many more there are. */
function sentenceOf(fields: FieldErrors): string {
  const all = Object.entries(fields).flatMap(([field, texts]) => texts.map((text) => `${field}: ${text}`));
  return `${all[0] ?? 'Nothing is wrong'}${all.length > 1 ? `; and ${all.length - 1} more` : ''}`;
}
