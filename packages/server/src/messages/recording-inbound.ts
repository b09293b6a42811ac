import type { ExecutionStore } from '@hilo/engine/contract';
import { type Call, type DurableStore, keyOf, written } from '@hilo/stores';
import { noteMessage } from '../conversations/note-message.ts';
import { type InboundRow, recordInbound } from './create-message-log.ts';

/**
 * The engine's store, with every message that is accepted kept in the log in the same transaction: both are there, or
 * neither; a message that came twice is there once (P10).
 */
export const recordingInbound = (store: Pick<DurableStore, 'executions' | 'commitWith'>): ExecutionStore => ({
  ...store.executions,
  commit(commit) {
    const messages = commit.enqueue.flatMap(({ companyId, acceptedAtMs, accepted }): InboundRow[] =>
      accepted.kind === 'message'
        ? [{ companyId, acceptedAtMs, botId: accepted.botId, userId: accepted.userId, message: accepted.message }]
        : [],
    );
    return messages.length === 0 ? store.executions.commit(commit) : store.commitWith(commit, messages.flatMap(record));
  },
});

function record(message: InboundRow): readonly Call[] {
  const { companyId, botId, userId, acceptedAtMs: atMs } = message;
  return [
    recordInbound(message),
    noteMessage('user', { companyId: written(companyId), botId: written(botId), userKey: keyOf(userId), atMs }),
  ];
}
