// What writes of conversations tell of.
import { decodeText } from '@hilo/stores';
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

/** A conversation as its row has it. */
interface Known {
  readonly companyId: string;
  readonly id: string;
  readonly row: {
    readonly bot_id: string;
    readonly user_id: string;
    readonly operator_id: number | null;
    readonly team_name: string | null;
  };
}

const describe = ({ id, row }: Known) => ({
  conversationId: id,
  botId: decodeText(row.bot_id),
  userId: decodeText(row.user_id),
  operatorId: row.operator_id,
  teamName: row.team_name,
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
