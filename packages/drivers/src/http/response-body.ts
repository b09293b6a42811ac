import { MIMEType } from 'node:util';
import { isJsonObject, type Json, limits } from '@hilo/engine/contract';
import type { HttpBodyKind, HttpResponseType } from '@hilo/nodes/effects';
import type { z } from 'zod';
import type { DialerResponse } from '../dialer/dialer.ts';
import { parseJson } from './json-bounds.ts';

/** A body with its default content type. */
export interface RequestBody {
  readonly content: string | Uint8Array;
  readonly contentType: string;
  /** Whether the type contains the boundary of parts: then a call cannot override it. */
  readonly hasBoundary?: boolean;
}

/** Serialises a body; `undefined` when there is none. A file is fetched first, see `Files`. */
export function writeBody(kind: Exclude<HttpBodyKind, 'file' | 'multipart'>, body: Json | undefined): RequestBody | undefined {
  switch (kind) {
    case 'none':
      return undefined;
    case 'json':
      return { content: JSON.stringify(body ?? null), contentType: 'application/json' };
    case 'form': {
      const fields = Object.entries(isJsonObject(body) ? body : {}).map(([name, value]): [string, string] => [name, plain(value)]);
      return { content: new URLSearchParams(fields).toString(), contentType: 'application/x-www-form-urlencoded' };
    }
    case 'text':
      return { content: plain(body ?? ''), contentType: 'text/plain;charset=utf-8' };
  }
}

const plain = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Whether an answer is kept where files are asked for: the body of a success that is no JSON. */
export function isKeptAsFile({ status, headers, body }: Pick<DialerResponse, 'status' | 'headers' | 'body'>): boolean {
  const type = parseType(headers['content-type']);
  return status >= 200 && status < 400 && body.length > 0 && !(type !== undefined && isJson(type));
}

/**
 * Reads a body as the call requests: as JSON, or as text when it is no JSON that Hilo can store. `auto` follows the content type; bytes of
 * a type that is no text, such as a picture, become base64. An empty body is `null`.
 *
 * @param charsetRule - what becomes of bytes that are not of the charset: an error, or U+FFFD
 * @throws {TypeError} for such bytes
 */
export function readBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  responseType: z.output<typeof HttpResponseType>,
  charsetRule: 'strict' | 'lenient' = 'strict',
): Json {
  if (bytes.length === 0) return null;
  const type = parseType(contentType);
  const followsType = responseType === 'auto' || responseType === 'file';
  if (followsType && type !== undefined && !isText(type)) return Buffer.from(bytes).toString('base64');
  const text = decode(bytes, type?.params.get('charset') ?? undefined, charsetRule === 'strict');
  const asJson = responseType === 'json' || (followsType && type !== undefined && isJson(type));
  const parsed = asJson ? parseJson(text, { parts: maxParts }) : undefined;
  return parsed === undefined ? text : parsed; // null is JSON, too
}

function parseType(contentType: string | undefined): MIMEType | undefined {
  try {
    return contentType === undefined ? undefined : new MIMEType(contentType);
  } catch {
    return undefined; // no type: read as text
  }
}

const isJson = ({ type, subtype }: MIMEType): boolean =>
  subtype === 'json' || subtype.endsWith('+json') || (type === 'text' && subtype === 'x-json');

const isText = (type: MIMEType): boolean =>
  type.type === 'text' || type.type === 'message' || isJson(type) || type.subtype.endsWith('+xml') || textTypes.has(type.subtype);

/** Text types among `application/*`. */
const textTypes: ReadonlySet<string> = new Set([
  'ecmascript',
  'graphql',
  'javascript',
  'json-seq',
  'jsonl',
  'jwt',
  'sql',
  'toml',
  'x-javascript',
  'x-ndjson',
  'x-www-form-urlencoded',
  'x-yaml',
  'xml',
  'yaml',
]);

/** An unknown charset is read as UTF-8. @throws {TypeError} for bytes that are not of the charset, where `fatal` */
const decode = (bytes: Uint8Array, charset: string | undefined, fatal: boolean): string => createDecoder(charset, fatal).decode(bytes);

function createDecoder(charset: string | undefined, fatal: boolean): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal });
  } catch {
    return new TextDecoder('utf-8', { fatal });
  }
}

/** Each part of a value has at least two bytes: with more parts it is too large, and scanning all would only take time (P20). */
const maxParts = limits.valueBytes / 2;
