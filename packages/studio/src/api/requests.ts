// How the studio sends its requests: addresses, bodies, and what a refusal is.
import { isRecord, shownText } from '../canvas/canvas-json.ts';
import { ApiError } from './api-error.ts';

export interface Page<Item> {
  readonly results: readonly Item[];
  readonly nextCursor: string | null;
}

/** The query of an address; what is undefined or empty is left out of it. */
export type Query = { readonly [name: string]: string | number | boolean | undefined };

interface RequestParts {
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
  /** The body is plain text. */
  readonly text?: boolean;
}

/** What sends requests. */
export type Requests = ReturnType<typeof createRequests>;

/**
 * @param baseUrl - of the service; this page's own when empty
 * @param send - carries the authentication
 * @param onForbidden - called when something was refused for a missing permission
 */
export function createRequests(baseUrl: string, send: typeof fetch, onForbidden: (() => void) | undefined) {
  const base = baseUrl.replace(/(?<!\/)\/+$/, '');
  const addressOf = (path: string, query: Query = {}): string => {
    const params = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]])),
    );
    return `${base}/admin/v1${path}${params.size === 0 ? '' : `?${params}`}`;
  };

  /** @throws {ApiError} for every answer that is a refusal, and where there is none */
  const sendOrRefuse: typeof fetch = async (...args) => {
    const response = await send(...args).catch(() => {
      throw new ApiError(0, 'NOT_REACHED', 'The service was not reached');
    });
    if (response.ok) return response;
    if (response.status === 403) onForbidden?.();
    throw refusalOf(response.status, await readAnswer(response));
  };

  async function request(
    method: string,
    path: string,
    { query, body, headers = {}, text }: RequestParts = {},
  ): Promise<{ readonly body: unknown; readonly headers: Headers }> {
    const response = await sendOrRefuse(addressOf(path, query), {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': text === true ? 'text/plain' : 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: text === true ? shownText(body) : JSON.stringify(body) }),
    });
    return { body: await readAnswer(response), headers: response.headers };
  }

  return {
    addressOf,
    /** The address of something else that the service has, such as the page of a chat. */
    serviceUrl: (path: string): string => new URL(`${base}${path}`, location.href).href,
    sendOrRefuse,
    /** Sends without a look at the answer: for streams. */
    open: (path: string, query: Query, how: { readonly headers: { readonly [name: string]: string }; readonly signal: AbortSignal }) =>
      send(addressOf(path, query), how),
    request,
    /** The body of an answer to GET. */
    get: async <Answer>(path: string, query?: Query): Promise<Answer> =>
      (await request('GET', path, query === undefined ? {} : { query })).body as Answer,
  };
}

/** The refusal that an answer is: by its code, and with what it says. */
function refusalOf(status: number, answer: unknown): ApiError {
  const { error, code, message } = isRecord(answer) ? answer : {};
  const name = typeof code === 'string' ? code : typeof error === 'string' ? error : `HTTP_${status}`;
  const reason = Array.isArray(message) ? message.slice(0, 3).join('. ') : message;
  return new ApiError(status, name, typeof reason === 'string' && reason !== '' ? reason : `The service answered ${status}`, answer);
}

async function readAnswer(response: Response): Promise<unknown> {
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return isJson ? response.json().catch(() => undefined) : response.text();
}
