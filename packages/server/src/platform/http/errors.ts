// Refused requests: what refuses them throws an `HttpError`, and the surface that answers gives it its shape.
import type { OnLimit } from '@hilo/drivers';
import { HiloError, type Problem, WebhookMethod } from '@hilo/engine/contract';
import type { ErrorHandler, NotFoundHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ZodError } from 'zod';
import type { Logger } from '../logging/logger.ts';
import type { HttpEnv, Surface } from './context.ts';
import { httpLimits } from './limits.ts';
import { isOpenedByPerson, renderRefusal } from './refusal-page.ts';

/** The specification's error statuses, and the additions of GEN-06. */
export type HttpErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 421 | 422 | 429 | 503;

/** Messages by field. */
export type FieldErrors = { readonly [field: string]: readonly string[] };

interface HttpErrorDetails {
  readonly headers?: { readonly [name: string]: string };
  /** Messages of a 422 by field (ERR-05). */
  readonly fields?: FieldErrors;
  /** The full report beside them, in a 422 for a canvas or a workspace. */
  readonly problems?: readonly Problem[];
  /** The bound that was reached: the surface that answers counts it. */
  readonly limit?: ReachedBound;
}

/** A bound of the service that a request reached. */
export interface ReachedBound {
  /** As `hilo_limits_reached_total` names it. */
  readonly name: string;
  /** Who reached it, such as a company or a network, where that is known. */
  readonly holder?: string | undefined;
}

/** A refused request. The surface that throws it gives the answer its shape (ERR-01 to ERR-08). */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: HttpErrorStatus;
  /** The code of ERR-06, or an addition to them. */
  readonly code: string;
  readonly headers: { readonly [name: string]: string };
  readonly fields: FieldErrors;
  readonly problems: readonly Problem[] | undefined;
  readonly limit: ReachedBound | undefined;

  constructor(status: HttpErrorStatus, code: string, message: string, details: HttpErrorDetails = {}) {
    const { headers = {}, fields = {}, problems, limit } = details;
    super(cutText(message));
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.fields = fields;
    this.problems = problems;
    this.limit = limit;
  }
}

/** 400: the request cannot be read, or contradicts itself. */
export const invalidRequest = (reason: string): HttpError => new HttpError(400, 'INVALID_REQUEST', reason);

/** @param scheme - what a caller is to send, where HTTP has a name for it (RFC 9110) */
export const unauthorized = (message: string, scheme?: string): HttpError =>
  new HttpError(401, 'UNAUTHORIZED', message, scheme === undefined ? {} : { headers: { 'www-authenticate': scheme } });

/** 404 with a code that says what is missing. */
export const notFound = (code: string, message: string): HttpError => new HttpError(404, code, message);

/** 413: the body is over a limit. */
export const tooLarge = (what: string): HttpError => new HttpError(413, 'INVALID_REQUEST', what);

/** Nothing was written: the same request may be sent again (P22, P26). */
export const unavailable = (reason: string, retryAfterS = 1): HttpError =>
  new HttpError(503, 'UNAVAILABLE', reason, { headers: { 'retry-after': String(retryAfterS) } });

/** The same where a bound of the process is reached. */
export const tooBusy = (limit: ReachedBound, reason: string, retryAfterS = 1): HttpError =>
  new HttpError(503, 'UNAVAILABLE', reason, { headers: { 'retry-after': String(retryAfterS) }, limit });

/** 429: one sender has sent too much. */
export const tooMany = (limit: ReachedBound, message: string, retryAfterS: number): HttpError =>
  new HttpError(429, 'TOO_MANY_REQUESTS', message, { headers: { 'retry-after': String(retryAfterS) }, limit });

/** 409: as many of something are kept as may be, and one has to go first. */
export const full = (limit: ReachedBound, code: `TOO_MANY_${string}`, message: string): HttpError =>
  new HttpError(409, code, message, { limit });

/** So many texts are in one answer: a body may break rules thousands of times, and each text repeats a part of it. */
const maxFieldTexts = 200;

/** Values that break a rule, by field (ERR-05). Its message says how many there are. @param unsaid - further ones, which are only counted */
export const invalidFields = (fields: FieldErrors, problems?: readonly Problem[], unsaid = 0): HttpError =>
  new HttpError(422, 'E0422', summarizeFields(fields, unsaid), { fields: firstTexts(fields), ...(problems !== undefined && { problems }) });

