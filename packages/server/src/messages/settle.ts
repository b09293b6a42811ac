import { type Clock, type ContactChange, sessionWindowMs } from '@hilo/engine/contract';
import { channelFacts } from '@hilo/nodes';
import { ask, askOne, type DurableStore, read, type Steps } from '@hilo/stores';
import type { Bot } from '../tenants/companies.ts';
import type { Turn } from './delivery-queues.ts';
import type { Delivered, SentMessage } from './messages.ts';
import { keepOutcome, type KeptMessage, leave } from './outbox-sql.ts';
import { setStatus } from './sql.ts';

/** Says what became of a message, and takes it off its lane. @returns false when another process has taken it over: nothing happens */
export async function settleTurn(
  store: Pick<DurableStore, 'runner' | 'together'>,
  turn: Turn,
  me: string,
  delivered: Delivered,
  clock: Pick<Clock, 'now'>,
  reopening?: ContactChange,
): Promise<boolean> {
  let isMine = false;
  const steps = function* (): Steps<void> {
    isMine = yield* settled(turn, me, delivered, clock.now());
  };
  if (reopening === undefined) await store.runner.write(steps);
  else await store.together({ saves: [], history: [], contacts: [reopening], enqueue: [], dequeue: [] }, steps);
  return isMine;
}

function* settled(
  { id, lane: { companyId, botId }, messageId, idempotencyKey }: Turn,
  me: string,
  delivered: Delivered,
  nowMs: number,
): Steps<boolean> {
  if ((yield* askOne(leave, { id, me })) === undefined) return false;
  const failure = delivered.kind === 'refused' ? delivered : undefined;
  const cause = failure?.cause ?? null;
  yield* ask(setStatus, { companyId, idempotencyKey, status: failure === undefined ? 'sent' : 'failed', cause });
  const explanation = failure?.message.slice(0, 1_000).toWellFormed().replaceAll('\0', '') ?? null;
  yield* ask(keepOutcome, { companyId, botId, messageId, code: cause, explanation, updatedAtMs: nowMs });
  return true;
}

/** What a template that was sent changes for its user: under `onSend` it opens the window (WIN-02) for what leaves behind it. */
export function reopeningOf(
  { settings, channel, companyId, id: botId }: Bot,
  turn: Turn,
  knownAs: string,
  nowMs: number,
): ContactChange | undefined {
  if (turn.message['type'] !== 'template' || settings.templateReopensWindow !== 'onSend' || !channelFacts[channel].hasSessionWindow)
    return undefined;
  return { companyId, botId, userId: knownAs, windowUntilMs: nowMs + sessionWindowMs };
}

/** What became of a message, as whoever waits for it is told; `undefined` while it is on its way. */
export function deliveredOf({ message_id, status, code, explanation }: KeptMessage): Delivered | undefined {
  if (status === 'queued') return undefined;
  return status === 'failed'
    ? { kind: 'refused', cause: code ?? 'FAILED', message: explanation ?? '' }
    : { kind: 'sent', messageId: message_id };
}

/** The same, as a caller of the REST API is told. */
export const sentMessageOf = (row: KeptMessage): SentMessage => ({
  messageId: read(row.message_id),
  status: row.status,
  error: row.status === 'failed' && row.code !== null ? { code: row.code, message: row.explanation ?? '' } : undefined,
  updatedAtMs: row.updated_at_ms ?? row.created_at_ms,
});
