import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Platform } from '../platform.ts';
import { type HttpAnswer, type HttpCall, jsonAnswer, onClosed } from './call.ts';
import type { Surface } from './context.ts';
import { listAnswerHeaders, logRequest, securityHeaders } from './envelope.ts';
import { describeFailure, internalError } from './errors.ts';
import { readIncoming } from './read-body.ts';
import { parseHost } from './socket-address.ts';
import type { Traffic } from './traffic.ts';

/** Answers a request of Node's own server, or leaves it alone. @returns whether it is answered here */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/** Letters, digits and signs that a segment of a path is written with when none is encoded: what a router decodes is left to the framework. */
export const plainSegment = "[\\w.~:@!$&'()*+,;=-]+";

/** A query in characters that are safe to read as they are, with its question mark. */
export const plainQuery = '(?:\\?[\\x21\\x22\\x24-\\x7e]*)?';

/** Routes of a surface that Node's own server answers. */
interface NodeRoutes<Address> {
  readonly surface: Surface;
  /** What a request names; `undefined` for a request that is left to the framework. @param url - path and query */
  readonly find: (url: string, method: string) => Address | undefined;
  /** Handles a call. What it throws is answered in the shapes of ERR-01 to ERR-08. */
  readonly handle: (call: HttpCall, address: Address) => Promise<HttpAnswer>;
}

/**
 * Routes directly on Node.js requests and responses: the function that the framework's route calls as well, with the same headers, log
 * line and metrics, but without the objects that the framework allocates for each request.
 */
export function createNodeHandler<Address>(
  { log }: Pick<Platform, 'log'>,
  { requests, addresses }: Pick<Traffic, 'requests' | 'addresses'>,
  { surface, find, handle }: NodeRoutes<Address>,
): NodeHandler {
  const [before, after] = [Object.fromEntries(securityHeaders), Object.fromEntries(listAnswerHeaders(surface))];

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse, address: Address): Promise<void> => {
    const [requestId, startedAt] = [randomUUID(), performance.now()];
    const { method = 'GET', url = '' } = incoming;
    const [path = '', query = ''] = url.split('?', 2);
    const headersOfCall = joinHeaders(incoming.rawHeaders);
    const call: HttpCall = {
      method,
      headers: headersOfCall,
      clientAddress: addresses.find(incoming.socket.remoteAddress, headersOfCall['x-forwarded-for']),
      query: new URLSearchParams(query),
      readBody: (entry) => readIncoming(incoming, outgoing, entry),
      onClosed: (listener) => onClosed(outgoing, listener),
    };
    const { status, headers, text } = await handle(call, address).catch((error: unknown): HttpAnswer => {
      const refusal = describeFailure(error, log, { requestId, surface });
      return jsonAnswer(refusal.status, refusal.body, refusal.headers);
    });
    if (!incoming.complete) outgoing.shouldKeepAlive = false; // the rest of its body is not read: the connection ends with the answer
    outgoing.writeHead(status, {
      ...before,
      ...headers,
      ...after,
      'x-request-id': requestId,
      ...(mayHaveBody(status) && { 'content-length': Buffer.byteLength(text ?? '') }),
    });
    outgoing.end(text ?? undefined);
    logRequest(log, requests, { requestId, surface, status, method, path, startedAt });
  };

  /** An answer that cannot be written must not end the process: nothing else handles what is thrown here. */
  const fail = (outgoing: ServerResponse, error: unknown): void => {
    log.error({ surface, error }, 'An answer could not be written');
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(500, { ...before, 'content-type': 'application/json' }).end(JSON.stringify(internalError));
  };

  return (incoming, outgoing) => {
    const { url = '', method = 'GET', headers } = incoming;
    const address = find(url, method);
    if (address === undefined || parseHost(headers.host) === undefined) return false;
    answer(incoming, outgoing, address).catch((error: unknown) => fail(outgoing, error));
    return true;
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
