// The driver of HTTP calls.
import { type BoundDriver, type Clock, drive, type Json } from '@hilo/engine/contract';
import { systemClock } from '@hilo/engine/node';
import { HttpFile, HttpParts, httpRequest } from '@hilo/nodes/effects';
import type { z } from 'zod';
import { type DialerError, type DialerErrorCode, DriverError, isDialerError } from '../driver-error.ts';
import type { Dialer, DialerResponse } from '../dialer/dialer.ts';
import { type Addressed, type FindCredential, hasHeader, readCertificate, readCredential, signIn, withHeader } from './credential.ts';
import { createFiles, type FileBody } from './file-body.ts';
import { type FileStore, maxAnswerBytes, nameOfAnswer } from './file-store.ts';
import { isKeptAsFile, readBody, type RequestBody, writeBody } from './response-body.ts';
import { type Withhold, withholding } from './withhold.ts';

/** The parts of the driver of HTTP calls. */
export interface HttpDriverOptions {
  readonly dialer: Dialer;
  readonly credential: FindCredential;
  /** Whether calls that may change something carry the effect's key (P4), unless they name one of their own; true where left out. */
  readonly sendsIdempotencyKey?: boolean;
  /** Has the files of handles, and keeps answers as files; neither is possible, when left out. */
  readonly files?: FileStore | undefined;
  /** Measures a file's share of the time of its call. */
  readonly clock?: Clock;
}

type Request = z.output<typeof httpRequest.request>;
type Result = z.output<typeof httpRequest.result>;
type Unreachable = Extract<Result, { readonly kind: 'unreachable' }>;

/**
 * Performs `http.request`: authenticates the call, makes it once, and reads the response. A call without a response reports whether it may
 * have been performed (P5). A body that is a file is fetched first, within the same time.
 *
 * The driver throws a `DriverError` when the company has no such credential, or an unsuitable one.
 */
export function createHttpDriver({
  dialer,
  credential,
  sendsIdempotencyKey = true,
  files: store,
  clock = systemClock,
}: HttpDriverOptions): BoundDriver {
  const files = createFiles(dialer, clock, store);
  return drive(httpRequest, async (request, { origin, idempotencyKey, signal }): Promise<Result> => {
    const { companyId } = origin;
    const { method, timeoutMs, responseType, bodyKind, credentialId, clientCertificateId } = request;
    const signer = credentialId === undefined ? undefined : await readCredential(credential, companyId, credentialId);
    const clientCertificate =
      clientCertificateId === undefined ? undefined : await readCertificate(credential, companyId, clientCertificateId);

    const send = (body: RequestBody | undefined, leftMs: number): Promise<DialerResponse> => {
      const defaults = {
        ...(body !== undefined && { 'content-type': body.contentType }),
        ...(sendsIdempotencyKey && method !== 'GET' && { 'idempotency-key': idempotencyKey }),
      };
      const asked =
        body?.hasBoundary === true ? { ...request, headers: withHeader(request.headers, 'content-type', body.contentType) } : request;
      const addressed = withDefaults(asked, defaults);
      const signedIn = signer === undefined ? addressed : signIn(addressed, signer);
      const bodyStaysHome = signer !== undefined || clientCertificate !== undefined;
      const call = { ...signedIn, method, body: body?.content, bodyStaysHome, clientCertificate };
      const maxBytes = responseType === 'file' ? maxAnswerBytes : undefined;
      return dialer.request({ ...call, timeoutMs: leftMs, signal, scope: companyId, maxBytes });
    };
    try {
      const answer =
        bodyKind === 'file' || bodyKind === 'multipart'
          ? await files.lend(readFileBody(bodyKind, request.body), { scope: companyId, timeoutMs, signal }, send)
          : await send(writeBody(bodyKind, request.body), timeoutMs);
      if (responseType !== 'file' || store === undefined || !isKeptAsFile(answer)) {
        if (answer.body.length > maxReadBytes)
          throw new DriverError('TOO_LARGE', `The answer is longer than ${maxReadBytes} bytes, and no file`, { wasSent: true });
        return createResponse(answer, responseType, withholding(signer));
      }
      const { botId, userId } = origin;
      const handle = await store.keepAnswer({
        companyId,
        idempotencyKey,
        content: answer.body,
        contentType: answer.headers['content-type'],
        name: nameOfAnswer(answer),
        user: botId === undefined || userId === undefined ? undefined : { botId, userId },
      });
      return createResponse({ ...answer, body: Buffer.from(handle) }, 'handle', withholding(signer));
    } catch (error) {
      if (isDialerError(error)) return unreachable(error);
      throw error;
    }
  });
}

const readFileBody = (kind: FileBody['kind'], body: Request['body']): FileBody =>
  kind === 'file' ? { kind, file: HttpFile.parse(body) } : { kind, parts: HttpParts.parse(body) };

/** The longest answer that is read: what the dialer reads where nothing else is asked for. */
const maxReadBytes = 1024 * 1024;

/** A call with the headers it does not name itself. */
export function withDefaults({ url, headers }: Addressed, defaults: Addressed['headers']): Addressed {
  let all = headers;
  for (const [name, value] of Object.entries(defaults)) if (!hasHeader(all, name)) all = withHeader(all, name, value);
  return { url, headers: all };
}

function createResponse(
  { status, headers, body, retryAfterMs }: DialerResponse,
  responseType: Request['responseType'] | 'handle',
  { text, value }: Withhold,
): Result {
  let read: Json;
  try {
    // What a refusal says beside its status is shown at most.
    const charsetRule = status >= 400 ? 'lenient' : 'strict';
    read = responseType === 'handle' ? Buffer.from(body).toString() : readBody(body, headers['content-type'], responseType, charsetRule);
  } catch (error) {
    if (error instanceof TypeError) return undecodable(status);
    throw error;
  }
  return {
    kind: 'response',
    response: {
      status,
      headers: Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, text(header)])),
      body: value(read),
    },
    ...(retryAfterMs !== undefined && { retryAfterMs: Math.ceil(retryAfterMs) }),
  };
}

/** A response whose text would be changed by reading it. The call was performed, and what it did is not known. */
const undecodable = (status: number): Unreachable => ({
  kind: 'unreachable',
  reason: 'refused',
  outcome: 'unknown',
  message: `The answer has status ${status} and a body that is not in the charset of its Content-Type, UTF-8 where none is named`,
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

/** The description of a call that got no answer. */
export function unreachable({ code, message, wasSent, retryAfterMs }: DialerError): Unreachable {
  const outcome = wasSent ? 'unknown' : 'failed';
  return {
    kind: 'unreachable',
    reason: reasons[code],
    message: `${message} (${code})`,
    outcome,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
