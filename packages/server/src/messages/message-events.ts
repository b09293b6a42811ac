// What writes of messages tell of.
import type { ToldEvent } from '../platform/events/telling.ts';
import type { Turn } from './delivery-queues.ts';
import type { WrittenMessage } from './sql.ts';

type Sent = Pick<Turn, 'messageId' | 'message' | 'executionId' | 'nodeId'> & {
  readonly companyId: string;
  readonly botId: string;
  readonly userId: string;
  readonly providerMessageId?: string | undefined;
};

const tellSent = (sent: Sent, atMs: number): ToldEvent => {
  const { companyId, botId, userId, messageId, message, executionId, nodeId, providerMessageId } = sent;
  const data = {
    botId,
    userId,
    messageId,
    message,
    ...(providerMessageId !== undefined && { providerMessageId }),
    ...(executionId !== null && { executionId }),
    ...(nodeId !== null && { nodeId }),
  };
  return { type: 'message.sent', companyId, atMs, about: { userId }, data };
};

/** A message that is sent by being kept. */
export const tellKept = (row: WrittenMessage): ToldEvent =>
  tellSent({ ...row, executionId: row.executionId ?? null, nodeId: row.nodeId ?? null }, row.createdAtMs);

/** The end of a message's way: it has left, or could not. */
export function tellSettled(
  { lane, messageId, userId, message, executionId, nodeId }: Turn,
  outcome: {
    readonly providerMessageId: string | undefined;
    readonly failure: { readonly cause: string; readonly message: string } | undefined;
  },
  atMs: number,
): ToldEvent {
  const { companyId, botId } = lane;
  const { providerMessageId, failure } = outcome;
  if (failure === undefined)
    return tellSent({ companyId, botId, userId, messageId, message, executionId, nodeId, providerMessageId }, atMs);
  const data = { botId, userId, messageId, status: 'failed' as const, code: failure.cause, explanation: failure.message.slice(0, 1_000) };
  return { type: 'message.status', companyId, atMs, about: { userId }, data };
}

/** How far a message is, as its provider reports it. */
export interface ReportedStatus {
  readonly companyId: string;
  readonly botId: string;
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  readonly providerMessageId?: string | undefined;
  readonly failure?: { readonly cause: string; readonly message: string } | undefined;
  /** The message, where it is known. */
  readonly message?: { readonly messageId: string; readonly userId: string } | undefined;
}

export function tellStatus({ companyId, botId, status, providerMessageId, failure, message }: ReportedStatus, atMs: number): ToldEvent {
  const data = {
    botId,
    status,
    ...message,
    ...(providerMessageId !== undefined && { providerMessageId }),
    ...(failure !== undefined && { code: failure.cause, explanation: failure.message.slice(0, 1_000) }),
  };
  const about = message === undefined ? { thing: `message ${providerMessageId ?? ''}` } : { userId: message.userId };
  return { type: 'message.status', companyId, atMs, about, data };
}
