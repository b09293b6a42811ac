import { plainJson } from './canvas/read-json.ts';
import { HiloError } from './contract/errors.ts';
import { parseJsonText } from './contract/exact-json.ts';
import { isJsonObject, type Json, type JsonObject } from './contract/json.ts';
import { limits } from './contract/limits.ts';

// Checks the arguments of a company's functions at run time, for hosts in JavaScript. A value that no store can keep is refused here:
// once accepted, it would block every later item of its lane.

const refuse = (reason: string): never => {
  throw new HiloError('INVALID_REQUEST', { reason });
};

/** Dropped from input, since JavaScript gives this name a meaning of its own (GEN-07). */
const droppedNames: ReadonlySet<string> = new Set(['__proto__']);

/**
 * Copies a value as JSON, so that later changes by its owner have no effect here.
 *
 * @param what - names it, at the beginning of a sentence
 * @throws {HiloError} `INVALID_REQUEST` with the place of what is not JSON, or with the limit that it exceeds
 */
export function readJson(what: string, value: unknown): Json {
  const { value: copy, problems } = copyJson(what, value);
  const [first] = problems.filter(({ code }) => code !== 'FORBIDDEN_KEY');
  if (first?.code === 'CANVAS_TOO_LARGE') return refuse(`${what} has more than ${limits.bodyBytes} bytes`);
  if (first !== undefined) return refuse(`${what} is refused${first.pointer === '' ? '' : ` at ${first.pointer}`}: ${first.message}`);
  return copy as Json; // it is, without a problem
}

function copyJson(what: string, value: unknown): ReturnType<typeof plainJson> {
  try {
    return plainJson(value, droppedNames);
  } catch (error) {
    throw new HiloError('INVALID_REQUEST', { reason: `${what} cannot be read: it throws when it is looked at` }, { cause: error });
  }
}

/** As {@link readJson}, of an object. @throws {HiloError} `INVALID_REQUEST` */
export function readFields(what: string, value: unknown): JsonObject {
  const copy = readJson(what, value);
  return isJsonObject(copy) ? copy : refuse(`${what} must be an object`);
}

/** @throws {HiloError} `INVALID_REQUEST` where it is no object */
export function readObject(what: string, value: unknown): { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(`${what} must be an object`);
  return value as { readonly [name: string]: unknown };
}

/** @throws {HiloError} `INVALID_REQUEST` where it is no text, or empty */
export function readText(what: string, value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : refuse(`${what}: a text that is not empty`);
}

/** A request to a webhook, its body parsed. */
export interface WebhookParts {
  readonly method: string;
  /** Names in lower case. */
  readonly headers?: { readonly [name: string]: string };
  readonly query?: JsonObject;
  readonly body?: Json;
}

/** The parts of a request, or a copy of those given. @throws {HiloError} `INVALID_REQUEST` for what cannot be kept */
export async function readParts(request: Request | WebhookParts): Promise<Required<WebhookParts>> {
  const given = readObject('The request', request);
  const { method, headers = {}, query = {}, body = null } = 'text' in given ? await readRequest(request as Request) : given;
  const texts: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(readObject('"headers" of the request', headers))) {
    texts[name] = typeof value === 'string' ? value : refuse(`The header "${name}" must be a text`);
  }
  return {
    method: readText('A request has a "method"', method),
    headers: texts,
    query: readFields('"query" of the request', query),
    body: readJson('The body', body),
  };
}

/** The parts of a web standard request. @throws {HiloError} `INVALID_REQUEST` for a body that is too large, is no JSON, or was read before */
async function readRequest(request: Request): Promise<WebhookParts> {
  if (request.bodyUsed) refuse('The body of the request was read before: hand over a clone');
  const headers: { [name: string]: string } = {};
  request.headers.forEach((value, name) => {
    headers[name] = value;
  });
  const contentType = headers['content-type'] ?? 'application/json';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const text = request.body === null ? '' : await readBody(request.body, createDecoder(contentType));
  return { method: request.method, headers, query: groupByName(new URL(request.url).searchParams), body: parseBody(text, type) };
}

/** A decoder for the charset of a content type, UTF-8 by default; it refuses bytes that are not of the charset. */
function createDecoder(contentType: string): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return refuse('The charset of the body is not known here: send it in UTF-8');
  }
}

/** Reads no more than the size limit of a body. */
async function readBody(body: ReadableStream<Uint8Array>, decoder: TextDecoder): Promise<string> {
  const reader = body.getReader();
  let [text, bytes] = ['', 0];
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    bytes += read.value.byteLength;
    if (bytes > limits.bodyBytes) {
      await reader.cancel();
      refuse(`The body has more than ${limits.bodyBytes} bytes`);
    }
    text += decode(decoder, read.value);
  }
  return text + decode(decoder);
}

/** The text of the next bytes; without any, of what is left at the end. */
function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    return refuse(`The body is not valid ${decoder.encoding.toUpperCase()}: send it in the charset that its Content-Type names`);
  }
}

/** JSON and forms are parsed, every other type is kept as text (WEB-26). */
function parseBody(text: string, type: string): Json {
  if (text === '') return null;
  if (type === 'application/x-www-form-urlencoded') return groupByName(new URLSearchParams(text));
  if (!/^application\/(?:[\w.+-]+\+)?json$/.test(type)) return text;
  try {
    return parseJsonText(text); // its limits are judged with every other body
  } catch (error) {
    throw new HiloError('INVALID_REQUEST', { reason: 'The body is no JSON' }, { cause: error });
  }
}

/** A name that appears once is a text, a repeated one a list of texts. */
function groupByName(given: URLSearchParams): JsonObject {
  return Object.fromEntries(
    Array.from(new Set(given.keys()), (name) => {
      const values = given.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
