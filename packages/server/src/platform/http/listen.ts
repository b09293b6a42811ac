// Listens for requests, and stops without losing one.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { OnLimit } from '@hilo/drivers';
import { getRequestListener } from '@hono/node-server';
import type { ClientAddresses } from './client-address.ts';
import { createConnections, countAllowedConnections } from './connections.ts';
import { httpLimits } from './limits.ts';
import { type RequestAtWork, createBodyDeadlines } from './body-deadlines.ts';
import { createReadingDeadlines } from './reading-deadlines.ts';
import { findNetwork, parseHost } from './socket-address.ts';
import {
  answerUnreadable,
  createHearing,
  endUnread,
  formatRaw,
  headTooLarge,
  invalidBody,
  refuseProxying,
  tooLate,
} from './unread-request.ts';

/** Answers a request, as `app.fetch` does. */
export type Fetch = Parameters<typeof getRequestListener>[0];

/** Where to listen, and the bounds of connections and requests. */
export interface ListenOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** How long the head of a request may take: 10 s when left out. */
  readonly headMs?: number;
  /** How long its body may take after that: 30 s when left out. */
  readonly bodyMs?: number;
  /** How long a caller may leave its answer unread: 30 s when left out. */
  readonly unreadMs?: number;
  /** So many bytes of answers may wait for their callers: 128 MB when left out. */
  readonly unreadBytes?: number;
  /** How many connections may be open: 10,000 when left out, or half of the files that the process may open. */
  readonly connections?: number;
  /** Called when there are more. */
  readonly onLimit?: OnLimit;
  /** Which proxies are trusted; none when left out. */
  readonly addresses?: ClientAddresses;
  /** Called first, once the head was accepted: answers the request or leaves it to `fetch`. @returns whether it answers */
  readonly before?: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
}

/** A server that listens. */
export interface Listening {
  readonly port: number;
  readonly host: string;
  /** Stops accepting connections, waits for requests in progress up to this limit, then cuts them. */
  close(limitMs: number): Promise<void>;
}

/**
 * Listens for HTTP, with the bounds of P33 on what precedes a handler: connections, sizes and times of headers and bodies, and one
 * spelling of a path. Malformed requests are answered 400 in the usual shape, those that come too slowly 408.
 *
 * @throws the error of `node:net` for an address that is in use or not local
 */
export async function listen(
  fetch: Fetch,
  {
    port,
    host,
    headMs = httpLimits.headMs,
    bodyMs = httpLimits.bodyMs,
    unreadMs = httpLimits.unreadMs,
    unreadBytes = httpLimits.unreadBytes,
    connections: maxConnections = countAllowedConnections(),
    onLimit = () => {},
    addresses,
    before = () => false,
  }: ListenOptions,
): Promise<Listening> {
  const answer = getRequestListener(fetch, {
    hostname: 'localhost', // for HTTP/1.0, which may omit it; other headers are kept
    errorHandler: answerUnreadable,
  });
  const turns = createTurns(take);
  const bodies = createBodyDeadlines(bodyMs, cutBody);
  const networkOf = ({ incoming }: RequestAtWork): string => {
    const { remoteAddress } = incoming.socket;
    return findNetwork(
      addresses?.isProxy(remoteAddress) === true ? addresses.find(remoteAddress, readForwardedFor(incoming)) : remoteAddress,
    );
  };
  const answers = createReadingDeadlines({ pauseMs: unreadMs, bytes: unreadBytes, networkOf }, (request) => {
    onLimit({ limit: 'unread-answers', holder: networkOf(request), message: 'A caller did not read its answer' });
    request.incoming.socket.destroy();
  });
  const connections = createConnections(maxConnections, onLimit, addresses, answers.endSlowest);
  let isClosing = false;
  const server = createServer(
    {
      maxHeaderSize: httpLimits.headBytes,
      headersTimeout: headMs,
      requestTimeout: httpLimits.streamMs, // of a body that is read as it comes; others have less (body-deadlines.ts)
      connectionsCheckingInterval: Math.min(1_000, headMs),
      keepAliveTimeout: 65_000,
      requireHostHeader: false, // a missing one is answered in our shape, below
    },
    (incoming, outgoing) => turns.begin({ incoming, outgoing }),
  );
  function take(request: RequestAtWork): void {
    const { incoming, outgoing } = request;
    const end = connections.begin(incoming.socket, readForwardedFor(incoming));
    if (end === undefined) return refuse(outgoing, noPlace);
    if (isClosing) outgoing.shouldKeepAlive = false; // else the caller sends its next request here
    if (hasBody(incoming)) bodies.begin(request);
    answers.begin(request);
    outgoing.on('close', () => {
      bodies.end(request);
      answers.end(request);
      end();
    });
    const refusal = checkHead(incoming) ?? resolveAbsoluteTarget(incoming) ?? checkPath(incoming);
    if (refusal !== undefined) refuse(outgoing, refusal);
    else if (!before(incoming, outgoing)) void answer(incoming, outgoing);
  }
  const hearOut = createHearing(Math.min(headMs, 1_000));
  server.on('connection', (socket) => {
    if (!connections.admit(socket)) hearOut(socket);
  });
  refuseUnusual(server, turns);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, resolve);
  });
  return {
    port: readPort(server, port),
    host,
    close(limitMs) {
      isClosing = true;
      return close(server, limitMs);
    },
  };
}

