// Brings answers of canvases and ends of executions to the calls of this process that wait for them.
import type { Clock } from '../contract/clock.ts';
import type { Finish, WebhookResponse } from '../webhook-answer.ts';
import type { Listeners } from './events.ts';

/** Brings the answer of a `respond` node, or the end of an execution, to the request that waits for it. */
export interface Finishes {
  /**
   * Waits for an execution's response or end. A response from before the call is returned at once, and given once.
   *
   * @param over - ends the wait as the limit does
   * @returns `undefined` after the limit
   */
  wait(executionId: string, limitMs: number, over?: AbortSignal): WebhookResponse | Promise<Finish | undefined>;
  /** Takes a response from before the call. */
  takeEarly(executionId: string): WebhookResponse | undefined;
  /** A canvas has answered. */
  respond(executionId: string, response: WebhookResponse): void;
  /** Ends all waits, and those to come: the process stops, and accepted executions continue at the next start (P25). */
  release(): void;
}

/** Responses without a waiting call: a canvas may answer before the call that started it begins to wait. */
const maxEarly = 10_000;

/** How long such a response is kept: its call begins to wait within this time. */
const earlyForMs = 1_000;

/** Passes responses and ends of this process's executions to the calls that wait here; those of other processes are not seen. */
export function createFinishes(clock: Clock, events: Pick<Listeners, 'on'>): Finishes {
  const waiting = new Map<string, Set<(finish: Finish | undefined) => void>>();
  let isOver = false;
  let stopListening: (() => void) | undefined;
  /** In the order in which they came: the oldest makes room, which is over first as well. */
  const early = new Map<string, { readonly response: WebhookResponse; readonly atMs: number }>();

  const finish = (executionId: string, found: Finish | undefined): boolean => {
    const waiters = waiting.get(executionId);
    for (const resolve of waiters ?? []) resolve(found);
    return waiters !== undefined;
  };
  const findEarly = (executionId: string): WebhookResponse | undefined => {
    const found = early.get(executionId);
    return found !== undefined && clock.now() - found.atMs < earlyForMs ? found.response : undefined;
  };
  const takeEarly = (executionId: string): WebhookResponse | undefined => {
    const found = findEarly(executionId);
    early.delete(executionId);
    return found;
  };
  const add = (executionId: string, settle: (finish: Finish | undefined) => void): void => {
    stopListening ??= events.on('execution.ended', (ref, { status }) => void finish(ref.executionId, { ended: status }));
    const waiters = waiting.get(executionId) ?? new Set();
    waiting.set(executionId, waiters.add(settle));
  };
  const remove = (executionId: string, settle: (finish: Finish | undefined) => void): void => {
    const waiters = waiting.get(executionId);
    waiters?.delete(settle);
    if (waiters?.size === 0) waiting.delete(executionId);
    if (waiting.size > 0) return;
    stopListening?.();
    stopListening = undefined;
  };
  return {
    takeEarly,
    release() {
      isOver = true;
      for (const executionId of waiting.keys()) finish(executionId, undefined);
    },
    wait(executionId, limitMs, over) {
      const found = takeEarly(executionId);
      if (found !== undefined) return found;
      if (isOver || over?.aborted === true) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const settle = (result: Finish | undefined): void => {
          clock.clearTimeout(timer);
          over?.removeEventListener('abort', end);
          remove(executionId, settle);
          resolve(result);
        };
        const end = (): void => settle(undefined);
        const timer = clock.setTimeout(end, limitMs);
        over?.addEventListener('abort', end, { once: true });
        add(executionId, settle);
      });
    },
    respond(executionId, response) {
      if (finish(executionId, response) || findEarly(executionId) !== undefined) return;
      const [oldest] = early.size >= maxEarly ? early.keys() : [];
      early.delete(oldest ?? executionId);
      early.set(executionId, { response, atMs: clock.now() });
    },
  };
}
