import { defineEffect, Json } from '@hilo/engine/contract';
import { z } from 'zod';

export const HttpMethod = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** How a body goes out: as JSON, as a form of names and values, as the text it is, or not at all. */
export const HttpBodyKind = z.enum(['none', 'json', 'form', 'text']);
export type HttpBodyKind = z.output<typeof HttpBodyKind>;

/** How a body comes in: by its content type, as JSON whatever that says, or as text. What is no JSON stays text. */
export const HttpResponseType = z.enum(['auto', 'json', 'text']);

const Headers = z.record(z.string(), z.string());

/**
 * Calls an HTTP endpoint outside Hilo. Every status is a response; no answer at all is `unreachable`. `blocked` says that
 * the address is none a canvas may reach, `too-large` that the answer is longer than is read.
 */
export const httpRequest = defineEffect('http.request', {
  request: z.strictObject({
    method: HttpMethod,
    url: z.string(),
    headers: Headers,
    bodyKind: HttpBodyKind,
    /** Absent for `none`; an object for `form`, a text for `text`. */
    body: Json.exactOptional(),
    responseType: HttpResponseType,
    /** What signs the request in; the driver alone sees the secret. */
    credentialId: z.string().exactOptional(),
    /** The client certificate of the TLS connection (TMO-04). */
    clientCertificateId: z.string().exactOptional(),
    /** For the whole call, redirects and body counted. */
    timeoutMs: z.int().positive(),
  }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('response'),
      response: z.strictObject({ status: z.int(), headers: Headers, body: Json }),
    }),
    z.strictObject({
      kind: z.literal('unreachable'),
      reason: z.enum(['invalid-url', 'refused', 'timeout', 'blocked', 'too-large']),
      message: z.string().exactOptional(),
      /** Whether the call may have been carried out all the same (P5). */
      outcome: z.enum(['failed', 'unknown']).exactOptional(),
      /** How long the other side asks to be left alone. */
      retryAfterMs: z.int().nonnegative().exactOptional(),
    }),
  ]),
});
