// Records what came of a try to send a message.
import {
  type Clock,
  type Contact,
  type ContactChange,
  isSamePhone,
  phoneNumberChannels,
  sessionWindowMs,
  spelledPhone,
} from '@hilo/engine/contract';
import { channelFacts } from '@hilo/nodes';
import { asCondition, type DurableStore, type Call } from '@hilo/stores';
import type { Bot } from '../tenants/companies.ts';
import { telling } from '../platform/events/telling.ts';
import type { Turn } from './delivery-queues.ts';
import { tellSettled } from './message-events.ts';
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

/** What an outcome tells of its user, and the rows about that. */
export interface Learned {
  readonly learned?: ContactChange | undefined;
  readonly rows?: readonly Call[];
}

/** Records the outcome of a message and removes it from its lane. */
export async function settleTurn(
  store: Pick<DurableStore, 'runner' | 'commitWith'>,
  turn: Turn,
  me: string,
  delivered: Settled,
  clock: Pick<Clock, 'now'>,
  { learned, rows = [] }: Learned = {},
): Promise<Settlement> {
  const { calls, naming } = settling(turn, me, delivered, clock.now());
  if (learned === undefined) {
    const { failed, rowsOf } = await store.runner.write(calls);
    const isMine = failed === undefined;
    return { isMine, wasRefused: isMine && naming !== undefined && rowsOf(naming)[0]?.code === 'OUTSIDE_SESSION_WINDOW' };
  }
  const { kind } = await store.commitWith({ saves: [], history: [], contacts: [learned], enqueue: [], dequeue: [] }, [...calls, ...rows]);
  return { isMine: kind === 'committed', wasRefused: false };
}

function settling(turn: Turn, me: string, delivered: Settled, nowMs: number) {
  const { id, lane, messageId, idempotencyKey } = turn;
  const { companyId, botId } = lane;
  const failure = delivered.kind === 'refused' ? delivered : undefined;
  const status = failure === undefined ? 'sent' : 'failed';
  const cause = failure?.cause;
  const explanation = failure?.message.slice(0, 1_000).toWellFormed().replaceAll('\0', '');
  const providerMessageId = 'providerMessageId' in delivered ? delivered.providerMessageId : undefined;
  const named = providerMessageId === undefined ? undefined : nameMessage({ companyId, botId }, messageId, providerMessageId, nowMs);
  const calls: readonly Call[] = [
    telling(asCondition(leave({ id, me })), () => tellSettled(turn, { providerMessageId, failure }, nowMs)),
    setStatus({ companyId, idempotencyKey, status, cause }),
    keepOutcome({ companyId, botId, messageId, status, code: cause, explanation, updatedAtMs: nowMs }),
    ...(named ?? []),
  ];
  return { calls, naming: named?.[0] };
}

/** A user as they were read to be sent to. */
export interface Addressee {
  /** The id by which the bot knows them. */
  readonly knownAs: string;
  readonly contact: Contact | undefined;
}

/**
 * What a message that was sent tells of its user; `undefined` when nothing is new.
 *
 * @param to - left out when the outcome was reported, and nobody was read
 */
export function learnFromSent(bot: Bot, turn: Turn, delivered: Settled, nowMs: number, to?: Addressee): ContactChange | undefined {
  if (delivered.kind !== 'sent') return undefined;
  const news = { ...windowAfter(bot, turn, nowMs), ...(to !== undefined && spellingAfter(bot, delivered, to)) };
  if (Object.keys(news).length === 0) return undefined;
  return { companyId: bot.companyId, botId: bot.id, userId: to?.knownAs ?? turn.userId, ...news };
}

/** Under `onSend` a template opens the window (WIN-02) for what leaves behind it. */
function windowAfter({ settings, channel }: Bot, turn: Turn, nowMs: number): Pick<ContactChange, 'windowUntilMs'> {
  const opens =
    turn.message['type'] === 'template' && settings.templateReopensWindow === 'onSend' && channelFacts[channel].hasSessionWindow;
  return opens ? { windowUntilMs: nowMs + sessionWindowMs } : {};
}

/**
 * The number as the provider spells it, which leads to the same contact from now on (UID-07). A contact without a number in its id keeps
 * the one that it has: no other id leads to it under that number.
 */
function spellingAfter({ channel }: Bot, sent: Settled, { knownAs, contact }: Addressee): Pick<ContactChange, 'phone'> {
  if (!phoneNumberChannels.has(channel) || !/^\d+$/.test(knownAs)) return {};
  const [spelled, known] = ['phone' in sent ? sent.phone : undefined, contact?.phone ?? undefined];
  if (spelled !== undefined && !isSamePhone(spelled, known ?? knownAs)) return { phone: spelled };
  return known === undefined ? spelledPhone(knownAs, channel) : {};
}

/** The number under which an answer says that a user is known as well; `undefined` where it says nothing new. */
export function otherNumberOf({ phone }: ContactChange, { knownAs, contact }: Addressee): string | undefined {
  return typeof phone !== 'string' || isSamePhone(phone, contact?.phone ?? knownAs) ? undefined : phone;
}

/** The outcome as a waiting workflow gets it; `undefined` while the message is being sent. */
export function deliveredOf({ messageId, status, code, explanation }: KeptMessage): Delivered | undefined {
  if (status === 'queued') return undefined;
  return status === 'failed' ? { kind: 'refused', cause: code ?? 'FAILED', message: explanation ?? '' } : { kind: 'sent', messageId };
}

/** The outcome as a caller of the REST API gets it. */
export const sentMessageOf = (row: KeptMessage): SentMessage => ({
  messageId: row.messageId,
  status: row.status,
  error: row.status === 'failed' && row.code !== undefined ? { code: row.code, message: row.explanation ?? '' } : undefined,
  updatedAtMs: row.updatedAtMs ?? row.createdAtMs,
});
