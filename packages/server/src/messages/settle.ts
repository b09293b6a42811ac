import { type Clock, type ContactChange, sessionWindowMs } from '@hilo/engine/contract';
import { channelFacts } from '@hilo/nodes';
import { type DurableStore, decodeText, type Call, condition, call } from '@hilo/stores';
import type { Bot } from '../tenants/companies.ts';
import type { Turn } from './delivery-queues.ts';
import type { Delivered, SentMessage, Tried } from './messages.ts';
import { keepOutcome, type KeptMessage, leave } from './outbox-sql.ts';
import { nameMessage } from './provider-records.ts';
import { setStatus } from './sql.ts';

/** The outcome of a message, with the provider's id of a sent one. */
type Settled = Exclude<Tried, { readonly kind: 'later' | 'unknown' }>;

/** The result of settling. */
export interface Settlement {
  /** False when another process has taken the message over: then nothing was written. */
  readonly isMine: boolean;
  /** Whether the provider had reported, before its answer, that the user's window is closed (WIN-02). */
  readonly wasRefused: boolean;
}

/** Records the outcome of a message and removes it from its lane. */
export async function settleTurn(
  store: Pick<DurableStore, 'runner' | 'commitWith'>,
  turn: Turn,
  me: string,
  delivered: Settled,
  clock: Pick<Clock, 'now'>,
  reopening?: ContactChange,
): Promise<Settlement> {
  const { calls, naming } = settling(turn, me, delivered, clock.now());
  if (reopening === undefined) {
    const { failed, rowsOf } = await store.runner.write(calls);
    const isMine = failed === undefined;
    return { isMine, wasRefused: isMine && naming !== undefined && rowsOf(naming)[0]?.code === 'OUTSIDE_SESSION_WINDOW' };
  }
  const { kind } = await store.commitWith({ saves: [], history: [], contacts: [reopening], enqueue: [], dequeue: [] }, calls);
  return { isMine: kind === 'committed', wasRefused: false };
}

function settling({ id, lane: { companyId, botId }, messageId, idempotencyKey }: Turn, me: string, delivered: Settled, nowMs: number) {
  const failure = delivered.kind === 'refused' ? delivered : undefined;
  const status = failure === undefined ? 'sent' : 'failed';
  const cause = failure?.cause ?? null;
  const explanation = failure?.message.slice(0, 1_000).toWellFormed().replaceAll('\0', '') ?? null;
  const providerMessageId = 'providerMessageId' in delivered ? delivered.providerMessageId : undefined;
  const named = providerMessageId === undefined ? undefined : nameMessage({ companyId, botId }, messageId, providerMessageId, nowMs);
  const calls: readonly Call[] = [
    condition(leave, { id, me }),
    call(setStatus, { companyId, idempotencyKey, status, cause }),
    call(keepOutcome, { companyId, botId, messageId, status, code: cause, explanation, updatedAtMs: nowMs }),
    ...(named ?? []),
  ];
  return { calls, naming: named?.[0] };
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

/** The outcome as a waiting workflow gets it; `undefined` while the message is being sent. */
export function deliveredOf({ message_id, status, code, explanation }: KeptMessage): Delivered | undefined {
  if (status === 'queued') return undefined;
  return status === 'failed'
    ? { kind: 'refused', cause: code ?? 'FAILED', message: explanation ?? '' }
    : { kind: 'sent', messageId: message_id };
}

/** The outcome as a caller of the REST API gets it. */
export const sentMessageOf = (row: KeptMessage): SentMessage => ({
  messageId: decodeText(row.message_id),
  status: row.status,
  error: row.status === 'failed' && row.code !== null ? { code: row.code, message: row.explanation ?? '' } : undefined,
  updatedAtMs: row.updated_at_ms ?? row.created_at_ms,
});
