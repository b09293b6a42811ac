import { type BoundDriver, drive } from '@hilo/engine/contract';
import { httpRequest } from '@hilo/nodes/effects';
import type { z } from 'zod';
import type { Dialer, DialerResponse } from '../dialer/dialer.ts';
import { DialerError, type DialerErrorCode } from '../dialer/dialer-error.ts';
import { type FindCredential, readCertificate, readCredential } from './credential.ts';
import { writeBody } from './request-body.ts';
import { readBody } from './response-body.ts';
import { type Addressed, hasHeader, signIn, withHeader } from './sign-in.ts';
import { type Withhold, withholding } from './withhold.ts';

export interface HttpDriverOptions {
  readonly dialer: Dialer;
  readonly credential: FindCredential;
  /** Whether calls that may change something carry the effect's key (P4), unless they name one of their own; true where left out. */
  readonly sendsIdempotencyKey?: boolean;
}

type Request = z.output<typeof httpRequest.request>;
type Result = z.output<typeof httpRequest.result>;

/**
 * Performs `http.request`: signs the call in, makes it once, and reads the answer. A call without an answer says whether
 * it may have been carried out all the same (P5).
 *
 * The driver throws a `CredentialError` when the company has no such credential, or one that cannot sign in.
 */
export const createHttpDriver = ({ dialer, credential, sendsIdempotencyKey = true }: HttpDriverOptions): BoundDriver =>
  drive(httpRequest, async (request, { origin: { companyId }, idempotencyKey, signal }): Promise<Result> => {
    const { method, timeoutMs, responseType, credentialId, clientCertificateId } = request;
    const body = writeBody(request.bodyKind, request.body);
    const defaults = {
      ...(body !== undefined && { 'content-type': body.contentType }),
      ...(sendsIdempotencyKey && method !== 'GET' && { 'idempotency-key': idempotencyKey }),
    };
    const addressed = withDefaults(request, defaults);
    const signer = credentialId === undefined ? undefined : await readCredential(credential, companyId, credentialId);
    const signedIn = signer === undefined ? addressed : signIn(addressed, signer);
    const clientCertificate =
      clientCertificateId === undefined ? undefined : await readCertificate(credential, companyId, clientCertificateId);
    try {
      const call = { ...signedIn, method, body: body?.text, timeoutMs, signal, clientCertificate, scope: companyId };
      return responseOf(await dialer.request(call), responseType, withholding(signer));
    } catch (error) {
      if (error instanceof DialerError) return unreachable(error);
      throw error;
    }
  });

/** A call with the headers it does not name itself. */
function withDefaults({ url, headers }: Addressed, defaults: Addressed['headers']): Addressed {
  let all = headers;
  for (const [name, value] of Object.entries(defaults)) if (!hasHeader(all, name)) all = withHeader(all, name, value);
  return { url, headers: all };
}

const responseOf = (
  { status, headers, body }: DialerResponse,
  responseType: Request['responseType'],
  { text, value }: Withhold,
): Result => ({
  kind: 'response',
  response: {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, text(header)])),
    body: value(readBody(body, headers['content-type'], responseType)),
  },
});

const reasons = {
  BAD_URL: 'invalid-url',
  EGRESS_REFUSED: 'blocked',
  DNS_FAILED: 'refused',
  CONNECT_FAILED: 'refused',
  TLS_FAILED: 'refused',
  TIMEOUT: 'timeout',
  TOO_LARGE: 'too-large',
  TOO_MANY_REDIRECTS: 'refused',
  RESET: 'refused',
  DESTINATION_BUSY: 'refused',
  CIRCUIT_OPEN: 'refused',
} as const satisfies Record<DialerErrorCode, string>;

function unreachable({ code, message, wasSent, retryAfterMs }: DialerError): Result {
  const outcome = wasSent ? 'unknown' : 'failed';
  return {
    kind: 'unreachable',
    reason: reasons[code],
    message: `${message} (${code})`,
    outcome,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
