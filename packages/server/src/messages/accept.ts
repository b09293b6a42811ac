import type { Clock } from '@hilo/engine/contract';
import { ask, askOne, type DurableStore, keyOf, type Steps } from '@hilo/stores';
import type { Delivered } from './delivery.ts';
import { keepOutbound, outboundRow } from './create-message-log.ts';
import { insertMessage, setStatus } from './sql.ts';
import type { Bot, Companies } from '../tenants/companies.ts';
import type { MessageRow } from '../platform/database/message-rows.ts';
import type { Acceptance, Send } from './outbox.ts';
import { keyedMessage } from './outcome-sql.ts';
import { takeKey } from './send-keys.ts';
import { enqueue, type LaneColumns, laneOf } from './outbox-sql.ts';

/** A message that was taken, and the lane it stands in. */
export interface Taken {
  readonly acceptance: Acceptance;
  /** Not there where nothing is to be delivered. */
  readonly lane: LaneColumns | undefined;
}

/**
 * Keeps a message and its `Idempotency-Key`, and puts it behind the others to the same user, in one transaction (P1, P34).
 * For a bot whose provider only records, that is all there is to it: keeping the message is sending it.
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
  const row: MessageRow = {
    ...outboundRow({ companyId, botId, userId, message, idempotencyKey }, isSentAtOnce ? 'sent' : 'queued', nowMs),
    user_key: keyOf(knownAs),
  };
  const lane = isSentAtOnce ? undefined : laneOf(row);
  const acceptance = await runner.write(
    () => accepting(send, row, lane, nowMs),
    ({ kind }) => kind === 'accepted',
  );
  return { acceptance, lane: acceptance.kind === 'accepted' ? lane : undefined };
}

function* accepting({ guard, key, from }: Send, row: MessageRow, lane: LaneColumns | undefined, nowMs: number): Steps<Acceptance> {
  const { company_id: companyId, bot_id: botId, message_id: messageId } = row;
  if (guard !== undefined && !(yield* guard())) return { kind: 'guarded' };
  const used = key === undefined ? undefined : yield* takeKey({ companyId, botId }, key, { messageId, leavesAtMs: null }, nowMs);
  if (used !== undefined) return used;
  if (from === 'operator') yield* ask(insertMessage, row);
  else yield* keepOutbound(row);
  if (lane !== undefined) yield* ask(enqueue, { ...lane, idempotencyKey: row.idempotency_key ?? '' });
  return { kind: 'accepted', messageId };
}

/** A message that its sender waits for: sent before, or in a lane. */
type Waited = Extract<Delivered, { readonly kind: 'sent' }> | { readonly kind: 'queued'; readonly lane: LaneColumns };

/**
 * Keeps a workflow's message on its lane. A node that tries again sends the same message again (P4), which stays in the lane
 * where it is, though its user may be known by another id since (UID-04).
 */
export function* queue(row: MessageRow, idempotencyKey: string): Steps<Waited> {
  const lane = laneOf(row);
  const isNew = yield* keepOutbound(row);
  const kept = isNew ? undefined : yield* askOne(keyedMessage, { companyId: lane.companyId, idempotencyKey });
  if (kept !== undefined && kept.status !== 'queued' && kept.status !== 'failed') return { kind: 'sent', messageId: kept.message_id };
  if (kept?.status === 'failed') yield* ask(setStatus, { companyId: lane.companyId, idempotencyKey, status: 'queued', cause: null });
  const standing = yield* askOne(enqueue, { ...lane, idempotencyKey });
  return { kind: 'queued', lane: standing === undefined ? lane : laneOf(standing) };
}
