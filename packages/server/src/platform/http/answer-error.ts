import { HiloError } from '@hilo/engine/contract';
import type { ErrorHandler, NotFoundHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Logger } from '../logging/logger.ts';
import type { HttpEnv, Surface } from './context.ts';
import { fullError } from './full-error.ts';
import { invalidRequest, notFound, Refusal } from './refusal.ts';
import { refusalOf } from './statuses.ts';

/** Answers whatever a handler throws, in the shapes of ERR-01 to ERR-08 alone. What nobody foresaw is a 500 without a detail. */
export const answerErrors =
  (log: Logger): ErrorHandler<HttpEnv> =>
  (error, c) => {
    const { status, headers, body } = errorAnswer(error, log, { requestId: c.get('requestId'), surface: c.get('surface') });
    return Response.json(body, { status, headers });
  };

/** What a failure is answered. One that nobody foresaw is written into the log. */
export function errorAnswer(
  error: unknown,
  log: Pick<Logger, 'error'>,
  about: { readonly requestId: string; readonly surface: Surface },
): { readonly status: number; readonly headers: { readonly [name: string]: string }; readonly body: object } {
  const refusal = asRefusal(error);
  if (refusal !== undefined) return { status: refusal.status, headers: refusal.headers, body: bodyOf(refusal, about.surface) };
  log.error({ ...about, error }, 'request failed');
  return { status: 500, headers: {}, body: internalError };
}

/** Answers what no route takes. */
export const answerNotFound: NotFoundHandler<HttpEnv> = (c) => {
  const refusal = notFound('NOT_FOUND', 'There is nothing at this address; the routes are in /openapi.json');
  return Response.json(bodyOf(refusal, c.get('surface')), { status: refusal.status, headers: refusal.headers });
};

function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof HiloError) return refusalOf(error as HiloError);
  // The framework's own, such as a body that its validator cannot parse.
  if (error instanceof HTTPException && error.status < 500) return invalidRequest(error.message);
  return undefined;
}

function bodyOf(refusal: Refusal, surface: Surface): object {
  const { status, code, message } = refusal;
  if (status === 401 && surface === 'functions') return { error: 'Unauthorized' }; // AUT-07
  if (status === 401 && surface === 'rest') return { message }; // AUT-08, ERR-02
  if (status === 422) return fullError(refusal);
  return { error: code, message };
}

/** ERR-02, ERR-04. */
export const internalError = { message: ['Something went wrong on our side; please try again later'], statusMessage: 'failed', status: 0 };
