import { randomUUID } from 'node:crypto';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { HttpEnv, Surface } from './context.ts';
import { answerErrors, answerNotFound, reportBound } from './errors.ts';
import { readClientAddress, readSocketAddress } from './socket-address.ts';
import type { Traffic } from './traffic.ts';
import type { Platform } from '../platform.ts';

/** Headers of every answer, unless the route sets its own: browsers must not run, frame or cache it (T20). */
export const securityHeaders: readonly (readonly [string, string])[] = Object.entries({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});

/** The surfaces that ask for an API key. */
const keyedSurfaces: ReadonlySet<Surface> = new Set(['gateway', 'legacy']);

/**
 * Headers that no route of a surface overrides. To the holder of an API key those of caches: the address of a webhook names no company, so
 * a shared cache would give one company's answer to another (P28).
 */
export const listAnswerHeaders = (surface: Surface): readonly (readonly [string, string])[] =>
  keyedSurfaces.has(surface) ? keyedAnswerHeaders : [];

const keyedAnswerHeaders: readonly (readonly [string, string])[] = [
  ['cache-control', 'private, no-store'],
  ['vary', 'x-api-key'],
];

/** The surfaces of operators, whose log says who did what, and from where. */
const watchedSurfaces: ReadonlySet<Surface> = new Set(['management', 'operations']);

/** Without a name the operator is one who logs in, or whose command comes by the socket of the data directory. */
function describeActor(c: Context<HttpEnv>) {
  const unnamed = c.get('surface') === 'management' && c.res.status !== 401 ? 'operator' : 'nobody';
  return { actor: c.get('credential') ?? unnamed, address: readClientAddress(c) };
}

/**
 * Surrounds every request of a surface: an id, security headers, a log line and metrics. A surface mounted in the whole app only sets
 * its name. Not Hono's `requestId` and `secureHeaders`: the first trusts the caller's id, the second overwrites what a route set, and
 * the calls that Node's own server answers need the same headers.
 */
export const envelope =
  (
    { log }: Pick<Platform, 'log'>,
    { requests, addresses, onLimit }: Pick<Traffic, 'requests' | 'addresses' | 'onLimit'>,
    surface: Surface,
  ): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const isInner = c.get('requestId') !== undefined;
    c.set('surface', surface);
    if (isInner) return next();
    const requestId = randomUUID();
    c.set('requestId', requestId);
    c.set('clientAddress', addresses.find(readSocketAddress(c), c.req.header('x-forwarded-for')));
    const startedAt = performance.now();
    await next();
    reportBound(c.error, onLimit);
    const { headers, status } = c.res;
    for (const [name, value] of securityHeaders) if (!headers.has(name)) headers.set(name, value);
    for (const [name, value] of listAnswerHeaders(c.get('surface'))) headers.set(name, value);
    headers.set('x-request-id', requestId);
    const about = { requestId, surface: c.get('surface'), status, method: c.req.method, path: c.req.path, startedAt };
    logRequest(log, requests, watchedSurfaces.has(about.surface) ? { ...about, ...describeActor(c) } : about);
    return undefined;
  };

/** Where the path of a surface has what opens it: whoever reads the log could go there. A host may have the surface below another path. */
const credentialsInPaths: { readonly [Name in Surface]?: RegExp } = {
  callbacks: /(?<=\/resume\/).+/s,
  files: /(?<=\/files\/).+/s,
  chat: /(?<=\/files\/).+/s,
  payments: /(?<=\/payments\/test\/).+/s,
};

/** Where the path of management names a person by what they are called elsewhere: an erasure finds nothing in what was logged before. */
const peopleInPaths = /(?<=\/contacts\/)(?!con_|import(?:\/|$))[^/]+|(?<=\/companies\/[^/]+\/users\/)[^/]+/g;

/** A path without the token that is its credential, and without numbers and ids of people. */
function hideSecrets(surface: Surface, path: string): string {
  if (surface === 'management') return path.replace(peopleInPaths, '…');
  const credential = credentialsInPaths[surface];
  return credential === undefined ? path : path.replace(credential, '…');
}

/** Writes the line of a request that was answered, and counts it. */
export function logRequest(
  log: Pick<Platform['log'], 'info' | 'request'>,
  requests: Traffic['requests'],
  request: {
    readonly requestId: string;
    readonly surface: Surface;
    readonly status: number;
    readonly method: string;
    /** Without the query: it is the caller's data, and the wrong place for credentials that end there all the same. */
    readonly path: string;
    /** Who sent it, by the name of its credential: `nobody` for one that is missing or wrong. */
    readonly actor?: string;
    readonly address?: string | undefined;
    /** By `performance.now()`. */
    readonly startedAt: number;
  },
): void {
  const { startedAt, ...about } = request;
  const durationMs = performance.now() - startedAt;
  requests.observe({ surface: about.surface, status: about.status }, durationMs / 1000);
  const fields = { ...about, path: hideSecrets(about.surface, about.path), durationMs: Math.round(durationMs * 10) / 10 };
  if (log.request !== undefined && about.actor === undefined) log.request(fields);
  else log.info(fields, 'request');
}

/** Lets a surface that is mounted alone answer errors and unknown routes as the whole app does. */
export function withErrorHandler<App extends Pick<Hono<HttpEnv>, 'onError' | 'notFound'>>(app: App, { log }: Pick<Platform, 'log'>): App {
  app.onError(answerErrors(log));
  app.notFound(answerNotFound);
  return app;
}
