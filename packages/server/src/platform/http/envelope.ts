import { randomUUID } from 'node:crypto';
import type { Hono, MiddlewareHandler } from 'hono';
import type { Service } from '../../service.ts';
import { answerErrors, answerNotFound } from './answer-error.ts';
import type { HttpEnv, Surface } from './context.ts';
import { keyedAnswerHeaders, securityHeaders } from './security-headers.ts';
import type { Traffic } from './traffic.ts';

/**
 * What is around every request of a surface: an id, the headers that keep a browser from harm, one line in the log, and a
 * place in the metrics. Around a surface that stands in the whole app it only says which surface it is.
 */
export const envelope =
  ({ log }: Pick<Service, 'log'>, { requests }: Pick<Traffic, 'requests'>, surface: Surface): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const isInner = c.get('requestId') !== undefined;
    c.set('surface', surface);
    if (isInner) return next();
    const requestId = randomUUID();
    c.set('requestId', requestId);
    const startedAt = performance.now();
    await next();
    const { headers, status } = c.res;
    for (const [name, value] of securityHeaders) if (!headers.has(name)) headers.set(name, value);
    if (isKeyed.has(c.get('surface'))) for (const [name, value] of keyedAnswerHeaders) headers.set(name, value);
    headers.set('x-request-id', requestId);
    noteRequest(log, requests, { requestId, surface: c.get('surface'), status, method: c.req.method, path: c.req.path, startedAt });
    return undefined;
  };

/** Writes the line of a request that was answered, and counts it. */
export function noteRequest(
  log: Pick<Service['log'], 'info'>,
  requests: Traffic['requests'],
  request: {
    readonly requestId: string;
    readonly surface: Surface;
    readonly status: number;
    readonly method: string;
    /** Without the query: it is the caller's data, and the wrong place for credentials that end there all the same. */
    readonly path: string;
    /** By `performance.now()`. */
    readonly startedAt: number;
  },
): void {
  const { startedAt, ...about } = request;
  const durationMs = performance.now() - startedAt;
  requests.observe({ surface: about.surface, status: about.status }, durationMs / 1000);
  log.info({ ...about, durationMs: Math.round(durationMs * 10) / 10 }, 'request');
}

/** The surfaces that ask for an API key. */
const isKeyed: ReadonlySet<Surface> = new Set(['gateway', 'legacy']);

/** Lets a surface that is mounted alone answer errors and unknown routes as the whole app does. */
export function inShape<App extends Pick<Hono<HttpEnv>, 'onError' | 'notFound'>>(app: App, { log }: Pick<Service, 'log'>): App {
  app.onError(answerErrors(log));
  app.notFound(answerNotFound);
  return app;
}
