import type { WebhookAccepted } from '@hilo/engine';
import { finalStatuses } from '@hilo/engine/store-kit';
import { type Clock, type HistoryRecord, planDeadline } from '@hilo/engine/contract';
import { respondWebhook } from '@hilo/nodes/effects';
import type { WebhookResponse } from './webhook-responses.ts';
import type { WebhookParts } from './read-request.ts';

/** What a call that waits for it is answered: what the canvas says, or how the execution ended. */
export type Finish = WebhookResponse | { readonly ended: string };

type Accepted = Pick<WebhookAccepted, 'executionId' | 'isNewExecution'>;

/** The answer or the end of an execution, whichever is first; `undefined` when neither comes within the budget of the plan. */
export async function awaitFinish(service: WebhookParts, companyId: string, accepted: Accepted): Promise<Finish | undefined> {
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
  { engine }: Pick<WebhookParts, 'engine'>,
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
