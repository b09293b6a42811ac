// Answers the most frequent routes on Node's own server.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Platform } from '../platform.ts';
import { type HttpAnswer, type HttpCall, jsonAnswer, onClosed } from './call.ts';
import type { Surface } from './context.ts';
import type { CallPlace, CallRoute, TakeCall } from './define-call-route.ts';
import { listAnswerHeaders, logRequest, securityHeaders } from './envelope.ts';
import { describeFailure, internalError, reportBound } from './errors.ts';
import { readIncoming } from './read-body.ts';
import { parseHost } from './socket-address.ts';
import type { Traffic } from './traffic.ts';

/** Answers a request of Node's own server, or leaves it alone. @returns whether it is answered here */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/** Letters, digits and signs that a segment of a path is written with when none is encoded: what a router decodes is left to the framework. */
const plainSegment = "[\\w.~:@!$&'()*+,;=-]+";
/** A query in characters that are safe to read as they are, with its question mark. */
const plainQuery = '(?:\\?[\\x21\\x22\\x24-\\x7e]*)?';

/** Routes of a surface that Node's own server answers. */
interface NodeRoutes<Parts> {
  readonly surface: Surface;
  readonly routes: readonly CallRoute<Parts>[];
  readonly parts: Parts;
  /** Authenticates a call, before its body is read. @returns its company @throws {HttpError} 401, 429 */
  readonly admit?: (call: HttpCall) => string | Promise<string>;
}

/** Where calls of a method go. */
interface Door<Parts> {
  readonly pattern: RegExp;
  readonly take: TakeCall<Parts>;
}

/** The doors of each method, in the order of the routes. */
const openDoors = <Parts>(routes: readonly CallRoute<Parts>[]): ReadonlyMap<string, readonly Door<Parts>[]> =>
  Map.groupBy(
    routes.map(({ method, path, take }) => ({ method, pattern: writePattern(path), take })),
    ({ method }) => method.toUpperCase(),
  );

/** A path with its query, as it comes in the head of a request; parameters are named groups. */
const writePattern = (path: string): RegExp => {
  const parts = path
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 1 ? `(?<${part}>${plainSegment})` : part.replaceAll('.', String.raw`\.`)));
  return new RegExp(`^${parts.join('')}${plainQuery}$`);
};

/**
 * Routes directly on Node.js requests and responses: the function that the framework's route calls as well, with the same headers, log
 * line and metrics, but without the objects that the framework allocates for each request. What it throws is answered in the shapes of
 * ERR-01 to ERR-08.
 */
export function createNodeHandler<Parts>(
  { log }: Pick<Platform, 'log'>,
  { requests, addresses, onLimit }: Pick<Traffic, 'requests' | 'addresses' | 'onLimit'>,
  { surface, routes, parts, admit = () => '' }: NodeRoutes<Parts>,
): NodeHandler {
  const doors = openDoors(routes);
  const listHeaders = prepareHeaders(surface);

  const answer = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    take: TakeCall<Parts>,
    params: CallPlace['params'],
  ): Promise<void> => {
    const [requestId, startedAt] = [randomUUID(), performance.now()];
    const { method = 'GET', url = '' } = incoming;
    const queryAt = url.indexOf('?');
    const headersOfCall = joinHeaders(incoming.rawHeaders);
    const call: HttpCall = {
      method,
      headers: headersOfCall,
      clientAddress: addresses.find(incoming.socket.remoteAddress, headersOfCall['x-forwarded-for']),
      query: queryAt === -1 ? noQuery : new URLSearchParams(url.slice(queryAt)),
      readBody: (entry) => readIncoming(incoming, outgoing, entry),
      onClosed: (listener) => onClosed(outgoing, listener),
    };
    const { status, headers, text } = await answerOf(call, take, params, requestId);
    if (!incoming.complete) outgoing.shouldKeepAlive = false; // the rest of its body is not read: the connection ends with the answer
    const list = listHeaders(headers, requestId);
    if (mayHaveBody(status)) list.push('content-length', String(Buffer.byteLength(text ?? '')));
    outgoing.writeHead(status, list);
    outgoing.end(text ?? undefined);
    logRequest(log, requests, { requestId, surface, status, method, path: queryAt === -1 ? url : url.slice(0, queryAt), startedAt });
  };

  const answerOf = async (call: HttpCall, take: TakeCall<Parts>, params: CallPlace['params'], requestId: string): Promise<HttpAnswer> => {
    try {
      return await take(call, { companyId: await admit(call), params }, parts);
    } catch (error) {
      reportBound(error, onLimit);
      const refusal = describeFailure(error, log, { requestId, surface });
      return jsonAnswer(refusal.status, refusal.body, refusal.headers);
    }
  };

  /** An answer that cannot be written must not end the process: nothing else handles what is thrown here. */
  const fail = (outgoing: ServerResponse, error: unknown): void => {
    log.error({ surface, error }, 'An answer could not be written');
    if (outgoing.headersSent) outgoing.destroy();
    else
      outgoing
        .writeHead(500, { ...Object.fromEntries(securityHeaders), 'content-type': 'application/json' })
        .end(JSON.stringify(internalError));
  };

  return (incoming, outgoing) => {
    const { url = '', method = 'GET', headers } = incoming;
    for (const { pattern, take } of doors.get(method) ?? []) {
      const found = pattern.exec(url);
      if (found === null) continue;
      if (parseHost(headers.host) === undefined) return false;
      answer(incoming, outgoing, take, found.groups ?? {}).catch((error: unknown) => fail(outgoing, error));
      return true;
    }
    return false;
  };
}

/** The query of most calls. Nothing is added to it. */
const noQuery = new URLSearchParams();

/**
 * Prepares what the answers of a surface have in common.
 *
 * @returns names and values in turn, as Node writes them: the security headers, unless an answer has its own, its others, and those that no
 *   answer overrides
 */
function prepareHeaders(surface: Surface): (own: HttpAnswer['headers'], requestId: string) => string[] {
  const common = Object.entries({ 'x-request-id': '', ...Object.fromEntries([...securityHeaders, ...listAnswerHeaders(surface)]) }).flat();
  const places = new Map(common.flatMap((name, at) => (at % 2 === 0 ? [[name, at + 1] as const] : [])));
  const idAt = places.get('x-request-id') ?? 0;
  for (const name of ['x-request-id', ...listAnswerHeaders(surface).map(([fixed]) => fixed)]) places.set(name, -1);
  return (own, requestId) => {
    const list = common.slice();
    list[idAt] = requestId;
    for (const [name, value] of Object.entries(own)) {
      const place = places.get(name);
      if (place === undefined) list.push(name, value);
      else if (place !== -1) list[place] = value;
    }
    return list;
  };
}

/** As `Headers` has them, walked through once. */
function joinHeaders(raw: readonly string[]): HttpCall['headers'] {
  const headers: { [name: string]: string } = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]?.toLowerCase() ?? '';
    const value = raw[at + 1] ?? '';
    const known = Object.hasOwn(headers, name) ? headers[name] : undefined;
    headers[name] = known === undefined ? value : `${known}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  return headers;
}

const mayHaveBody = (status: number): boolean => status >= 200 && status !== 204 && status !== 304;
