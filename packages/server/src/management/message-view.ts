import type { LoggedMessage } from '../service/message-log.ts';
import { instant } from './instant.ts';

/** A message as management shows it: what led to it is left out where there is nothing to name. */
export const messageView = ({ createdAtMs, executionId, nodeId, ...message }: LoggedMessage) => ({
  messageId: message.messageId,
  direction: message.direction,
  userId: message.userId,
  message: message.message,
  idempotencyKey: message.idempotencyKey,
  status: message.status,
  createdAt: instant(createdAtMs),
  ...(executionId !== null && { executionId }),
  ...(nodeId !== null && { nodeId }),
});