/** Refuses what is no usual request: an expectation, a tunnel, and what cannot be read. */
function refuseUnusual(server: Server, { afterAnswers }: Turns): void {
  server.on('checkExpectation', (_incoming, outgoing: ServerResponse) =>
    refuse(outgoing, {
      status: 400,
      body: invalidBody('The header Expect is not supported here: send the request without it, or with 100-continue'),
    }),
  );
  server.on('connect', (_incoming, socket: Duplex) => afterAnswers(socket, () => refuseProxying(socket)));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => afterAnswers(socket, () => endUnread(error, socket)));
}

/** Requests of a connection that wait for the answer of the one before them; no more are read meanwhile. */
const mostPipelined = 16;

/** The requests of each connection, one after the other. */
interface Turns {
  /** Takes a request at once, or after the answers to those before it. */
  begin(request: RequestAtWork): void;
  /**
   * Ends a connection on which no request can be read any more. What came whole before is at work, and its caller gets its answer, and not
   * another one in its place; where an answer has begun already to a request that broke off, nothing is written into it.
   */
  afterAnswers(socket: Duplex, end: () => void): void;
}

/**
 * Takes the requests of a connection one after the other, each in a turn of its own. A caller may send thousands in one piece (pipelining),
 * and Node would begin them all in one turn: 2,000 for a page held every other caller up for seconds.
 */
function createTurns(take: (request: RequestAtWork) => void): Turns {
  /** The last request of each connection. */
  const latest = new WeakMap<Duplex, RequestAtWork>();
  /** The one whose answer a request waits for. */
  const earlier = new WeakMap<RequestAtWork, RequestAtWork>();
  const waiting = new WeakMap<Duplex, number>();
  /** Connections that end with the answers under way: each further piece of what cannot be read says so again. */
  const ending = new WeakSet<Duplex>();
  return {
    begin(request) {
      const { socket } = request.incoming;
      const before = latest.get(socket);
      latest.set(socket, request);
      if (before === undefined || before.outgoing.closed) {
        take(request);
        return;
      }
      const count = (more: 1 | -1): number => {
        const now = (waiting.get(socket) ?? 0) + more;
        waiting.set(socket, now);
        return now;
      };
      if (count(1) >= mostPipelined) socket.pause();
      earlier.set(request, before);
      before.outgoing.once('close', () => {
        earlier.delete(request);
        setImmediate(() => {
          if (count(-1) < mostPipelined && socket.isPaused()) socket.resume();
          if (socket.writable) take(request);
        });
      });
    },
    afterAnswers(socket, end) {
      const last = latest.get(socket);
      if (last === undefined || last.outgoing.closed) return end();
      const isWhole = last.incoming.complete || last.outgoing.writableEnded;
      const atWork = isWhole ? last : earlier.get(last);
      if (atWork === undefined) return last.outgoing.headersSent ? void socket.destroy() : end();
      if (ending.has(socket)) return undefined;
      ending.add(socket);
      atWork.outgoing.once('close', () => {
        if (socket.writable) end();
      });
      return undefined;
    },
  };
}

