// How the caller of a webhook waits for the answer of its canvas, or for the end of the execution: hosts and the service in one way.
import type { Clock } from '../contract/clock.ts';
import type { EffectCall } from '../contract/execution.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import type { WebhookAccepted } from '../lane/calls.ts';
import { planDeadline } from '../plans/plan-deadline.ts';
import { type Finish, findWebhookResponse, readWebhookResponse, respondEffect } from '../webhook-answer.ts';
import type { EngineContext } from './context.ts';

/** Answers the request that waits for an execution or for one of its callers, where its effect is one: a child may answer for its parent. */
export function respondTo(context: EngineContext, { type, request, executionId, parentId, origin }: EffectCall): void {
  if (type !== respondEffect) return;
  const response = readWebhookResponse({ type, request });
  if (response === undefined) return;
  const { finishes, store, events } = context;
  finishes.respond(executionId, response);
  const respondToCallers = async (): Promise<void> => {
    for (let id = parentId; id !== undefined; id = (await store.load(origin.companyId, id))?.parent?.executionId)
      finishes.respond(id, response);
  };
  if (parentId !== undefined)
    respondToCallers().catch((error: unknown) => events.emit('engine.fault', { error, while: 'answering for a caller' }));
}

type Accepted = Pick<WebhookAccepted, 'executionId' | 'isNewExecution'>;

/** How long a call waits. */
export interface WaitOptions {
  /** What the plan of the company permits (WEB-24), or 30,000 where the directory names none, when left out. In milliseconds. */
  readonly limitMs?: number | undefined;
  /** Ends the wait as the limit does: nobody waits any more. */
  readonly over?: AbortSignal | undefined;
}

/**
 * The answer or the end of an execution, whichever is first; `undefined` when neither comes within the limit, or before the signal. The call
 * was accepted, and is so even when the store is unavailable now.
 */
export async function awaitFinish(
  context: EngineContext,
  companyId: string,
  accepted: Accepted,
  options: WaitOptions = {},
): Promise<Finish | undefined> {
  const early = context.finishes.takeEarly(accepted.executionId);
  if (early !== undefined) return early;
  const { limitMs = await readBudgetMs(context, companyId), over } = options;
  const heard = context.finishes.wait(accepted.executionId, limitMs, over);
  if (!(heard instanceof Promise)) return heard;
  const read = () => readFinish(context, companyId, accepted).catch(() => undefined);
  const isElsewhere = context.ownership !== undefined || context.runtime !== undefined;
  const inStore = (await read()) ?? (isElsewhere ? pollFinish(context.clock, heard, read) : heard);
  const finish = await Promise.race([heard, inStore]);
  // A repeated call may arrive between response and end, and sees only the end.
  return finish === undefined || 'ended' in finish ? ((await read()) ?? finish) : finish;
}

/** How long a call may wait for its canvas where no plan is known. */
const defaultBudgetMs = 30_000;

async function readBudgetMs({ directory }: EngineContext, companyId: string): Promise<number> {
  const { plan, kind } = (await directory.company(companyId)) ?? {};
  if (typeof plan !== 'string') return defaultBudgetMs;
  const holder = { plan, kind: typeof kind === 'string' ? kind : '' };
  return planDeadline(holder, { node: 'api', configuredMs: undefined, hasClientCertificate: false }).appliedMs;
}

/** The result of a repeated call whose execution answered or ended before (P10), for which no event comes. */
async function readFinish(
  { store }: EngineContext,
  companyId: string,
  { executionId, isNewExecution }: Accepted,
): Promise<Finish | undefined> {
  const status = (await store.load(companyId, executionId))?.state.status;
  const answer = isNewExecution ? findWebhookResponse(await store.history(companyId, executionId)) : undefined;
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
    await pauseUpTo(clock, pauseMs, over);
    const found = isOver ? undefined : await read();
    if (found !== undefined) return found;
  }
  return heard;
}

/** Resolves after this time, or when a promise does. */
async function pauseUpTo(clock: Clock, pauseMs: number, over: Promise<unknown>): Promise<void> {
  const { promise: passed, resolve } = Promise.withResolvers<void>();
  const timer = clock.setTimeout(resolve, pauseMs);
  await Promise.race([passed, over]);
  clock.clearTimeout(timer);
}
