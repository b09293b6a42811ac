// Accepts a message to be sent: durable, once for each key.
import type { Clock } from '@hilo/engine/contract';
import { asCondition, type Call, type DurableStore, encodeKey, type Runner } from '@hilo/stores';
import type { Bot, Companies } from '../tenants/companies.ts';
import { telling } from '../platform/events/telling.ts';
import { keepOutbound, outboundRow } from './message-log.ts';
import { tellKept } from './message-events.ts';
import type { Acceptance, Delivered, Send, SendKey, UsedKey } from './messages.ts';
import { enqueue, keyedMessage, takeSendKey, usedSendKey } from './outbox-sql.ts';
import { insertMessage, queueAgain, type WrittenMessage } from './sql.ts';
import type { Lane, OfBot } from '../platform/database/lanes.ts';

/** An accepted message and its lane. */
export interface Taken {
  readonly acceptance: Acceptance;
  /** Not there where nothing is to be delivered. */
  readonly lane: Lane | undefined;
}

/**
 * Stores a message with its `Idempotency-Key` and queues it behind the user's other messages, in one transaction (P1, P34). For a
 * bot whose provider only records, storing the message is sending it.
 */
export async function acceptSend(
  { runner }: Pick<DurableStore, 'runner'>,
  send: Send,
  idempotencyKey: string,
  { companies, isRecordOnly }: { readonly companies: Pick<Companies, 'botOf'>; readonly isRecordOnly: (bot: Bot) => boolean },
  clock: Pick<Clock, 'now'>,
): Promise<Taken> {
  const { companyId, botId, userId, knownAs, message } = send;
  // A template may open the window of its user: that is done where it leaves.
  const bot = companies.botOf(companyId, botId);
  const isSentAtOnce = bot !== undefined && isRecordOnly(bot) && message['type'] !== 'template';
  const nowMs = clock.now();
  const row: WrittenMessage = {
    ...outboundRow({ companyId, botId, userId, message, idempotencyKey }, isSentAtOnce ? 'sent' : 'queued', nowMs),
    userKey: encodeKey(knownAs),
  };
  const lane = isSentAtOnce ? undefined : laneIn(row);
  const { guard = [], key, from } = send;
  const place = { companyId, botId };
  const { failed } = await runner.write([
    ...guard,
    ...(key === undefined ? [] : [takeKey(place, key, { messageId: row.messageId }, nowMs)]),
    ...(from === 'operator' ? [keepOperators(row)] : keepOutbound(row)),
    ...(lane === undefined ? [] : [enqueue({ ...lane, idempotencyKey: row.idempotencyKey ?? '' })]),
  ]);
  if (failed === undefined) return { acceptance: { kind: 'accepted', messageId: row.messageId }, lane };
  const used = key === undefined || guard.includes(failed) ? undefined : await usedKey(runner, place, key, nowMs);
  return { acceptance: guard.includes(failed) ? { kind: 'guarded' } : (used ?? { kind: 'key-taken' }), lane: undefined };
}

/** Keeps the message of an operator, who is noted in the conversation by the guard. */
const keepOperators = (row: WrittenMessage): Call =>
  row.status === 'sent' ? telling(insertMessage(row), () => tellKept(row)) : insertMessage(row);

const laneIn = ({ companyId, botId, userKey }: WrittenMessage): Lane => ({ companyId, botId, userKey });

/** A message that its sender waits for: sent before, or in a lane. */
type Waited = Extract<Delivered, { readonly kind: 'sent' }> | { readonly kind: 'queued'; readonly lane: Lane };

/**
 * Stores a workflow's message in its lane. A retry of the node is the same message (P4) and stays in its lane, even if its user has
 * another id since (UID-04).
 */
export async function queue(runner: Runner, row: WrittenMessage, idempotencyKey: string): Promise<Waited> {
  const lane = laneIn(row);
  const { companyId } = lane;
  const enqueueing = enqueue({ ...lane, idempotencyKey });
  for (;;) {
    const { failed } = await runner.write([...keepOutbound(row), enqueueing]);
    if (failed === undefined) return { kind: 'queued', lane };
    const kept = await runner.readOne(keyedMessage({ companyId, idempotencyKey }));
    if (kept !== undefined && kept.status !== 'queued' && kept.status !== 'failed') return { kind: 'sent', messageId: kept.messageId };
    const again = await runner.write([asCondition(queueAgain({ companyId, idempotencyKey })), enqueueing]);
    const [found] = again.rowsOf(enqueueing);
    if (found !== undefined) return { kind: 'queued', lane: found };
  }
}

/** How long an `Idempotency-Key` is remembered (MSG-43). */
const keyLastsMs = 86_400_000;

/** The request that a key was used for; `undefined` for a new key and for one older than a day. */
export async function usedKey(
  runner: Pick<Runner, 'readOne'>,
  { companyId, botId }: OfBot,
  { value, fingerprint }: SendKey,
  nowMs: number,
): Promise<UsedKey | undefined> {
  const row = await runner.readOne(usedSendKey({ companyId, botId, sendKey: value, nowMs }));
  if (row === undefined) return undefined;
  if (row.fingerprint !== fingerprint) return { kind: 'key-taken' };
  const { messageId, leavesAtMs } = row;
  return leavesAtMs === undefined ? { kind: 'repeated', messageId } : { kind: 'gathered', leavesAtMs };
}

/**
 * Takes a key, as a condition of the write that it belongs to: when the condition fails, `usedKey` returns the earlier request.
 *
 * @param holds - the message, or the conversation whose group of texts is sent together
 */
export const takeKey = (
  { companyId, botId }: OfBot,
  { value, fingerprint }: SendKey,
  { messageId = '', conversationId }: { readonly messageId?: string; readonly conversationId?: string },
  nowMs: number,
): Call =>
  asCondition(
    takeSendKey({ companyId, botId, sendKey: value, nowMs, fingerprint, messageId, conversationId, untilMs: nowMs + keyLastsMs }),
  );
