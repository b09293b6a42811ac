import type { WebhookAccepted } from '@hilo/engine';
import { type Clock, type HistoryRecord, type Json, planDeadline } from '@hilo/engine/contract';
import { finalStatuses } from '@hilo/engine/store-kit';
import { respondWebhook } from '@hilo/nodes/effects';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenants/companies.ts';

/** What a webhook that was called with `respond: "onFinish"` is answered. */
export interface WebhookResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Json;
}

/** What a call that waits for it is answered: what the canvas says, or how the execution ended. */
export type Finish = WebhookResponse | { readonly ended: string };

/** Brings the answer of a `respond` node, or the end of an execution, to the request that waits for it. */
export interface WebhookResponses {
  /**
   * Waits for an execution's response or end. A response is given to one who comes after it, at once.
   *
   * @returns `undefined` when neither came in time
   */
  wait(executionId: string, limitMs: number): WebhookResponse | Promise<Finish | undefined>;
  /** Called by the driver of `respond`. */
  respond(executionId: string, response: WebhookResponse): void;
}

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

type Accepted = Pick<WebhookAccepted, 'executionId' | 'isNewExecution'>;

/** What waiting for a finish needs. */
type FinishParts = Pick<Platform, 'engine' | 'clock' | 'settings'> & Tenancy & { readonly responses: Pick<WebhookResponses, 'wait'> };

/** The answer or the end of an execution, whichever is first; `undefined` when neither comes within the budget of the plan. */
export async function awaitFinish(service: FinishParts, companyId: string, accepted: Accepted): Promise<Finish | undefined> {
  const { plan, kind } = service.companies.company(companyId) ?? { plan: '', kind: '' };
  const { appliedMs } = planDeadline({ plan, kind }, { node: 'api', configuredMs: undefined, hasClientCertificate: false });
  const heard = service.responses.wait(accepted.executionId, appliedMs);
  if (!(heard instanceof Promise)) return heard;
  // It was accepted, and is answered so, even when the store is not reached any more.
  const look = () => finishInStore(service, companyId, accepted).catch(() => undefined);
  const isShared = service.settings.databaseUrl !== undefined;
  const inStore = (await look()) ?? (isShared ? finishElsewhere(service.clock, heard, look) : heard);
  const finish = await Promise.race([heard, inStore]);
  // Who repeats a call may come between its answer and its end, and hears of the end alone.
  return finish === undefined || 'ended' in finish ? ((await look()) ?? finish) : finish;
}

/** A call that is repeated finds its execution answered or ended (P10), and nobody tells of it a second time. */
async function finishInStore(
  { engine }: Pick<Platform, 'engine'>,
  companyId: string,
  { executionId, isNewExecution }: Accepted,
): Promise<Finish | undefined> {
  const status = (await engine.execution(companyId, executionId))?.state.status;
  const answer = isNewExecution ? recordedResponse(await engine.history(companyId, executionId)) : undefined;
  return answer ?? (status !== undefined && finalStatuses.has(status) ? { ended: status } : undefined);
}

/**
 * What an execution answered the request that it began with; `undefined` where it has not, or where the node keeps it out of the
 * history. What follows a further request answers that one.
 */
function recordedResponse(records: readonly HistoryRecord[]): WebhookResponse | undefined {
  for (const { event, entries } of records) {
    if (event.type === 'webhook.received') return undefined;
    const asked = entries.find(({ effect }) => effect?.type === respondWebhook.type && effect.request !== undefined);
    if (asked !== undefined) return respondWebhook.request.safeParse(asked.effect?.request).data;
  }
  return undefined;
}

const firstLookMs = 250;

/** Another process over the same database may go on with it, and nobody tells of it here: we look each time we have waited as long again. */
async function finishElsewhere(
  clock: Clock,
  heard: Promise<Finish | undefined>,
  look: () => Promise<Finish | undefined>,
): Promise<Finish | undefined> {
  let isOver = false;
  const over = heard.finally(() => {
    isOver = true;
  });
  for (let pauseMs = firstLookMs; !isOver; pauseMs *= 2) {
    await within(clock, pauseMs, over);
    const found = isOver ? undefined : await look();
    if (found !== undefined) return found;
  }
  return heard;
}

/** Resolves when this does, or after this time. */
async function within(clock: Clock, limitMs: number, waiting: Promise<unknown>): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = clock.setTimeout(resolve, limitMs);
  await Promise.race([waiting, over]);
  clock.clearTimeout(timer);
}
