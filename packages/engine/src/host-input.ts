import { plainJson } from './canvas/read-json.ts';
import { HiloError } from './contract/errors.ts';
import { Channel } from './contract/execution.ts';
import { isJsonObject, type Json, type JsonObject } from './contract/json.ts';
import { limits } from './contract/limits.ts';
import type { WebhookRequest } from './contract/webhook.ts';
import type { InboundMessage } from './lane/calls.ts';
import { encodingProblem, readParsedRequest, readWebhookRequest } from './webhook-request.ts';

// Checks the arguments of a company's functions at run time, for hosts in JavaScript. A value that no store can keep is refused here:
// once accepted, it would block every later item of its lane.

const refuse = (reason: string): never => {
  throw new HiloError('INVALID_REQUEST', { reason });
};

const bodyTooLarge = (what: string): HiloError =>
  new HiloError('INVALID_REQUEST', { reason: `${what} is larger than ${limits.bodyBytes} bytes`, isTooLarge: true });

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
  if (first?.code === 'CANVAS_TOO_LARGE') throw bodyTooLarge(what);
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

/** @throws {HiloError} `INVALID_REQUEST` where it is no list of texts */
export function readTexts(what: string, value: unknown): readonly string[] {
  const copy = readJson(what, value);
  return Array.isArray(copy) && copy.every((text) => typeof text === 'string') ? copy : refuse(`${what} must be a list of texts`);
}

/** As {@link readText}, for what may be left out. @throws {HiloError} `INVALID_REQUEST` */
function checkText(what: string, value: unknown): void {
  if (value !== undefined) readText(what, value);
}

/** The options that several functions of a company have, as they came from a host. */
interface CommonOptions {
  readonly user?: unknown;
  readonly bot?: unknown;
  readonly channel?: unknown;
  readonly version?: unknown;
  readonly ttlMs?: unknown;
  readonly idempotencyKey?: unknown;
}

/** @throws {HiloError} `INVALID_REQUEST` with the name of the option that is not of its kind */
export function checkOptions({ user, bot, channel, version, ttlMs, idempotencyKey }: CommonOptions): void {
  if (user !== undefined) readText('"user.id"', readObject('"user"', user)['id']);
  checkText('"bot"', bot);
  checkText('"idempotencyKey"', idempotencyKey);
  if (channel !== undefined && !Channel.safeParse(channel).success) refuse(`"channel" must be one of ${Channel.options.join(', ')}`);
  if (version !== undefined && !isWhole(version, 1)) refuse('"version" must be a whole number from 1');
  if (ttlMs !== undefined && !isWhole(ttlMs, 0)) refuse('"ttlMs" must be a whole number of milliseconds from 0');
}

/**
 * Refuses a name that options do not have: one that is misspelt would be left out without a word, and a filter list everything.
 *
 * @throws {HiloError} `INVALID_REQUEST`
 */
export function refuseOtherNames(what: string, given: unknown, names: readonly string[]): void {
  const other = Object.keys(readObject(what, given)).find((name) => !names.includes(name));
  if (other !== undefined) refuse(`${what} have no "${other}"; there are ${names.join(', ')}`);
}

const isWhole = (value: unknown, least: number): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value >= least;

/** The user of a delivery. @throws {HiloError} `INVALID_REQUEST` with the name of the field that is not of its kind */
export function readUser(value: unknown): InboundMessage['user'] {
  const fields = readFields('"user" of the delivery', value ?? {});
  for (const name of ['phone', 'bsuid', 'names', 'timeZone', 'locale'])
    if (typeof (fields[name] ?? '') !== 'string') refuse(`"user.${name}" of the delivery must be a text, or null`);
  return { ...fields, id: readText('A delivery has a "user.id"', fields['id']) };
}

/**
 * The message of a delivery: what every channel says, of its kind (EVT-02). Its own fields are kept as they are.
 *
 * @throws {HiloError} `INVALID_REQUEST` with the name of the field that is missing, or not of its kind
 */
export function readMessage(value: unknown): JsonObject {
  const fields = readFields('"message" of the delivery', value);
  readText('The message of a delivery has a "message.type", such as "text"', fields['type']);
  checkText('"message.id" of the delivery', fields['id']);
  for (const name of ['text', 'payload', 'mediaUrl', 'file', 'filename'])
    if (fields[name] !== undefined && typeof fields[name] !== 'string') refuse(`"message.${name}" of the delivery must be a text`);
  return fields;
}

/** A request to a webhook, its body parsed. */
export interface WebhookParts {
  /** In capital letters, such as `POST`. */
  readonly method: string;
  /** By name, in any case. */
  readonly headers?: { readonly [name: string]: string };
  /** The parameters behind `?`, by name; none, when left out. */
  readonly query?: JsonObject;
  /** The body, parsed; none, when left out. */
  readonly body?: Json;
}

/** What a request says before its body is read. */
interface RequestHead {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: WebhookRequest['headers'];
}

/** The method and the headers of a request. @throws {HiloError} `INVALID_REQUEST` for what is no request */
export function readHead(request: Request | WebhookParts): RequestHead {
  const { method, headers = {} } = readObject('The request', request);
  const entries = isRequest(request) ? [...request.headers] : Object.entries(readObject('"headers" of the request', headers));
  const texts = entries.map(([name, value]) => {
    return [name.toLowerCase(), typeof value === 'string' ? value : refuse(`The header "${name}" must be a text`)] as const;
  });
  return { method: readText('A request has a "method"', method), headers: Object.fromEntries(texts) };
}

/**
 * Reads a request of a host as the webhook node gets it. Nothing in it changes later.
 *
 * @throws {HiloError} `INVALID_REQUEST` for what cannot be kept, and for a body that was read before
 */
export async function readHostRequest(request: Request | WebhookParts, head = readHead(request)): Promise<WebhookRequest> {
  if (!isRequest(request)) {
    const { query = {}, body = null } = request;
    return readParsedRequest({ ...head, query: readFields('"query" of the request', query), body: readJson('The body', body) });
  }
  if (request.bodyUsed) refuse('The body of the request was read before: hand over a clone');
  const problem = encodingProblem(head.headers['content-encoding']);
  if (problem !== undefined) refuse(problem);
  const query = new URL(request.url).searchParams;
  return readWebhookRequest({ ...head, query, body: await readBody(request.body) });
}

/** A web standard request, of any realm. */
const isRequest = (request: Request | WebhookParts): request is Request => 'text' in request;

/** Reads no more than the size limit of a body. */
async function readBody(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > limits.bodyBytes) throw bodyTooLarge('The body');
    chunks.push(chunk);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
