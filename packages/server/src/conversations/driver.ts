import { createHash } from 'node:crypto';
import { type BoundDriver, drive } from '@hilo/engine/contract';
import { openHandoff, refuseHandoff } from '@hilo/nodes/effects';
import type { Conversations } from './conversations.ts';

/** Hands the user of an execution over to an operator. The same effect again is the same conversation (P4). */
export const createHandoffDriver = (conversations: Pick<Conversations, 'open'>): BoundDriver =>
  drive(openHandoff, async ({ teamId, operatorId, idleMs, waits }, { origin, contact, executionId, idempotencyKey }) => {
    const { companyId, botId } = origin;
    const userId = contact?.userId ?? origin.userId;
    if (botId === undefined) return refusal('BOT_NOT_FOUND', 'This execution has no bot through which an operator could write');
    if (userId === undefined) return refusal('USER_NOT_FOUND', 'This execution has no user who could be handed over');
    const id = `conv_${createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 32)}`;
    const opened = await conversations.open({
      companyId,
      botId,
      userId,
      teamId,
      operatorId,
      idleMs,
      id,
      origin: 'organic',
      isUserWaiting: true,
      handsOver: waits ? executionId : null,
    });
    switch (opened.kind) {
      case 'opened':
        return { kind: 'opened', conversationId: opened.id, key: opened.waitKey };
      case 'taken':
        return { kind: 'noAgent' };
      default:
        return refuseHandoff(opened.kind, { operatorId, teamId });
    }
  });

const refusal = (cause: string, message: string) => ({ kind: 'refused', cause, message }) as const;
