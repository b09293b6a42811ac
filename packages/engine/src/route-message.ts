import { startInTurn } from './accept-start.ts';
import { advanceExecution, dropQueued } from './advance-execution.ts';
import type { Accepted } from './contract/accepted.ts';
import type { Queued } from './contract/store.ts';
import type { Kernel } from './kernel.ts';
import { matchingStart } from './matching-start.ts';
import { tell } from './tell.ts';

type AcceptedMessage = Extract<Accepted, { readonly kind: 'message' }>;

/** Where a user's message goes: to nobody while a person talks with the user, else to the wait it answers, else to the start it matches, else nowhere. */
export async function routeMessage(kernel: Kernel, queued: Queued, accepted: AcceptedMessage): Promise<void> {
  const { companyId, seq } = queued;
  const { botId, userId, message } = accepted;
  if (await kernel.directory.isAttended?.(companyId, botId, userId)) return dropQueued(kernel, queued);
  const waiting = await kernel.store.awaitingReply(companyId, botId, userId);
  if (waiting?.state.wait !== undefined) {
    const waitId = waiting.state.wait.id;
    await advanceExecution(kernel, companyId, waiting.executionId, () => ({ type: 'reply.received', waitId, message }), { queued });
    return;
  }
  const start = await matchingStart(kernel, companyId, accepted);
  if (start !== undefined) {
    await startInTurn(kernel, { ...start, keys: [], trigger: () => ({ kind: 'message', message }), dequeue: [seq] });
    return;
  }
  await dropQueued(kernel, queued);
  tell(kernel, 'message.unmatched', { companyId, botId, userId, message });
}
