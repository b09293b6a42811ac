import type { LoggedMessage } from './message-log.ts';
import { instant } from '../platform/http/instant.ts';

/** A message as management shows it: what led to it, and why it failed or nobody took it, is left out where there is nothing to name. */
export const messageView = ({ createdAtMs, executionId, nodeId, cause, ...message }: LoggedMessage) => ({
  messageId: message.messageId,
  direction: message.direction,
  userId: message.userId,
  message: message.message,
  idempotencyKey: message.idempotencyKey,
  status: message.status,
  createdAt: instant(createdAtMs),
  ...(executionId !== null && { executionId }),
  ...(nodeId !== null && { nodeId }),
  ...(cause !== null && { cause }),
});
