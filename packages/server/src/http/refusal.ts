import { httpLimits } from './limits.ts';

/** The statuses of the specification for what is not taken, and the few additions of GEN-06. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 422 | 429 | 503;

/** What is wrong, by field. */
export type FieldErrors = { readonly [field: string]: readonly string[] };

interface RefusalDetails {
  readonly headers?: { readonly [name: string]: string };
  /** Of a 422: what is wrong, by field (ERR-05). */
  readonly fields?: FieldErrors;
}

/** A request that is not taken. The surface that throws it gives the answer its shape (ERR-01 to ERR-08). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: RefusalStatus;
  /** The code of ERR-06, or an addition to them. */
  readonly code: string;
  readonly headers: { readonly [name: string]: string };
  readonly fields: FieldErrors;

  constructor(status: RefusalStatus, code: string, message: string, { headers = {}, fields = {} }: RefusalDetails = {}) {
    super(message.slice(0, httpLimits.messageChars).toWellFormed());
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.fields = fields;
  }
}

export const invalidRequest = (reason: string): Refusal => new Refusal(400, 'INVALID_REQUEST', reason);

export const unauthorized = (message: string): Refusal => new Refusal(401, 'UNAUTHORIZED', message);

export const notFound = (code: string, message: string): Refusal => new Refusal(404, code, message);

export const tooLarge = (what: string): Refusal => new Refusal(413, 'INVALID_REQUEST', what);

/** Nothing was written: the same request may be sent again (P22, P26). */
export const unavailable = (reason: string, retryAfterS = 1): Refusal =>
  new Refusal(503, 'UNAVAILABLE', reason, { headers: { 'retry-after': String(retryAfterS) } });
