import type { WebhookAccepted } from '@hilo/engine';
import { isAnswerHeader } from '@hilo/nodes/effects';
import type { Context } from 'hono';
import type { HttpEnv } from '../http/context.ts';
import type { Traffic } from '../http/traffic.ts';
import type { Service } from '../service/service.ts';
import type { WebhookResponse } from '../service/webhook-responses.ts';
import { finishOf } from './finish-of.ts';

/**
 * Answers a call that was accepted: at once, or with `respond: "onFinish"` as the canvas says. What neither answers nor ends
 * within the budget of the plan goes on, and is answered as accepted (WEB-24).
 */
export async function answerAccepted(
  c: Context<HttpEnv>,
  service: Service,
  { admission }: Pick<Traffic, 'admission'>,
  companyId: string,
  { respond, ...accepted }: WebhookAccepted,
): Promise<Response> {
  const answer = { success: true, ...accepted };
  const leave = respond === 'onFinish' && accepted.ignored === undefined ? admission.holdForFinish() : undefined;
  if (leave === undefined) return c.json(answer);
  try {
    const finish = await finishOf(service, companyId, accepted);
    if (finish === undefined) return c.json(answer);
    return 'ended' in finish ? c.json({ ...answer, status: finish.ended }) : authored(finish);
  } finally {
    leave();
  }
}

/**
 * An answer that the canvas's author wrote. A browser must not take it for a page of ours (T20): a version that was published before
 * a header was refused is answered without it.
 */
function authored({ status, headers, body }: WebhookResponse): Response {
  const isEmpty = body === null || status === 204 || status === 205 || status === 304;
  const kept = new Headers(Object.entries(headers).filter(([name]) => isAnswerHeader(name)));
  if (!isEmpty && !kept.has('content-type'))
    kept.set('content-type', typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Response(isEmpty ? null : text, { status, headers: kept });
}
