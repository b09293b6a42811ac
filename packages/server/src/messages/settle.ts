import { type Clock, type ContactChange, sessionWindowMs } from '@hilo/engine/contract';
import { channelFacts } from '@hilo/nodes';
import { type DurableStore, read, type Call, condition, call } from '@hilo/stores';
import type { Bot } from '../tenants/companies.ts';
import type { Turn } from './delivery-queues.ts';
import type { Delivered, SentMessage, Tried } from './messages.ts';
import { keepOutcome, type KeptMessage, leave } from './outbox-sql.ts';
import { nameMessage } from './provider-records.ts';
import { setStatus } from './sql.ts';

/** What became of a message, with the provider's own name of one that was sent. */
type Settled = Exclude<Tried, { readonly kind: 'later' }>;

/** Says what became of a message, and takes it off its lane. @returns false when another process has taken it over: nothing happens */
export async function settleTurn(
  store: Pick<DurableStore, 'runner' | 'commitWith'>,
  turn: Turn,
  me: string,
  delivered: Settled,
  clock: Pick<Clock, 'now'>,
  reopening?: ContactChange,
): Promise<boolean> {
  const calls = settling(turn, me, delivered, clock.now());
  if (reopening === undefined) return (await store.runner.write(calls)).failed === undefined;
  const { kind } = await store.commitWith({ saves: [], history: [], contacts: [reopening], enqueue: [], dequeue: [] }, calls);
  return kind === 'committed';
}

function settling(
  { id, lane: { companyId, botId }, messageId, idempotencyKey }: Turn,
  me: string,
  delivered: Settled,
  nowMs: number,
): readonly Call[] {
  const failure = delivered.kind === 'refused' ? delivered : undefined;
  const status = failure === undefined ? 'sent' : 'failed';
  const cause = failure?.cause ?? null;
  const explanation = failure?.message.slice(0, 1_000).toWellFormed().replaceAll('\0', '') ?? null;
  const providerMessageId = 'providerMessageId' in delivered ? delivered.providerMessageId : undefined;
  return [
    condition(leave, { id, me }),
    call(setStatus, { companyId, idempotencyKey, status, cause }),
    call(keepOutcome, { companyId, botId, messageId, status, code: cause, explanation, updatedAtMs: nowMs }),
    ...(providerMessageId === undefined ? [] : nameMessage({ companyId, botId }, messageId, providerMessageId, nowMs)),
  ];
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
