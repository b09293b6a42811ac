// The driver of SOAP services.
import { type BoundDriver, drive, type Json } from '@hilo/engine/contract';
import { callSoap } from '@hilo/nodes/effects';
import type { z } from 'zod';
import { type Dialer, type DialerResponse, type FindCredential, type HttpCredential, isDialerError } from '@hilo/drivers';
import {
  isEnvelopeError,
  readCertificate,
  readCredential,
  signIn,
  unreachable,
  withDefaults,
  type Withhold,
  withholding,
} from '@hilo/drivers/kit';
import { decodeXml, readEnvelope } from './read-envelope.ts';
import { securityHeader } from './security-header.ts';
import { writeEnvelope } from './write-envelope.ts';

type Request = z.output<typeof callSoap.request>;
type Result = z.output<typeof callSoap.result>;

/** The longest response: parsing must not block others (P20). */
const maxBytes = 256 * 1024;

interface SoapDriverOptions {
  readonly dialer: Pick<Dialer, 'request'>;
  readonly credential: FindCredential;
}

/**
 * Performs `soap.call` like `http.request`: through the same dialer, with the same credentials, once. The package `soap` would fetch a WSDL
 * and its imports first, over connections of its own.
 *
 * The driver throws a `DriverError` when the company has no such credential, or an unsuitable one.
 */
export const createSoapDriver = ({ dialer, credential }: SoapDriverOptions): BoundDriver =>
  drive(callSoap, async (request, { origin: { companyId }, idempotencyKey, nowMs, signal }): Promise<Result> => {
    const { version, action, wsSecurity, credentialId, clientCertificateId, timeoutMs } = request;
    const find = (id: string): Promise<HttpCredential> => readCredential(credential, companyId, id);
    const user = wsSecurity && (await find(wsSecurity.credentialId));
    const security = wsSecurity && user && securityHeader(wsSecurity, user, { version, nowMs });
    const addressed = withDefaults(request, { ...createTypeHeader(version, action), 'idempotency-key': idempotencyKey });
    const signer = credentialId === undefined ? undefined : await find(credentialId);
    const signedIn = signer === undefined ? addressed : signIn(addressed, signer);
    const clientCertificate =
      clientCertificateId === undefined ? undefined : await readCertificate(credential, companyId, clientCertificateId);
    const body = writeEnvelope(request, security);
    try {
      // A body with a password in it goes nowhere else, and an envelope is for the service that the canvas names (T11).
      const call = { ...signedIn, method: 'POST' as const, body, maxRedirects: 0, clientCertificate };
      const answer = await dialer.request({ ...call, timeoutMs, maxBytes, signal, scope: companyId });
      return await readResult(answer, version, [withholding(signer), withholding(user)]);
    } catch (error) {
      if (isDialerError(error)) return unreachable(error);
      throw error;
    }
  });

/** The envelope's properties in each version: SOAP 1.1, 6.1.1, and RFC 3902. */
const createTypeHeader = (version: Request['version'], action: string): Record<string, string> =>
  version === '1.1'
    ? { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${action}"` }
    : { 'content-type': `application/soap+xml; charset=utf-8${action === '' ? '' : `; action="${action}"`}` };

async function readResult(answer: DialerResponse, version: Request['version'], withhold: readonly Withhold[]): Promise<Result> {
  const { status, body: bytes } = answer;
  const later = answer.retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(answer.retryAfterMs) };
  const maskText = (text: string): string => withhold.reduce((left, one) => one.text(left), text);
  const maskValue = (value: Json): Json => withhold.reduce((left, one) => one.value(left), value);
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, header]) => [name, maskText(header)]));
  // A one-way call is answered with nothing at all; so are calls that a gateway refuses.
  if (bytes.length === 0) return { kind: 'response', response: { status, headers, body: null }, ...later };
  try {
    const { body, fault } = await readEnvelope(decodeXml(bytes, answer.headers['content-type']), version);
    const response = { status, headers, body: maskValue(body) };
    if (fault === undefined) return { kind: 'response', response, ...later };
    const { code, subcode, message, actor, detail } = fault;
    const masked = {
      code: maskText(code),
      ...(subcode !== undefined && { subcode: maskText(subcode) }),
      message: maskText(message),
      ...(actor !== undefined && { actor: maskText(actor) }),
      ...(detail !== undefined && { detail: maskValue(detail) }),
    };
    return { kind: 'fault', response, fault: masked, ...later };
  } catch (error) {
    if (isEnvelopeError(error)) return { kind: 'invalid', status, reason: error.code, message: maskText(error.message), ...later };
    throw error;
  }
}
