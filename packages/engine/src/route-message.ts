import { startInTurn } from './accept-start.ts';
import { advanceExecution, dropQueued } from './advance-execution.ts';
import type { Accepted } from './contract/accepted.ts';
import { HiloError } from './contract/errors.ts';
import type { Queued } from './contract/store.ts';
import type { RoutedMessage } from './engine-events.ts';
import type { Kernel } from './kernel.ts';
import { matchingStart } from './matching-start.ts';

type AcceptedMessage = Extract<Accepted, { readonly kind: 'message' }>;

/** Where a user's message goes: to nobody while a person talks with the user, else to the wait it answers, else to the start it matches, else nowhere. */
export async function routeMessage(kernel: Kernel, queued: Queued, accepted: AcceptedMessage): Promise<RoutedMessage> {
  const { companyId, seq } = queued;
  const { botId, userId, message } = accepted;
  if (await kernel.directory.isAttended?.(companyId, botId, userId)) {
    await dropQueued(kernel, queued);
    return 'held';
  }
  const waiting = await kernel.store.awaitingReply(companyId, botId, userId);
  if (waiting?.state.wait !== undefined) {
    const { executionId } = waiting;
    const waitId = waiting.state.wait.id;
    await advanceExecution(
      kernel,
      companyId,
      executionId,
      ({ state }) => {
        // Another process answered the wait since: the message is routed anew.
        if (state.wait?.id !== waitId) throw new HiloError('STORE_CONFLICT', { executionId });
        return { type: 'reply.received', waitId, message };
      },
      { queued, known: waiting },
    );
    return 'resumed';
  }
  const start = await matchingStart(kernel, companyId, accepted);
  if (typeof start === 'object') {
    await startInTurn(kernel, { ...start, keys: [], trigger: () => ({ kind: 'message', message }), dequeue: [seq] });
    return 'started';
  }
  await dropQueued(kernel, queued);
  kernel.events.emit('message.unmatched', { companyId, botId, userId, message, cause: start });
  return 'unmatched';
}
