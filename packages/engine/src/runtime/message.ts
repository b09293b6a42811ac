// A user's message on its way to the lane of its user.
import type { InboundMessage, MessageOutcome } from '../lane/calls.ts';
import { laneOfMessage, listIds } from '../lane/accept-message.ts';
import { askLane } from './ask-lane.ts';
import type { EngineContext } from './context.ts';

/**
 * Accepts a user's message: when the promise resolves it is durable, the window is open, phone number and BSUID are linked. In its turn
 * it answers the user's open wait or starts a workflow; during an advance it is queued.
 *
 * @returns its outcome
 * @throws {HiloError} `INVALID_TIME_ZONE`, `INVALID_LOCALE`; `STORE_CONFLICT` when the store refused the message: nothing was accepted
 */
export async function receiveMessage(context: EngineContext, message: InboundMessage): Promise<{ readonly outcome: MessageOutcome }> {
  const { companyId, botId, user } = message;
  const ids = listIds(message); // refused before anything else
  return context.meetings.meet({ companyId, botId, ids }, (contact, onMet) =>
    askLane(context, laneOfMessage(message, contact?.userId ?? user.id), { type: 'message', message }, { contact: { contact }, onMet }),
  );
}
