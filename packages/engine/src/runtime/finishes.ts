import { findWebhookResponse, type WebhookAccepted, type WebhookResponse } from '@hilo/engine';
import { type Clock, planDeadline } from '@hilo/engine/contract';
import { finalStatuses } from '@hilo/engine/store-kit';
import type { Platform } from '../platform/platform.ts';
import { waitUpTo } from '../platform/waiting.ts';
import type { Tenancy } from '../tenants/companies.ts';

/** The result that a waiting call gets: the canvas's response, or how the execution ended. */
export type Finish = WebhookResponse | { readonly ended: string };

/** Brings the answer of a `respond` node, or the end of an execution, to the request that waits for it. */
export interface WebhookResponses {
  /** A response from before the call, which is given once. */
  takeEarly(executionId: string): WebhookResponse | undefined;
  /**
   * Waits for an execution's response or end. A response from before the call is returned at once.
   *
   * @param over - ends the wait as the limit does
   * @returns `undefined` after the limit
   */
  wait(executionId: string, limitMs: number, over?: AbortSignal): WebhookResponse | Promise<Finish | undefined>;
  /** Called by the driver of `respond`. */
  respond(executionId: string, response: WebhookResponse): void;
}

/** Responses without a waiting call: a canvas may answer before the call that started it begins to wait. */
const maxEarly = 10_000;

/** How long such a response is kept: its call begins to wait within this time. */
const earlyForMs = 1_000;

/** Responses, and the ends that finish a wait as well. */
export interface OpenResponses extends WebhookResponses {
  /** Called for every execution that ended. */
  ended(executionId: string, status: string): void;
  /** Ends all waits: the process stops, and accepted executions continue at the next start (P25). */
  release(): void;
}

/** Passes responses and ends of this process's executions to the calls that wait here; those of other processes are not seen. */
export function createWebhookResponses(clock: Clock): OpenResponses {
  const waiting = new Map<string, Set<(finish: Finish | undefined) => void>>();
  let isOver = false;
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
  return {
    takeEarly,
    ended: (executionId, status) => void finish(executionId, { ended: status }),
    release() {
      isOver = true;
      for (const executionId of waiting.keys()) finish(executionId, undefined);
    },
    wait(executionId, limitMs, over) {
      const found = takeEarly(executionId);
      if (found !== undefined) return found;
      if (isOver || over?.aborted === true) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const waiters = waiting.get(executionId) ?? new Set();
        waiting.set(executionId, waiters);
        const settle = (result: Finish | undefined): void => {
          clock.clearTimeout(timer);
          over?.removeEventListener('abort', end);
          waiters.delete(settle);
          if (waiters.size === 0) waiting.delete(executionId);
          resolve(result);
        };
        const end = (): void => settle(undefined);
        const timer = clock.setTimeout(end, limitMs);
        over?.addEventListener('abort', end, { once: true });
        waiters.add(settle);
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

type Accepted = Pick<WebhookAccepted, 'executionId' | 'isNewExecution'>;

/** What waiting for a finish needs. */
type FinishParts = Pick<Platform, 'engine' | 'clock' | 'settings'> & Tenancy & { readonly responses: Pick<WebhookResponses, 'wait'> };

/**
 * The answer or the end of an execution, whichever is first; `undefined` when neither comes within the budget of the plan, or before the
 * signal.
 */
export async function awaitFinish(
  service: FinishParts,
  companyId: string,
  accepted: Accepted,
  over: AbortSignal,
): Promise<Finish | undefined> {
  const { plan, kind } = service.companies.company(companyId) ?? { plan: '', kind: '' };
  const { appliedMs } = planDeadline({ plan, kind }, { node: 'api', configuredMs: undefined, hasClientCertificate: false });
  const heard = service.responses.wait(accepted.executionId, appliedMs, over);
  if (!(heard instanceof Promise)) return heard;
  // The call was accepted, and is answered so even when the store is unavailable now.
  const read = () => readFinish(service, companyId, accepted).catch(() => undefined);
  const isShared = service.settings.databaseUrl !== undefined;
  const inStore = (await read()) ?? (isShared ? pollFinish(service.clock, heard, read) : heard);
  const finish = await Promise.race([heard, inStore]);
  // A repeated call may arrive between response and end, and sees only the end.
  return finish === undefined || 'ended' in finish ? ((await read()) ?? finish) : finish;
}

/** The result of a repeated call whose execution answered or ended before (P10), for which no event comes. */
async function readFinish(
  { engine }: Pick<Platform, 'engine'>,
  companyId: string,
  { executionId, isNewExecution }: Accepted,
): Promise<Finish | undefined> {
  const status = (await engine.execution(companyId, executionId))?.state.status;
  const answer = isNewExecution ? findWebhookResponse(await engine.history(companyId, executionId)) : undefined;
  return answer ?? (status !== undefined && finalStatuses.has(status) ? { ended: status } : undefined);
}

const firstPauseMs = 250;

/** Polls the store with growing pauses: another process on the same database may run the execution, and its events are not seen here. */
async function pollFinish(
  clock: Clock,
  heard: Promise<Finish | undefined>,
  read: () => Promise<Finish | undefined>,
): Promise<Finish | undefined> {
  let isOver = false;
  const over = heard.finally(() => {
    isOver = true;
  });
  for (let pauseMs = firstPauseMs; !isOver; pauseMs *= 2) {
    await waitUpTo(clock, pauseMs, over);
    const found = isOver ? undefined : await read();
    if (found !== undefined) return found;
  }
  return heard;
}