/** The texts that an answer shows, and of each field and text as much as of a sentence: both may repeat what the caller sent. */
function firstTexts(fields: FieldErrors): FieldErrors {
  let left = maxFieldTexts;
  const kept: [string, readonly string[]][] = [];
  for (const [field, texts] of Object.entries(fields)) {
    if (left <= 0) break;
    kept.push([cutText(field), texts.slice(0, left).map(cutText)]);
    left -= texts.length;
  }
  return Object.fromEntries(kept);
}

const cutText = (text: string): string => text.slice(0, httpLimits.messageChars).toWellFormed();

/** The same for the issues of a schema. A list of 49,000 wrong values has as many issues: those that are not shown are only counted. */
export function invalidInput({ issues }: Pick<ZodError, 'issues'>): HttpError {
  const shown = listTexts(issues, maxFieldTexts);
  const count = issues.reduce((sum, issue) => sum + countTexts(issue), 0);
  return invalidFields(groupByField(shown), undefined, count - shown.length);
}

/** The messages of a schema by field. A field is one of the body or the query itself, however deep the issue is. */
export const groupIssues = (issues: ZodError['issues']): FieldErrors => groupByField(listTexts(issues));

type Issue = ZodError['issues'][number];

const isOfUnknownFields = (issue: Issue): issue is Issue & { readonly code: 'unrecognized_keys' } =>
  issue.path.length === 0 && issue.code === 'unrecognized_keys';

const countTexts = (issue: Issue): number => (isOfUnknownFields(issue) ? issue.keys.length : 1);

/** The first `most` texts of issues, each with its field. */
function listTexts(issues: ZodError['issues'], most = Infinity): readonly (readonly [field: string, text: string])[] {
  const found: (readonly [string, string])[] = [];
  for (const issue of issues) {
    if (found.length >= most) break;
    if (isOfUnknownFields(issue)) for (const told of explainUnknownKeys(issue, most - found.length)) found.push(told);
    else found.push([String(issue.path[0] ?? 'body'), issue.message]);
  }
  return found;
}

/** The sentence for each unknown field. One with a line for each is not said whole of all: 10,000 fields made an answer of 180 MB. */
function explainUnknownKeys(
  { keys, message }: { readonly keys: readonly string[]; readonly message: string },
  most: number,
): readonly (readonly [field: string, text: string])[] {
  const lines = message.split('\n');
  const sentence = (index: number): string => (lines.length === keys.length ? lines[index] : undefined) ?? message;
  return keys.slice(0, most).map((key, index) => [key, sentence(index)] as const);
}

/** Groups messages by field, in the order in which they were found. */
export const groupByField = (found: readonly (readonly [field: string, text: string])[]): FieldErrors =>
  Object.fromEntries([...Map.groupBy(found, ([field]) => field)].map(([field, texts]) => [field, texts.map(([, text]) => text)]));

/** The first thing that is wrong, and how many more there are. A text that begins with its field names it already. */
function summarizeFields(fields: FieldErrors, unsaid: number): string {
  const [[field, [text]] = ['', []]] = Object.entries(fields).filter(([, texts]) => texts.length > 0);
  const count = Object.values(fields).reduce((sum, texts) => sum + texts.length, unsaid);
  const first = text === undefined || text.startsWith(`${field} `) ? text : `${field}: ${text}`;
  return `${first ?? 'Some values break a rule'}${count > 1 ? `; and ${count - 1} more` : ''}`;
}

/** The body of a 422 (ERR-01, ERR-05). Its `status` is 0 for a failure, and not the HTTP status. */
const buildFullError = ({ message, fields, problems }: Pick<HttpError, 'message' | 'fields' | 'problems'>) => ({
  message: [message],
  statusMessage: 'failed',
  status: 0,
  error: {
    code: 'E0422',
    key: 'VALIDATOR_ERROR',
    description: 'Some values break a rule',
    developerMessages: inLanguages,
    clientMessages: inLanguages,
  },
  validationError: Object.fromEntries(Object.entries(fields).map(([field, texts]) => [field, texts.map((en) => ({ en }))])),
  ...(problems !== undefined && { problems }),
});

