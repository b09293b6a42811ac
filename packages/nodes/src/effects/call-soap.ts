import { defineEffect, Json, JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { retryAfterMs, unreachable } from './http-request.ts';

/** The schema of the version of SOAP that an endpoint speaks. */
export const SoapVersion = z.enum(['1.1', '1.2']);

/** How a password goes into the envelope: as it is, or hashed with a nonce and the time (WS-Security UsernameToken 1.1). */
export const PasswordType = z.enum(['text', 'digest']);

const response = z.strictObject({ status: z.int(), headers: z.record(z.string(), z.string()), body: Json });

/**
 * Calls a SOAP service: sends an envelope, and converts its answer to JSON. `body` is the content of the answer's body: an element is a
 * name without prefix; its value a text, or an object of `@attributes`, `#text` and elements; repeated elements are a list; `xsi:nil` is
 * null. Values stay texts.
 *
 * `invalid` means that the answer is no readable envelope.
 */
export const callSoap = defineEffect('soap.call', {
  request: z.strictObject({
    url: z.string(),
    version: SoapVersion,
    /** What the call is, for the services that ask; not for the body. */
    action: z.string(),
    /** Of HTTP. */
    headers: z.record(z.string(), z.string()),
    /** Prefixes with their namespaces, for every element of the envelope. */
    namespaces: z.record(z.string(), z.string()),
    /** Elements of the envelope's header and of its body, as the answer has them, with prefixes. */
    header: JsonObject.exactOptional(),
    body: JsonObject,
    /** What signs the HTTP request in; the driver alone sees the secret. */
    credentialId: z.string().exactOptional(),
    /** The client certificate of the TLS connection (TMO-04). */
    clientCertificateId: z.string().exactOptional(),
    /** The user of the token in the envelope's header. */
    wsSecurity: z.strictObject({ credentialId: z.string(), password: PasswordType }).exactOptional(),
    /** For the whole call, redirects and body counted. */
    timeoutMs: z.int().positive(),
  }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('response'), response, retryAfterMs }),
    z.strictObject({
      kind: z.literal('fault'),
      response,
      fault: z.strictObject({
        /** Without prefix, such as `Client` or `Sender`. */
        code: z.string(),
        subcode: z.string().exactOptional(),
        message: z.string(),
        /** Who is at fault. */
        actor: z.string().exactOptional(),
        detail: Json.exactOptional(),
      }),
      retryAfterMs,
    }),
    z.strictObject({
      kind: z.literal('invalid'),
      status: z.int(),
      reason: z.enum(['not-xml', 'malformed', 'dtd', 'too-deep', 'too-many', 'too-large', 'no-envelope', 'other-version']),
      message: z.string(),
      retryAfterMs,
    }),
    unreachable,
  ]),
  samples: (_request, { values, text }) =>
    [
      ...values.map((body) => ({ kind: 'response', response: { status: 200, headers: {}, body } }) as const),
      { kind: 'fault', response: { status: 500, headers: {}, body: null }, fault: { code: 'Client', message: text } },
      { kind: 'invalid', status: 200, reason: 'not-xml', message: text },
      { kind: 'unreachable', reason: 'timeout' },
    ] as const,
});
