// The one way out to other systems by HTTP.
import type { Clock, AbortSignal as Signal } from '@hilo/engine/contract';
import { systemClock } from '@hilo/engine/node';
import { DriverError, isDialerError, sentAs } from '../driver-error.ts';
import { type ClientCertificate, createConnections } from './connections.ts';
import { type AllowList, checkDestination, readAllowList, readUrl } from './destination.ts';
import { acceptEncoding, type Answer, type BodyStream, decodeBody, exchange, exchangeStream } from './exchange.ts';
import { type Resolve, systemResolve } from './names.ts';
import { followingHop, type Hop, type HttpMethod } from './redirect.ts';
import { createRefusalLog, type RefusalLogOptions } from './refusal-log.ts';
import { type Headers, readHeaders } from './request-headers.ts';

/** A call to another system. */
export interface DialerRequest {
  readonly method: HttpMethod;
  readonly url: string;
  readonly headers?: Headers | undefined;
  readonly body?: string | Uint8Array | undefined;
  /** For the whole call: its wait for a turn, names, connections, redirects and the body counted (P13). */
  readonly timeoutMs: number;
  /** The longest body that is read, compressed or not; 1 MB by default. */
  readonly maxBytes?: number | undefined;
  /** How much of the body is kept: the rest is only counted, and nothing is decompressed. Default: all. */
  readonly keepBytes?: number | undefined;
  /** Whether the call resolves at the head, with a stream of the body under the same limits; `body` is empty then. */
  readonly stream?: boolean | undefined;
  /** Redirects that are followed; by default, and at most, 5. */
  readonly maxRedirects?: number | undefined;
  /** Shown to the origin of `url` alone. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** The body was made with a credential, or is sent with one: no redirect takes it to another origin (T11). */
  readonly bodyStaysHome?: boolean | undefined;
  /** Whether a refusal of this call may be written to the log; it may where left out. */
  readonly mayLog?: (() => boolean) | undefined;
  /** Ends the call as its time-out does. */
  readonly signal?: Signal | undefined;
  /** Whose call it is, such as a company: bounds of a destination are kept for each apart (P24). */
  readonly scope?: string | undefined;
  /** Separate limits for the wait at a busy destination; `timeoutMs` and `signal` then apply from the turn on. */
  readonly queueing?: Queueing | undefined;
}

/** How long a call waits for its turn; after that it fails unsent, with `DESTINATION_BUSY`. */
interface Queueing {
  readonly timeoutMs: number;
  /** Ends the wait as its time-out does. */
  readonly signal?: Signal | undefined;
  /** Whether every waiting call that does not yield goes first; false where left out. */
  readonly yields?: boolean | undefined;
  /** Calls to the destination at once that leave a place for this one, where these are more than its own bound. */
  readonly atOnce?: number | undefined;
}

/** The answer to a call: every status is one. */
export interface DialerResponse extends Answer {
  /** The final URL, after redirects. */
  readonly url: string;
  /** The pause that its `Retry-After` requests (P24). */
  readonly retryAfterMs: number | undefined;
  /** The body while it comes, of a call that asked for it. */
  readonly stream?: BodyStream;
}

/** The one way out (P30). */
export interface Dialer {
  /**
   * Calls once, without retries: those are the business of the caller.
   *
   * @throws {DriverError}
   */
  request(request: DialerRequest): Promise<DialerResponse>;
  /** Ends the connections that are kept, when their calls are over. */
  close(): Promise<void>;
}

/** Where calls may go, and how many at once. */
export interface DialerOptions {
  /** `host:port` pairs that may be reached at any address and port; none when left out. */
  readonly allow?: readonly string[];
  /** Certificates, in PEM, trusted in addition to the platform's. */
  readonly ca?: string | undefined;
  /** Called for each refused call. */
  readonly log?: RefusalLogOptions['log'];
  /** Finds the addresses of a name; the system's resolver where left out. */
  readonly resolve?: Resolve;
  readonly clock?: Clock;
  /** Connections that are open at once to one origin, for all callers; 128 where left out. */
  readonly connectionsPerOrigin?: number;
}