const inLanguages = {
  en: 'Some values are not valid: see validationError',
  es: 'Algunos valores no son válidos: vea validationError',
  pt: 'Alguns valores não são válidos: veja validationError',
};

/** A failure of the engine as the refusal of a request. */
function convertHiloError(error: HiloError): HttpError | undefined {
  const { status } = error;
  if (status === 500) return undefined;
  if (status === 503 && 'retryAfterS' in error.details)
    return new HttpError(status, error.code, error.message, { headers: { 'retry-after': String(error.details.retryAfterS) } });
  if (status === 503) return new HttpError(status, error.code, 'The store did not take this now; send it again', retrySoon);
  return new HttpError(status, error.code, error.message, { headers: buildHeaders(error), fields: buildFields(error) });
}

const retrySoon = { headers: { 'retry-after': '1' } };

/** The methods of an `Allow` header in one order, or the cell to ask. */
function buildHeaders({ details }: HiloError): { readonly [name: string]: string } {
  if ('cell' in details) return { 'x-hilo-cell': details.cell };
  return 'allowed' in details ? { allow: WebhookMethod.options.filter((method) => details.allowed.includes(method)).join(', ') } : {};
}

const buildFields = ({ details }: HiloError): { readonly [field: string]: readonly string[] } =>
  'problems' in details ? { canvas: details.problems.map(({ code, message }) => `${code}: ${message}`) } : {};

/** Answers any error of a handler in the shapes of ERR-01 to ERR-08. An unexpected error is a 500 without details. */
export const answerErrors =
  (log: Logger): ErrorHandler<HttpEnv> =>
  (error, c) => {
    const { status, headers, body } = describeFailure(error, log, { requestId: c.get('requestId'), surface: c.get('surface') });
    if (isOpenedByPerson(c)) return renderRefusal(c, { status, headers, message: error.message });
    return Response.json(body, { status, headers });
  };

/** Describes the answer to a failure; an unexpected one is logged. */
export function describeFailure(
  error: unknown,
  log: Pick<Logger, 'error'>,
  about: { readonly requestId: string; readonly surface: Surface },
): { readonly status: HttpErrorStatus | 500; readonly headers: { readonly [name: string]: string }; readonly body: object } {
  const refusal = asHttpError(error);
  if (refusal !== undefined) return { status: refusal.status, headers: refusal.headers, body: buildBody(refusal, about.surface) };
  log.error({ ...about, error }, 'request failed');
  return { status: 500, headers: {}, body: internalError };
}

/** Counts what a bound refused, where its answer is made: no bound has to know who counts (P22). */
export function reportBound(error: unknown, onLimit: OnLimit): void {
  if (!(error instanceof HttpError) || error.limit === undefined) return;
  const { name, holder = 'unknown' } = error.limit;
  onLimit({ limit: name, holder, message: `A request was refused: ${error.message}` });
}

/** Answers requests that no route matches. */
export const answerNotFound: NotFoundHandler<HttpEnv> = (c) => {
  const refusal = notFound('NOT_FOUND', 'There is nothing at this address; the routes are in /openapi.json');
  const { status, headers, message } = refusal;
  if (isOpenedByPerson(c)) return renderRefusal(c, { status, headers, message });
  return Response.json(buildBody(refusal, c.get('surface')), { status, headers });
};

/** A failure as the refusal of a request; undefined for what only an operator can put right. */
export function asHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (error instanceof HiloError) return convertHiloError(error as HiloError); // undefined for what only an operator can put right
  // The framework's own, such as a body that its validator cannot parse.
  if (error instanceof HTTPException && error.status < 500) return invalidRequest(error.message);
  return undefined;
}

function buildBody(refusal: HttpError, surface: Surface): object {
  const { status, code, message } = refusal;
  if (status === 401 && surface === 'functions') return { error: 'Unauthorized' }; // AUT-07
  if (status === 401 && surface === 'rest') return { message }; // AUT-08, ERR-02
  if (status === 422) return buildFullError(refusal);
  return { error: code, message };
}

/** ERR-02, ERR-04. */
export const internalError = { message: ['Something went wrong on our side; please try again later'], statusMessage: 'failed', status: 0 };
