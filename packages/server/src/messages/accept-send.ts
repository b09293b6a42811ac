import type { Clock } from '@hilo/engine/contract';
import { ask, askOne, type DurableStore, keyOf, type Steps } from '@hilo/stores';
import type { MessageRow } from '../platform/database/schema.ts';
import type { Bot, Companies } from '../tenants/companies.ts';
import { keepOutbound, outboundRow } from './message-log.ts';
import type { Acceptance, Delivered, Send, SendKey, UsedKey } from './messages.ts';
import { enqueue, keyedMessage, type LaneColumns, laneOf, takeSendKey, usedSendKey } from './outbox-sql.ts';
import { insertMessage, setStatus } from './sql.ts';

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

/** How long an `Idempotency-Key` stands for its request (MSG-43). */
const keyLastsMs = 86_400_000;

/** Whose key it is, in columns. */
interface KeyPlace {
  readonly companyId: string;
  readonly botId: string;
}

/** What a key was used for before; `undefined` for a new one, and for one whose day is over. */
export function* usedKey({ companyId, botId }: KeyPlace, { value, fingerprint }: SendKey, nowMs: number): Steps<UsedKey | undefined> {
  const row = yield* askOne(usedSendKey, { companyId, botId, sendKey: keyOf(value), nowMs });
  if (row === undefined) return undefined;
  if (row.fingerprint !== fingerprint) return { kind: 'key-taken' };
  const { message_id: messageId, leaves_at_ms: leavesAtMs } = row;
  return leavesAtMs === null ? { kind: 'repeated', messageId } : { kind: 'gathered', leavesAtMs };
}

/**
 * Takes a key in the transaction that does what it stands for.
 *
 * @returns what it was used for before: then nothing may be done again
 */
export function* takeKey(
  place: KeyPlace,
  key: SendKey,
  holds: { readonly messageId: string; readonly leavesAtMs: number | null },
  nowMs: number,
): Steps<UsedKey | undefined> {
  const { companyId, botId } = place;
  const { value, fingerprint } = key;
  const given = { companyId, botId, sendKey: keyOf(value), nowMs, fingerprint, ...holds, untilMs: nowMs + keyLastsMs };
  if ((yield* askOne(takeSendKey, given)) !== undefined) return undefined;
  return (yield* usedKey(place, key, nowMs)) ?? { kind: 'key-taken' };
}
