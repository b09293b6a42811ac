import type { WebhookAccepted } from '@hilo/engine';
import { isAnswerHeader } from '@hilo/nodes/effects';
import type { Traffic } from '../platform/http/traffic.ts';
import type { Service } from '../service.ts';
import type { WebhookResponse } from './webhook-responses.ts';
import { awaitFinish } from './await-finish.ts';
import { type GatewayAnswer, jsonAnswer } from './call.ts';

/**
 * Answers a call that was accepted: at once, or with `respond: "onFinish"` as the canvas says. What neither answers nor ends
 * within the budget of the plan goes on, and is answered as accepted (WEB-24).
 */
export async function answerAccepted(
  service: Service,
  { admission }: Pick<Traffic, 'admission'>,
  companyId: string,
  { respond, ...accepted }: WebhookAccepted,
): Promise<GatewayAnswer> {
  const answer = { success: true, ...accepted };
  const leave = respond === 'onFinish' && accepted.ignored === undefined ? admission.holdForFinish() : undefined;
  if (leave === undefined) return jsonAnswer(200, answer);
  try {
    const finish = await awaitFinish(service, companyId, accepted);
    if (finish === undefined) return jsonAnswer(200, answer);
    return 'ended' in finish ? jsonAnswer(200, { ...answer, status: finish.ended }) : authoredAnswer(finish);
  } finally {
    leave();
  }
}

/**
 * An answer that the canvas's author wrote. A browser must not take it for a page of ours (T20): a version that was published before
 * a header was refused is answered without it.
 */
function authoredAnswer({ status, headers, body }: WebhookResponse): GatewayAnswer {
  const isEmpty = body === null || status === 204 || status === 205 || status === 304;
  const kept: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(headers)) if (isAnswerHeader(name)) kept[name.toLowerCase()] = value;
  if (!isEmpty) kept['content-type'] ??= typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  return { status, headers: kept, text: isEmpty ? null : typeof body === 'string' ? body : JSON.stringify(body) };
}
