import { DriverError } from '../driver-error.ts';
import type { Headers } from './request-headers.ts';
import { readUrl } from './destination.ts';

/** A method of HTTP that a call may have. */
export type HttpMethod = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request of a call: the first, or one after a redirect. */
export interface Hop {
  readonly url: URL;
  readonly method: HttpMethod;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
  /** Whether the caller's credentials go along: until the first change of origin, and never again. */
  readonly isHome: boolean;
}

/** The caller's headers that another origin may see. Any other header may be a secret. */
const harmless: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'accept-language', 'content-type', 'user-agent']);

/**
 * The request after a redirect, or `undefined` for a response that is none.
 *
 * @param options - with `bodyStaysHome`, a redirect that would take the body to another origin is refused
 * @throws {DriverError} `BAD_URL`; `EGRESS_REFUSED` for a redirect from https to http, or with a body that must not leave the origin
 */
export function followingHop(
  hop: Hop,
  { status, headers }: { readonly status: number; readonly headers: Headers },
  { bodyStaysHome }: { readonly bodyStaysHome: boolean },
): Hop | undefined {
  const { location } = headers;
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const url = readUrl(Buffer.from(location, 'latin1').toString(), hop.url); // a header is read byte by byte, and this one is UTF-8
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new DriverError('EGRESS_REFUSED', `${hop.url.host} redirects from https to http, which is not followed`);
  }
  const isHome = hop.isHome && url.origin === hop.url.origin;
  const losesBody = status === 303 ? hop.method !== 'HEAD' : status !== 307 && status !== 308 && hop.method === 'POST';
  if (bodyStaysHome && !isHome && !losesBody && hop.body !== undefined) {
    throw new DriverError(
      'EGRESS_REFUSED',
      `${hop.url.host} redirects a body beside a credential to ${url.host}, which is not followed: call that address`,
    );
  }
  const kept = Object.entries(hop.headers).filter(
    ([name]) => (isHome || harmless.has(name)) && !(losesBody && name.startsWith('content-')),
  );
  return {
    url,
    method: losesBody ? 'GET' : hop.method,
    headers: Object.fromEntries(kept),
    body: losesBody ? undefined : hop.body,
    isHome,
  };
}
