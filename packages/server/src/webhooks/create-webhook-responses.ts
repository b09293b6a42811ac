import type { Clock } from '@hilo/engine/contract';
import type { WebhookResponse, WebhookResponses } from './webhook-responses.ts';

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
  letGo(): void;
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
    letGo() {
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
