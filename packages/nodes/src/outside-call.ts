import { fail, type Hold, type HoldConfig, type Leave, type PlanDeadline, type PlanHolder, type Variables } from '@hilo/engine/contract';
import type { z } from 'zod';
import type { unreachable } from './effects/http-request.ts';
import { sendMessage } from './effects/send-message.ts';

/**
 * Keeps the user's messages from the flow while an effect runs (RET rules).
 *
 * @param hold - the input of `run`: `undefined` when no user is held
 * @param capMs - when the user is released even if the node is still running: see `holdCapMs`
 */
export function holdUser(hold: HoldConfig | undefined, capMs: number, variables: Variables): Hold | undefined {
  if (hold === undefined) return undefined;
  const { onMessage, message } = hold;
  const text = message?.(variables) ?? '';
  return { onMessage, capMs, ...(text.trim() !== '' && { reply: sendMessage({ message: { type: 'text', text } }) }) };
}

/** The company as the plan rules see it. Without one, as in an embedded engine, no plan limits anything. */
export function readPlanHolder(variables: Variables): PlanHolder {
  if (variables.get(['$company']) === undefined) return { plan: '', kind: 'enterprise' };
  const readText = (name: string): string => {
    const value = variables.get(['$company', name]);
    return typeof value === 'string' ? value : '';
  };
  return { plan: readText('plan'), kind: readText('kind') };
}

/** The failure of a call without an answer. The cause of a time-out comes from the plan rules (TMO-06 to TMO-08). */
export function failUnreachable(
  { reason, message, outcome, retryAfterMs }: z.output<typeof unreachable>,
  { cause, appliedMs, limitMs, configuredMs }: PlanDeadline,
): Leave<'error'> {
  const known = { ...(outcome !== undefined && { outcome }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
  if (reason !== 'timeout') return fail('HTTP_UNREACHABLE', message ?? reasons[reason], { reason, ...known });
  const timedOut =
    cause === 'PLAN_TIMEOUT_EXCEEDED'
      ? `The call was ended after ${appliedMs} ms, which is all that the company's plan allows`
      : `The call was not answered within ${appliedMs} ms`;
  return fail(cause, timedOut, { limitMs, configuredMs, appliedMs, ...known });
}

/** Statuses after which a call is repeated no earlier than `Retry-After` says (P24). */
const retryLaterStatuses: ReadonlySet<number> = new Set([429, 503]);

/** The `retryAfterMs` of an answer with one of these statuses, for the details of a failure. */
export const pickRetryAfter = (status: number, { retryAfterMs }: { readonly retryAfterMs?: number }): { readonly retryAfterMs?: number } =>
  retryAfterMs !== undefined && retryLaterStatuses.has(status) ? { retryAfterMs } : {};

const reasons = {
  'invalid-url': 'The address is not a valid URL',
  refused: 'The address did not take the call',
  blocked: 'The address is not one that a canvas may reach',
  'too-large': 'The answer is longer than is read',
};
