import type { WebhookAccepted } from '@hilo/engine';
import type { Wish } from '../load/client.ts';

/** What a webhook was answered; `undefined` for other wishes, and where there is no such answer. */
export const webhookAnswer = ({ ask, answer }: Wish): WebhookAccepted | undefined =>
  ask.verb === 'webhook' && answer?.kind === 'answered' ? (answer.value as WebhookAccepted) : undefined;

/** The execution that an accepted start or request began. */
export function executionIdOf(wish: Wish): string | undefined {
  const { ask, answer } = wish;
  if (ask.verb === 'start' && answer?.kind === 'answered') return (answer.value as { readonly executionId: string }).executionId;
  const accepted = webhookAnswer(wish);
  return accepted?.mode === 'new' ? accepted.executionId : undefined;
}
