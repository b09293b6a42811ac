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

/** Who the plan rules see. Without a company, as where the engine is embedded, no plan limits anything. */
export function planHolder(variables: Variables): PlanHolder {
  if (variables.get(['$company']) === undefined) return { plan: '', kind: 'enterprise' };
  const readText = (name: string): string => {
    const value = variables.get(['$company', name]);
    return typeof value === 'string' ? value : '';
  };
  return { plan: readText('plan'), kind: readText('kind') };
}

/** How a node leaves when its call got no answer; both ends by time have their cause from the plan rules (TMO-06 to TMO-08). */
export function failUnreachable(
  { reason, message, outcome, retryAfterMs }: z.output<typeof unreachable>,
  { cause, appliedMs, limitMs, configuredMs }: PlanDeadline,
): Leave<'error'> {
  const known = { ...(outcome !== undefined && { outcome }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
  if (reason !== 'timeout') return fail('HTTP_UNREACHABLE', message ?? reasons[reason], { reason, ...known });
  const cut =
    cause === 'PLAN_TIMEOUT_EXCEEDED'
      ? `The call was ended after ${appliedMs} ms, which is all that the company's plan allows`
      : `The call was not answered within ${appliedMs} ms`;
  return fail(cause, cut, { limitMs, configuredMs, appliedMs, ...known });
}

/** What a call is answered with that is to be made again later, and not before `Retry-After` (P24). */
const asksForPatience: ReadonlySet<number> = new Set([429, 503]);

/** The `retryAfterMs` of a failure. */
export const patience = (status: number, { retryAfterMs }: { readonly retryAfterMs?: number }): { readonly retryAfterMs?: number } =>
  retryAfterMs !== undefined && asksForPatience.has(status) ? { retryAfterMs } : {};

const reasons = {
  'invalid-url': 'The address is not a valid URL',
  refused: 'The address did not take the call',
  blocked: 'The address is not one that a canvas may reach',
  'too-large': 'The answer is longer than is read',
};
