import type { MessageLog } from '../service/message-log.ts';
import type { Deliver } from './delivery.ts';

/** Sends for bots of kind `log`: the message is kept where everybody can look, and that is all. */
export const createLogDelivery =
  (messages: Pick<MessageLog, 'sent'>): Deliver =>
  async (_bot, message) => ({ kind: 'sent', messageId: await messages.sent(message) });