const maxRedirectsEver = 5;
const defaultMaxBytes = 1024 * 1024;

/**
 * Opens the one way out: https and http to public addresses on the ports 80 and 443, and to what the operator listed. No
 * proxy of the environment is used, and TLS is always verified.
 *
 * @throws {Error} when `allow` or `ca` cannot be read
 */
export function createDialer({
  allow: entries = [],
  ca,
  log,
  resolve = systemResolve,
  clock = systemClock,
  connectionsPerOrigin = 128,
}: DialerOptions = {}): Dialer {
  const allow = readAllowList(entries);
  const refusals = createRefusalLog({ log, clock });
  const connections = createConnections({ ca, allow, resolve, clock, connectionsPerOrigin });

  /** Follows redirects to the last answer. */
  const follow = async (request: DialerRequest, signal: AbortSignal): Promise<DialerResponse> => {
    const { maxRedirects = maxRedirectsEver, maxBytes = defaultMaxBytes, keepBytes = maxBytes, clientCertificate } = request;
    const { bodyStaysHome = false, stream: isStreamed = false } = request;
    let hop = firstHop(request, allow);
    let wasSent = false;
    for (let redirects = 0; ; redirects += 1) {
      try {
        const dispatcher = connections.over(hop.isHome ? clientCertificate : undefined);
        const answer: Answer & Pick<DialerResponse, 'stream'> = isStreamed
          ? await exchangeStream(dispatcher, hop, maxBytes, signal)
          : await exchange(dispatcher, hop, { maxBytes, keepBytes }, signal);
        wasSent = true;
        const next = followingHop(hop, answer, { bodyStaysHome });
        if (next === undefined) {
          const decoded = isStreamed || keepBytes < maxBytes ? answer : await decodeBody(answer, hop.url, maxBytes);
          return { ...decoded, url: hop.url.href, retryAfterMs: retryAfterMs(answer.headers['retry-after'], clock.now()) };
        }
        await answer.stream?.body.cancel();
        if (redirects >= Math.min(maxRedirects, maxRedirectsEver)) {
          const what = maxRedirects === 0 ? 'redirects this call, which is not followed' : 'redirects once more than is followed';
          throw new DriverError('TOO_MANY_REDIRECTS', `${hop.url.host} ${what}`, { wasSent: true });
        }
        checkDestination(next.url, allow);
        hop = next;
      } catch (error) {
        throw wasSent && isDialerError(error) ? sentAs(error, true) : error;
      }
    }
  };

  return {
    async request(request) {
      const ending = new AbortController();
      const end = (): void => ending.abort();
      const timer = clock.setTimeout(end, request.timeoutMs);
      request.signal?.addEventListener('abort', end);
      if (request.signal?.aborted === true) end();
      const release = (): void => {
        clock.clearTimeout(timer);
        request.signal?.removeEventListener('abort', end);
      };
      try {
        const response = await follow(request, ending.signal);
        void (response.stream?.ended ?? Promise.resolve()).then(release);
        return response;
      } catch (error) {
        release();
        if (isDialerError(error) && error.code === 'EGRESS_REFUSED' && request.mayLog?.() !== false) {
          refusals.write(error, request.scope);
        }
        throw error;
      }
    },
    close: connections.close,
  };
}

/** @throws {DriverError} when such a call cannot be made */
function firstHop({ method, url: text, headers = {}, body, stream }: DialerRequest, allow: AllowList): Hop {
  const url = readUrl(text);
  checkDestination(url, allow);
  return {
    url,
    method,
    headers: { 'accept-encoding': stream === true ? 'identity' : acceptEncoding, ...readHeaders(headers) },
    body: typeof body === 'string' ? Buffer.from(body) : body,
    isHome: true,
  };
}

/**
 * The pause that a response requests (RFC 9110, 10.2.3).
 *
 * @param value - the header `Retry-After`: seconds, or a date in one of the three HTTP formats (5.6.7)
 * @returns milliseconds, never below zero; `undefined` when the header is absent or malformed
 */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // All of them are in UTC, even if the oldest format does not state it.
  const atMs = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)
    ? Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`)
    : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
