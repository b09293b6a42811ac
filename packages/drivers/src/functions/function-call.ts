import type { Clock, Json, AbortSignal as Signal } from '@hilo/engine/contract';

/** A function as it is deployed. */
export interface DeployedFunction {
  readonly companyId: string;
  readonly functionId: string;
  /** An ES module: its default export is called with the body and the context. */
  readonly source: string;
  /** Grows with each redeploy: the same source under another number is started again. */
  readonly deployment: number;
}

/** A call of a function. */
export interface FunctionCall {
  readonly body: Json;
  /** In total; 60 s where left out. */
  readonly timeoutMs?: number | undefined;
  /** The same for every attempt of one call (P4). */
  readonly idempotencyKey?: string | undefined;
  /** The tool that a client of the tool server chose. */
  readonly tool?: string | undefined;
  /** Ends the wait for the answer; what the function does until then is not undone. */
  readonly signal?: Signal | undefined;
}

/** The result of a call. */
export type FunctionResult =
  | { readonly kind: 'returned'; readonly value: Json }
  /** The function itself failed. */
  | { readonly kind: 'threw'; readonly message: string }
  /** It returned more than an answer may have. */
  | { readonly kind: 'too-large'; readonly message: string }
  /** It was ended before it answered: what it did until then is unknown (P5). */
  | { readonly kind: 'stopped'; readonly reason: 'timeout' | 'crash' | 'memory'; readonly message: string }
  /** It was not called: all places are taken, or it does not start. With `isLasting`, later calls would fail too. */
  | { readonly kind: 'unavailable'; readonly message: string; readonly retryAfterMs: number; readonly isLasting?: boolean };

/** The pending calls of one process. Each gets a result: from the process, by its time-out, or when the process ends. */
export interface CallsUnderWay {
  readonly size: () => number;
  /** Whether a call still waits for its answer. */
  readonly has: (id: number) => boolean;
  /** @param send - sends to the process as soon as possible. @returns whether it did */
  add(call: FunctionCall, timeoutMs: number, send: (id: number) => Promise<boolean>): Promise<FunctionResult>;
  settle(id: number, result: FunctionResult): void;
  /** Ends all: `why` is for those that were sent; the others never were. */
  settleAll(why: FunctionResult & { readonly message: string }): void;
}

/** @param onEmpty - called whenever the last call has its answer */
export function createCallsUnderWay(clock: Clock, onEmpty: () => void): CallsUnderWay {
  const calls = new Map<number, { readonly settle: (result: FunctionResult) => void; wasSent: boolean }>();
  let lastId = 0;
  return {
    size: () => calls.size,
    has: (id) => calls.has(id),
    settle: (id, result) => calls.get(id)?.settle(result),
    settleAll(why) {
      for (const { settle, wasSent } of calls.values()) settle(wasSent ? why : neverSent(why.message));
    },
    add({ signal }, timeoutMs, send) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve) => {
        const settle = (result: FunctionResult): void => {
          clock.clearTimeout(timer);
          signal?.removeEventListener('abort', cut);
          if (calls.delete(id) && calls.size === 0) onEmpty();
          resolve(result);
        };
        const call = { settle, wasSent: false };
        const cut = (): void => {
          const message = `The function did not answer within ${timeoutMs} ms`;
          settle(call.wasSent ? { kind: 'stopped', reason: 'timeout', message } : neverSent(message));
        };
        const timer = clock.setTimeout(cut, timeoutMs);
        signal?.addEventListener('abort', cut);
        calls.set(id, call);
        if (signal?.aborted === true) return cut();
        void send(id).then((wasSent) => {
          call.wasSent = wasSent;
        });
      });
    },
  };
}

const neverSent = (message: string): FunctionResult => ({ kind: 'unavailable', message, retryAfterMs: 1_000 });
