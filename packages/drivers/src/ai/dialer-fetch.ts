import type { AbortSignal as Signal } from '@hilo/engine/contract';
import { type DialerError, DriverError, isDialerError } from '../driver-error.ts';
import type { Dialer, DialerResponse } from '../dialer/dialer.ts';
import { mayFit } from '../http/json-bounds.ts';
import { type Addressed, withHeader } from '../http/sign-in.ts';

/** Of an answer, with what a model writes to itself. */
const maxBytes = 512 * 1024;

interface FetchOptions {
  readonly dialer: Pick<Dialer, 'request'>;
  /** The company whose call it is. */
  readonly scope: string;
  readonly timeoutMs: number;
  readonly signal: Signal;
  /** What is added to a call before it goes out, such as a credential. */
  readonly sign: (call: Addressed) => Addressed;
}

/** A `fetch` for one call, and what came of it. */
export interface DialerFetch {
  readonly fetch: (address: string | URL | Request, options?: RequestInit) => Promise<Response>;
  /** The answer, whatever the library made of it, or why there is none; `undefined` before. */
  outcome(): DialerResponse | DialerError | undefined;
}

/** For a library that wants a `fetch`: one through the one way out (P30), which posts texts and follows no redirect. */
export function createDialerFetch({ dialer, scope, timeoutMs, signal, sign }: FetchOptions): DialerFetch {
  let outcome: DialerResponse | DialerError | undefined;
  return {
    outcome: () => outcome,
    async fetch(address, { headers, body } = {}) {
      let call: Addressed = { url: address instanceof Request ? address.url : String(address), headers: {} };
      for (const [name, value] of new Headers(headers)) call = { ...call, headers: withHeader(call.headers, name, value) };
      if (typeof body !== 'string') throw new TypeError('Only a text can be posted');
      try {
        outcome = await dialer.request({ ...sign(call), method: 'POST', body, timeoutMs, signal, scope, maxBytes, maxRedirects: 0 });
        // The library would parse whatever there is.
        if (!mayFit(Buffer.from(outcome.body).toString('utf8')))
          throw new DriverError('TOO_LARGE', 'The answer of the provider is nested too deep, or has too many keys', { wasSent: true });
      } catch (error) {
        if (isDialerError(error)) outcome = error;
        throw error;
      }
      return new Response(Buffer.from(outcome.body), { status: outcome.status, headers: outcome.headers });
    },
  };
}
