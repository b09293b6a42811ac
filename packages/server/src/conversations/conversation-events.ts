// What writes of conversations tell of.
import type { ToldEvent } from '../platform/events/telling.ts';

/** A conversation that begins. */
interface Beginning {
  readonly companyId: string;
  readonly botId: string;
  readonly userId: string;
  readonly id: string;
  readonly operatorId: number | null;
  readonly teamName: string | null;
  readonly origin: string;
  /** Which waits for its end. */
  readonly executionId: string | undefined;
}

export function tellOpened({ companyId, id, executionId, ...conversation }: Beginning, atMs: number): ToldEvent {
  const data = { conversationId: id, ...conversation, ...(executionId !== undefined && { executionId }) };
  return { type: 'conversation.opened', companyId, atMs, about: { userId: conversation.userId }, data };
}

/** A conversation that was read. */
interface Known {
  readonly companyId: string;
  readonly id: string;
  readonly row: {
    readonly botId: string;
    readonly userId: string;
    readonly operatorId: number | undefined;
    readonly teamName: string | undefined;
  };
}

const describe = ({ id, row }: Known) => ({
  conversationId: id,
  botId: row.botId,
  userId: row.userId,
  operatorId: row.operatorId ?? null,
  teamName: row.teamName ?? null,
});

export const tellAssigned = (
  known: Known,
  to: { readonly operatorId: number | null; readonly teamName: string | null },
  atMs: number,
): ToldEvent => {
  const data = { ...describe(known), ...to };
  return { type: 'conversation.assigned', companyId: known.companyId, atMs, about: { userId: data.userId }, data };
};

export function tellEnded(
  known: Known,
  {
    state,
    reason,
    childId,
  }: {
    readonly state: 'closed' | 'resolved' | 'transferred' | 'expired';
    readonly reason: string | undefined;
    readonly childId?: string;
  },
  atMs: number,
): ToldEvent {
  const data = { ...describe(known), state, ...(reason !== undefined && { reason }), ...(childId !== undefined && { childId }) };
  return { type: 'conversation.ended', companyId: known.companyId, atMs, about: { userId: data.userId }, data };
}
