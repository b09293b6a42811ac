import { type HiloClient, operations } from './operations.ts';
import type { RequestOptions } from './request-options.ts';

/** Where the service is, and with what its callers are known. An operation asks for one of the credentials. */
export interface ClientOptions {
  /** The address of the service, such as `https://bots.example.com`. */
  readonly baseUrl: string;
  /** An API key of a company: webhooks, signals and functions. */
  readonly apiKey?: string;
  /** A client of a company: the REST API. */
  readonly client?: { readonly id: string; readonly secret: string };
  /** Management. A page that has logged in needs none: the browser sends its cookie. */
  readonly adminToken?: string;
  /** A session of the chat, or a token that a host signed. */
  readonly visitorToken?: string;
  /** Sends requests; the platform's `fetch`, when left out. */
  readonly fetch?: typeof fetch;
}

/** A request that the service refused. */
export class HiloRequestError extends Error {
  override readonly name = 'HiloRequestError';
  readonly operation: string;
  readonly status: number;
  /** The word by which programs tell refusals apart, such as `WORKFLOW_NOT_FOUND`; `HTTP_502` where the answer has none. */
  readonly code: string;
  /** The answer: parsed JSON, or a text. */
  readonly body: unknown;
  /** After which time the same request may be sent again, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(operation: string, response: Response, body: unknown) {
    const { error, message } = readRefusal(body);
    super(`${operation}: ${message ?? `the service answered ${response.status}`}`);
    this.operation = operation;
    this.status = response.status;
    this.code = error ?? `HTTP_${response.status}`;
    this.body = body;
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : undefined;
  }
}

type QueryValue = string | number | boolean | undefined;

/** The parts of a request, as the types of the operations name them. */
interface Request extends RequestOptions {
  readonly path?: { readonly [name: string]: string };
  readonly query?: { readonly [name: string]: QueryValue | readonly QueryValue[] };
  readonly headers?: { readonly [name: string]: string | undefined };
  readonly body?: unknown;
}

/** How an operation is sent. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly credential: 'none' | 'apiKey' | 'bearerKey' | 'client' | 'adminToken' | 'visitorToken';
  readonly gives: 'json' | 'text' | 'response' | 'nothing';
  readonly takes?: string;
}

/**
 * Makes a client of a service.
 *
 * @example
 * const hilo = createClient({ baseUrl: 'https://bots.example.com', client: { id: 'acme-client', secret } });
 * const { messageId } = await hilo.sendMessage({ path: { botId: 'bot_wa' }, body: { type: 'text', userId, text: 'Hello!' } });
 */
export function createClient(options: ClientOptions): HiloClient {
  const calls = Object.entries(operations).map(
    ([name, operation]) => [name, (request?: Request) => send(options, name, operation, request)] as const,
  );
  return Object.fromEntries(calls) as unknown as HiloClient; // both are written from one list of routes
}

async function send(options: ClientOptions, name: string, operation: Operation, request: Request = {}): Promise<unknown> {
  const { method, takes, gives } = operation;
  const { body, headers = {}, signal } = request;
  const address = `${options.baseUrl.replace(/(?<!\/)\/+$/, '')}${fillPath(operation.path, request.path)}${writeQuery(request.query)}`;
  const given = Object.entries(headers).flatMap(([header, value]) => (value === undefined ? [] : [[header, value] as const]));
  const response = await (options.fetch ?? globalThis.fetch)(address, {
    method,
    headers: {
      ...(gives === 'json' && { accept: 'application/json' }),
      ...writeCredential(operation.credential, options),
      ...(body !== undefined && takes !== undefined && takes !== '*/*' && { 'content-type': takes }),
      ...Object.fromEntries(given),
    },
    ...(body !== undefined && { body: takes === 'application/json' ? JSON.stringify(body) : (body as NonNullable<RequestInit['body']>) }),
    ...(signal !== undefined && { signal }),
  });
  if (!response.ok) throw new HiloRequestError(name, response, parseJson(await response.text()));
  switch (gives) {
    case 'json':
      return await response.json();
    case 'text':
      return await response.text();
    case 'response':
      return response;
    case 'nothing':
      await response.body?.cancel();
      return undefined;
  }
}

/** @throws {TypeError} for a parameter that is missing or empty: the address would be that of another route */
function fillPath(path: string, values: Request['path'] = {}): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined || value === '') throw new TypeError(`The path parameter ${name} is missing`);
    return encodeURIComponent(value);
  });
}

/** A list is a parameter that is repeated. */
function writeQuery(query: Request['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, String(one)]])),
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

function writeCredential(
  credential: Operation['credential'],
  { apiKey, client, adminToken, visitorToken }: ClientOptions,
): { readonly [header: string]: string } {
  switch (credential) {
    case 'apiKey':
      return apiKey === undefined ? {} : { 'x-api-key': apiKey };
    case 'bearerKey':
      return writeBearer(apiKey);
    case 'client':
      return client === undefined ? {} : { authorization: `Basic ${toBase64(`${client.id}:${client.secret}`)}` };
    case 'adminToken':
      return writeBearer(adminToken);
    case 'visitorToken':
      return writeBearer(visitorToken);
    case 'none':
      return {};
  }
}

const writeBearer = (token: string | undefined): { readonly [header: string]: string } =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** Base64 of the UTF-8 bytes of a text: `btoa` alone takes no character beyond Latin-1. */
const toBase64 = (text: string): string => btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The code and the sentence of a refusal, in each of its shapes. */
function readRefusal(body: unknown): { readonly error: string | undefined; readonly message: string | undefined } {
  if (typeof body !== 'object' || body === null) return { error: undefined, message: undefined };
  const { error, message } = body as { readonly error?: unknown; readonly message?: unknown };
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : error;
  const sentence: unknown = Array.isArray(message) ? message.join('; ') : message;
  return {
    error: typeof code === 'string' ? code : undefined,
    message: typeof sentence === 'string' && sentence !== '' ? sentence : undefined,
  };
}
