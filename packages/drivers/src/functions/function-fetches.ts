import { z } from 'zod';
import { isDialerError } from '../driver-error.ts';
import type { Dialer } from '../dialer/dialer.ts';
import { type FetchAnswer, fetchMethods } from './function-fetch.ts';
import type { FunctionLimits } from './function-limits.ts';

/** A function's request for a call, or its abort. */
export const FetchQuestion = z.object({
  type: z.literal('fetch'),
  id: z.int(),
  method: z.enum(fetchMethods),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  /** In base64. */
  body: z.string().exactOptional(),
  follows: z.boolean(),
});
export const UnfetchQuestion = z.object({ type: z.literal('unfetch'), id: z.int() });

interface FetchesParts {
  /** Makes the calls; without it `fetch` rejects. */
  readonly dialer: Pick<Dialer, 'request'> | undefined;
  /** Whose calls they are (P24). */
  readonly scope: string;
  readonly limits: Pick<FunctionLimits, 'fetches' | 'fetchBytes' | 'callMs'>;
  /** Whether the refusal of a call may be written to the log, which counts as a line of it. */
  readonly mayLog: () => boolean;
  /** @param onTaken - called when the answer has left this process */
  readonly answer: (answer: FetchAnswer, onTaken: () => void) => void;
}

/** Makes the calls of one function through the dialer (P30, T10): the function has no network itself. */
export interface Fetches {
  /** @returns false when that is more than an honest process requests */
  begin(question: z.output<typeof FetchQuestion>): boolean;
  giveUp(id: number): void;
  giveUpAll(): void;
}

export function createFetches({ dialer, scope, limits, mayLog, answer }: FetchesParts): Fetches {
  /** Counted until the response is read: a function that never reads must not fill this process. */
  const underWay = new Map<number, AbortController>();

  const outcome = async (
    { id, method, url, headers, body, follows }: z.output<typeof FetchQuestion>,
    signal: AbortSignal,
  ): Promise<FetchAnswer> => {
    if (dialer === undefined) return { type: 'unfetched', id, message: 'Functions cannot make calls here' };
    try {
      const answered = await dialer.request({
        method,
        url,
        headers,
        body: body === undefined ? undefined : Buffer.from(body, 'base64'),
        timeoutMs: limits.callMs,
        maxBytes: limits.fetchBytes,
        ...(!follows && { maxRedirects: 0 }),
        signal,
        scope,
        mayLog,
      });
      return {
        type: 'fetched',
        id,
        status: answered.status,
        url: answered.url,
        headers: answered.headers,
        body: Buffer.from(answered.body).toString('base64'),
      };
    } catch (error) {
      const message = isDialerError(error) ? `${error.message} (${error.code})` : 'Such a call cannot be made';
      return { type: 'unfetched', id, message };
    }
  };

  return {
    begin(question) {
      const { id } = question;
      if (underWay.has(id) || underWay.size >= limits.fetches) return false;
      const ending = new AbortController();
      underWay.set(id, ending);
      void outcome(question, ending.signal).then((answered) => answer(answered, () => underWay.delete(id)));
      return true;
    },
    giveUp: (id) => underWay.get(id)?.abort(),
    giveUpAll() {
      for (const ending of underWay.values()) ending.abort();
    },
  };
}
