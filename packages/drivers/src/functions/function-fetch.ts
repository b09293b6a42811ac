/** What a function can call with. */
export const fetchMethods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The result of a call made for a function. */
export type FetchAnswer =
  | {
      readonly type: 'fetched';
      readonly id: number;
      readonly status: number;
      readonly url: string;
      readonly headers: { readonly [name: string]: string };
      /** In base64. */
      readonly body: string;
    }
  | { readonly type: 'unfetched'; readonly id: number; readonly message: string };

/** What `fetch` is in the process of a function, which has no sockets: the parent process makes the call for it. */
export interface FetchByMessage {
  fetch(...given: ConstructorParameters<typeof Request>): Promise<Response>;
  /** Receives the result of a call. */
  settle(answer: FetchAnswer): void;
}

/** What the process of a function holds its calls to. */
export interface FetchBounds {
  /** Calls that are handed over at once; the others wait here. */
  readonly maxAtOnce: number;
  /** The most bytes of the body that goes out. */
  readonly maxBytes: number;
}

/** More than any server reads, and a line to the parent process has its bound (`lineBytes`). */
const maxHeadChars = 64 * 1024;

/** Statuses whose responses have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

interface PendingFetch {
  resolve(response: Response): void;
  reject(reason: unknown): void;
}

/** @param ask - hands a call over */
export function createFetch(ask: (question: object) => void, { maxAtOnce, maxBytes }: FetchBounds): FetchByMessage {
  const waiting = new Map<number, PendingFetch>();
  const queue: (() => void)[] = [];
  let taken = 0;
  let lastId = 0;

  const enter = (): Promise<void> => {
    if (taken >= maxAtOnce) return new Promise((resolve) => queue.push(resolve));
    taken += 1;
    return Promise.resolve();
  };
  /** The place goes to the next, or is free. */
  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) taken -= 1;
    else next();
  };

  return {
    async fetch(...given) {
      const request = new Request(...given);
      const { method, url, redirect, signal } = request;
      if (redirect === 'manual') throw new TypeError('A function cannot follow redirects by itself: leave "redirect" out, or use "error"');
      if (!fetchMethods.some((known) => known === method))
        throw new TypeError(`A function cannot call with "${method.slice(0, 20)}": use one of ${fetchMethods.join(', ')}`);
      const headers = Object.fromEntries(request.headers);
      if (url.length + JSON.stringify(headers).length > maxHeadChars)
        throw new TypeError(`The address and the headers of a call have at most ${maxHeadChars} characters`);
      const body = Buffer.from(await request.arrayBuffer());
      if (body.byteLength > maxBytes) throw new TypeError(`A function sends at most ${maxBytes} bytes`);
      await enter();
      if (signal.aborted) {
        leave();
        throw signal.reason;
      }
      lastId += 1;
      const id = lastId;
      return new Promise<Response>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        // The place is kept until the answer: so long there is work outside.
        signal.addEventListener('abort', () => {
          if (waiting.has(id)) ask({ type: 'unfetch', id });
          reject(signal.reason);
        });
        const sent = request.body === null ? undefined : body.toString('base64');
        ask({ type: 'fetch', id, method, url, headers, body: sent, follows: redirect === 'follow' });
      });
    },
    settle(answer) {
      const call = waiting.get(answer.id);
      waiting.delete(answer.id);
      leave();
      try {
        if (answer.type === 'unfetched') call?.reject(new TypeError(answer.message));
        else call?.resolve(createResponse(answer));
      } catch (error) {
        call?.reject(error);
      }
    },
  };
}

function createResponse({ status, url, headers, body }: Extract<FetchAnswer, { readonly type: 'fetched' }>): Response {
  const bytes = Buffer.from(body, 'base64');
  const response = new Response(bytes.byteLength === 0 || bodiless.has(status) ? null : bytes, { status, headers });
  Object.defineProperty(response, 'url', { value: url });
  return response;
}