/** Several headers are joined with commas. */
function readForwardedFor({ headers }: IncomingMessage): string | undefined {
  const forwarded = headers['x-forwarded-for'];
  return forwarded === undefined ? undefined : [forwarded].flat().join(',') || undefined;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Cuts a body that has not come whole in time, counted from the end of the head. */
function cutBody({ incoming, outgoing }: RequestAtWork): void {
  const { socket } = incoming;
  if (incoming.complete) return;
  if (outgoing.headersSent) socket.destroy();
  else socket.end(formatRaw(tooLate), () => socket.destroy());
}

interface RefusedHead {
  readonly status: 400 | 404 | 503;
  readonly body: { readonly error: string; readonly message: string };
}

const noPlace: RefusedHead = {
  status: 503,
  body: { error: 'UNAVAILABLE', message: 'Too many connections are open; send this again in a moment' },
};

/** Why the head of a request is refused. */
function checkHead(incoming: IncomingMessage): RefusedHead | undefined {
  const { method = '', url = '', headers, rawHeaders, httpVersion } = incoming;
  // The size of the head in its usual spelling: Node's own count leaves out the separators between names and values.
  let headBytes = `${method} ${url} HTTP/${httpVersion}\r\n\r\n`.length;
  let hosts = 0;
  for (const [index, text] of rawHeaders.entries()) {
    headBytes += text.length + 2;
    if (index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host') hosts += 1;
  }
  if (url.length > httpLimits.urlBytes)
    return { status: 400, body: invalidBody(`The address is longer than ${httpLimits.urlBytes} bytes`) };
  if (headBytes > httpLimits.headBytes) return { status: 400, body: invalidBody(headTooLarge) };
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0') || headers.host === '')
    return { status: 400, body: invalidBody('Send one Host header') };
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked')
    return {
      status: 400,
      body: invalidBody('Bodies are taken as they are: send this one without a Transfer-Encoding other than "chunked"'),
    };
  return undefined;
}

/** The whole address of a request to a proxy, which a server takes as well (RFC 9112, section 3.2.2). */
const absoluteTarget = /^https?:\/\/([^/?#]*)([/?#].*)?$/i;

/** Reads a whole address as its path, and as the host that is asked, whatever the header Host says. */
function resolveAbsoluteTarget(incoming: IncomingMessage): RefusedHead | undefined {
  const [, authority, rest = '/'] = absoluteTarget.exec(incoming.url ?? '') ?? [];
  if (authority === undefined) return undefined;
  if (parseHost(authority) === undefined) return { status: 400, body: invalidBody('The host in the address is not valid') };
  incoming.url = rest.startsWith('/') ? rest : `/${rest}`;
  incoming.headers.host = authority;
  const isOfHost = (at: number): boolean => incoming.rawHeaders[at]?.toLowerCase() === 'host';
  incoming.rawHeaders = [...incoming.rawHeaders.filter((_, at) => !isOfHost(at - (at % 2))), 'Host', authority];
  return undefined;
}

function checkPath({ url = '' }: IncomingMessage): RefusedHead | undefined {
  if (!url.startsWith('/')) return { status: 400, body: invalidBody('The address must be a path that begins with "/"') };
  const [path = ''] = url.split('?', 1);
  return isPlainPath(path) ? undefined : { status: 404, body: { error: 'NOT_FOUND', message: 'There is nothing at this address' } };
}

/** Refuses paths that a proxy in front might read differently (T25). */
const isPlainPath = (path: string): boolean => !/\\|#|\/\/|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);

function refuse(outgoing: ServerResponse, { status, body }: RefusedHead): void {
  const text = JSON.stringify(body);
  outgoing.writeHead(status, {
    ...(status === 503 && { 'retry-after': '1' }),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  });
  outgoing.end(text);
}

function readPort(server: Server, asked: number): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : asked;
}

async function close(server: Server, limitMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), limitMs);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(cut);
}
