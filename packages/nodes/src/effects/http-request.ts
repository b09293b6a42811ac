import { defineEffect, Json, WebhookMethod } from '@hilo/engine/contract';
import { z } from 'zod';

/** The methods of a call: those that a webhook takes. */
export const HttpMethod = WebhookMethod;

/**
 * How a body goes out: as JSON, as a form of names and values, as the text it is, as a file that is fetched first, as a form with files in
 * it (`multipart/form-data`), or not at all.
 */
export const HttpBodyKind = z.enum(['none', 'json', 'form', 'text', 'file', 'multipart']);
export type HttpBodyKind = z.output<typeof HttpBodyKind>;

/** A file to send: 10 MB at most from a public URL without credentials, or whatever a handle stands for. */
export const HttpFile = z.strictObject({
  /** A handle of a file, or its address. */
  url: z.string().min(1),
  /** The field of the form (`multipart/form-data`) that the file goes out in; without one the file is the whole body. */
  field: z.string().min(1).max(200).exactOptional(),
  /** What the file is called in the form; the end of its address where left out. */
  name: z.string().min(1).max(200).exactOptional(),
  /** Its content type; the one it comes with where left out. */
  type: z.string().min(1).max(200).exactOptional(),
  /** Further fields of the form, before the file. */
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).exactOptional(),
});
export type HttpFile = z.output<typeof HttpFile>;

const FilePart = HttpFile.pick({ url: true, name: true, type: true });
/** A file as a field of a form: where it is read, its name and its media type. */
export type FilePart = z.output<typeof FilePart>;

/** A field of a form: a text that is a handle is the file. */
const Field = z.union([z.string(), z.number(), z.boolean(), FilePart]);

/** A form with files in it, by the names of its fields; a list is several fields of one name. */
export const HttpParts = z.record(z.string().min(1).max(200), z.union([Field, z.array(Field).max(20)]));
export type HttpParts = z.output<typeof HttpParts>;

/**
 * How a response body is read: by its content type, always as JSON, as text, or kept as a file unless it is JSON. Malformed JSON stays
 * text.
 */
export const HttpResponseType = z.enum(['auto', 'json', 'text', 'file']);

const Headers = z.record(z.string(), z.string());

/** The pause that the other side requests. */
export const retryAfterMs = z.int().nonnegative().exactOptional();

/** A call that got no answer. */
export const unreachable = z.strictObject({
  kind: z.literal('unreachable'),
  reason: z.enum(['invalid-url', 'refused', 'timeout', 'blocked', 'too-large']),
  message: z.string().exactOptional(),
  /** Whether the call may have been carried out all the same (P5). */
  outcome: z.enum(['failed', 'unknown']).exactOptional(),
  retryAfterMs,
});

/**
 * Calls an HTTP endpoint outside Hilo. Every status is a response; no answer at all is `unreachable`. `blocked` means that canvases may
 * not reach the address, `too-large` that the answer exceeds the limit.
 */
export const httpRequest = defineEffect('http.request', {
  request: z.strictObject({
    method: HttpMethod,
    url: z.string(),
    headers: Headers,
    bodyKind: HttpBodyKind,
    /** Absent for `none`; an object for `form`, a text for `text`, an `HttpFile` for `file`, `HttpParts` for `multipart`. */
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
      retryAfterMs,
    }),
    unreachable,
  ]),
  samples: (_request, { values }) =>
    [
      ...values.map((body) => ({ kind: 'response', response: { status: 200, headers: {}, body } }) as const),
      ...[...new Set([404, 500, ...values.filter(isStatus)])].map(
        (status) => ({ kind: 'response', response: { status, headers: {}, body: null } }) as const,
      ),
      { kind: 'unreachable', reason: 'timeout' },
      { kind: 'unreachable', reason: 'refused' },
    ] as const,
});

const isStatus = (value: Json): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 200 && value < 600;
