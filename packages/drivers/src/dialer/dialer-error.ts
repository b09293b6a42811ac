/**
 * Why a call got no answer.
 *
 * - `BAD_URL`: no `http:` or `https:` address, or one with credentials in it
 * - `EGRESS_REFUSED`: an address, a port, a redirect or a header that no call may have (P30, T11, T16)
 * - `DNS_FAILED`, `CONNECT_FAILED`, `TLS_FAILED`: no connection that can be trusted
 * - `TIMEOUT`: the time of the call is over, or its caller gave it up
 * - `TOO_LARGE`: the answer is longer than is read
 * - `TOO_MANY_REDIRECTS`
 * - `RESET`: the connection broke, or what came over it was no HTTP
 * - `DESTINATION_BUSY`, `CIRCUIT_OPEN`: the destination is spared, see `boundDestinations` (P24)
 */
export type DialerErrorCode =
  | 'BAD_URL'
  | 'EGRESS_REFUSED'
  | 'DNS_FAILED'
  | 'CONNECT_FAILED'
  | 'TLS_FAILED'
  | 'TIMEOUT'
  | 'TOO_LARGE'
  | 'TOO_MANY_REDIRECTS'
  | 'RESET'
  | 'DESTINATION_BUSY'
  | 'CIRCUIT_OPEN';

export interface DialerErrorOptions extends ErrorOptions {
  /** False where nothing else is said. */
  readonly wasSent?: boolean;
  readonly retryAfterMs?: number;
  readonly logOnly?: { readonly address: string };
}

/** A call without an answer. Its message names the host, never a path, a query or a header: those may hold secrets (P31). */
export class DialerError extends Error {
  override readonly name = 'DialerError';
  readonly code: DialerErrorCode;
  /** Whether a byte of the request may have reached a peer: then its outcome is unknown (P5). */
  readonly wasSent: boolean;
  /** How long the destination is left alone, where that is known. */
  readonly retryAfterMs: number | undefined;
  /** What the operator's log says beside the message: the caller must not learn internal addresses (P30). */
  readonly logOnly: { readonly address: string } | undefined;

  constructor(code: DialerErrorCode, message: string, { wasSent = false, retryAfterMs, logOnly, ...options }: DialerErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.wasSent = wasSent;
    this.retryAfterMs = retryAfterMs;
    this.logOnly = logOnly;
  }
}

/** The same error, of a call that was sent or not. */
export function sentAs(error: DialerError, wasSent: boolean): DialerError {
  const { code, message, retryAfterMs, logOnly } = error;
  const known = { ...(retryAfterMs !== undefined && { retryAfterMs }), ...(logOnly !== undefined && { logOnly }) };
  return new DialerError(code, message, { wasSent, cause: error, ...known });
}
