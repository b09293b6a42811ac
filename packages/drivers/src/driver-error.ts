import type { callDatabase } from '@hilo/nodes/effects';
import type { z } from 'zod';

/**
 * Why a call got no response.
 *
 * - `BAD_URL`: no `http:` or `https:` URL, or one with credentials in it
 * - `EGRESS_REFUSED`: a forbidden address, port, redirect or header (P30, T11, T16)
 * - `DNS_FAILED`, `CONNECT_FAILED`, `TLS_FAILED`: no trusted connection
 * - `TIMEOUT`: the time of the call is over, or its caller aborted it
 * - `TOO_LARGE`: the response exceeds the limit
 * - `TOO_MANY_REDIRECTS`
 * - `RESET`: the connection broke, or the response was no HTTP
 * - `DESTINATION_BUSY`, `CIRCUIT_OPEN`: the destination is spared, see `boundDestinations` (P24)
 */
const dialerCodes = [
  'BAD_URL',
  'EGRESS_REFUSED',
  'DNS_FAILED',
  'CONNECT_FAILED',
  'TLS_FAILED',
  'TIMEOUT',
  'TOO_LARGE',
  'TOO_MANY_REDIRECTS',
  'RESET',
  'DESTINATION_BUSY',
  'CIRCUIT_OPEN',
] as const;
/** Why a call could not be made, or was not let out. */
export type DialerErrorCode = (typeof dialerCodes)[number];

/** Why a message cannot be sent on its channel: found before anything is sent. */
const messageCodes = ['INVALID_REQUEST', 'INVALID_TEMPLATE', 'INVALID_PARAMETERS'] as const;
type MessageErrorCode = (typeof messageCodes)[number];

/** Why a database refused a statement. */
export type DatabaseErrorCode = Extract<z.output<typeof callDatabase.result>, { readonly kind: 'failed' }>['reason'];

/** Why an answer is no SOAP envelope that Hilo reads. */
const envelopeCodes = ['not-xml', 'malformed', 'dtd', 'too-deep', 'too-many', 'too-large', 'no-envelope', 'other-version'] as const;
type EnvelopeErrorCode = (typeof envelopeCodes)[number];

/** Every cause with which a driver of Hilo fails. */
export type DriverErrorCode =
  | DialerErrorCode
  | MessageErrorCode
  | DatabaseErrorCode
  | EnvelopeErrorCode
  | 'CREDENTIAL_MISSING'
  | 'CREDENTIAL_INVALID';

export interface DriverErrorOptions extends ErrorOptions {
  /** Default: false. */
  readonly wasSent?: boolean;
  readonly retryAfterMs?: number;
  readonly logOnly?: { readonly address: string };
  readonly nativeCode?: string | undefined;
  readonly isAnswer?: boolean;
}

/**
 * Why a driver failed; recognise it by its `code`. Its message names the host, never a path, a query, a header or a value: those may hold
 * secrets (P31).
 */
export class DriverError<Code extends DriverErrorCode = DriverErrorCode> extends Error {
  override readonly name = 'DriverError';
  readonly code: Code;
  /** Whether a byte of the request may have reached a peer: then its outcome is unknown (P5). */
  readonly wasSent: boolean;
  /** How long the destination is spared, when known. */
  readonly retryAfterMs: number | undefined;
  /** Details for the operator's log only: the caller must not learn internal addresses (P30). */
  readonly logOnly: { readonly address: string } | undefined;
  /** The database's own code for the failure, such as a SQLSTATE. */
  readonly nativeCode: string | undefined;
  /** Whether the database itself reported the error: then the statement was not executed. */
  readonly isAnswer: boolean;

  constructor(code: Code, message: string, options: DriverErrorOptions = {}) {
    const { wasSent = false, retryAfterMs, logOnly, nativeCode, isAnswer = false, ...rest } = options;
    super(message, rest);
    this.code = code;
    this.wasSent = wasSent;
    this.retryAfterMs = retryAfterMs;
    this.logOnly = logOnly;
    this.nativeCode = nativeCode;
    this.isAnswer = isAnswer;
  }
}

/** A call without an answer. */
export type DialerError = DriverError<DialerErrorCode>;
/** A statement that the database refused. */
export type DatabaseError = DriverError<DatabaseErrorCode>;

const isOneOf =
  <Code extends DriverErrorCode>(codes: readonly Code[]) =>
  (error: unknown): error is DriverError<Code> =>
    error instanceof DriverError && (codes as readonly string[]).includes((error as DriverError).code);

/** Whether an error is of the way out: a call that could not be made, or was not let out. */
export const isDialerError = isOneOf(dialerCodes);
/** A message that a provider would refuse, found before it is sent. */
export const isMessageError = isOneOf(messageCodes);
/** Whether an error is of an answer in SOAP that cannot be read. */
export const isEnvelopeError = isOneOf(envelopeCodes);
/** Whether an error is of a database, or of the way to it. */
export const isDatabaseError = isOneOf<DatabaseErrorCode>([
  'refused',
  'unreachable',
  'timeout',
  'too-large',
  'unknown-name',
  'invalid',
  'read-only',
  'constraint',
  'failed',
]);

/** The same error, of a call that was sent or not. */
export function sentAs(error: DialerError, wasSent: boolean): DialerError {
  const { code, message, retryAfterMs, logOnly } = error;
  const known = { ...(retryAfterMs !== undefined && { retryAfterMs }), ...(logOnly !== undefined && { logOnly }) };
  return new DriverError(code, message, { wasSent, cause: error, ...known });
}

/** A wrong number of values for a statement. */
export function placesProblem(places: number, given: number): string {
  const which = given < places ? `${places - given} of them ${places - given === 1 ? 'is' : 'are'} missing` : `${given - places} too many`;
  return `The statement has places for ${places} ${places === 1 ? 'value' : 'values'}, and "parameters" has ${given}: ${which}`;
}

/** A failure to connect, as a database error. */
export const connectionFailure = (error: DialerError): DatabaseError => {
  const reason = error.code === 'EGRESS_REFUSED' ? 'refused' : error.code === 'TIMEOUT' ? 'timeout' : 'unreachable';
  return new DriverError(reason, `${error.message} (${error.code})`, { cause: error });
};

/** The text of a client's error, unless it only means a lost connection. */
export const describeError = (error: unknown): { readonly code: string | undefined; readonly message: string } => {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { code, message: error instanceof Error ? error.message.slice(0, 500) : 'The connection broke' };
};
