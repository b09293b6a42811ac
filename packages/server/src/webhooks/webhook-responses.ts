import type { Clock, Json } from '@hilo/engine/contract';

/** What a webhook that was called with `respond: "onFinish"` is answered. */
export interface WebhookResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Json;
}

/** Brings the answer of a `respond` node, or the end of an execution, to the request that waits for it. */
export interface WebhookResponses {
  /**
   * Waits for an execution's response or end. A response is given to one who comes after it, at once.
   *
   * @returns `undefined` when neither came in time
   */
  wait(executionId: string, limitMs: number): WebhookResponse | Promise<WebhookResponse | { readonly ended: string } | undefined>;
  /** Called by the driver of `respond`. */
  respond(executionId: string, response: WebhookResponse): void;
}

type Finish = WebhookResponse | { readonly ended: string };

/** Responses that nobody waited for yet: a canvas may answer before whoever accepted the request begins to wait. */
const mostEarly = 10_000;

/** Whoever accepted it waits by then; what comes later waits for another response. */
const earlyForMs = 1_000;

/** Responses, and the ends that finish a wait as well. */
export interface OpenResponses extends WebhookResponses {
  /** Told of every execution that ended. */
  ended(executionId: string, status: string): void;
  /** From now on nobody waits: the process stops, and what was accepted goes on at the next start (P25). */
  release(): void;
}

/** Brings responses and ends of this process's executions to those who wait here; another process's are not heard of. */
export function createWebhookResponses(clock: Clock): OpenResponses {
  const waiting = new Map<string, Set<(finish: Finish | undefined) => void>>();
  let isOver = false;
  const early = new Map<string, { readonly response: WebhookResponse; readonly atMs: number }>();

  const finish = (executionId: string, found: Finish | undefined): boolean => {
    const waiters = waiting.get(executionId);
    for (const resolve of waiters ?? []) resolve(found);
    return waiters !== undefined;
  };
  return {
    ended: (executionId, status) => void finish(executionId, { ended: status }),
    release() {
      isOver = true;
      for (const executionId of waiting.keys()) finish(executionId, undefined);
    },
    wait(executionId, limitMs) {
      const found = early.get(executionId);
      early.delete(executionId);
      if (found !== undefined && clock.now() - found.atMs < earlyForMs) return found.response;
      if (isOver) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const waiters = waiting.get(executionId) ?? new Set();
        waiting.set(executionId, waiters);
        const settle = (result: Finish | undefined): void => {
          clock.clearTimeout(timer);
          waiters.delete(settle);
          if (waiters.size === 0) waiting.delete(executionId);
          resolve(result);
        };
        const timer = clock.setTimeout(() => settle(undefined), limitMs);
        waiters.add(settle);
      });
    },
    respond(executionId, response) {
      if (finish(executionId, response)) return;
      const [oldest] = early.keys();
      if (early.size >= mostEarly && oldest !== undefined) early.delete(oldest);
      early.set(executionId, { response, atMs: clock.now() });
    },
  };
}
