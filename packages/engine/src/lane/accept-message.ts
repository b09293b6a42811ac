// A user's message is accepted: from its commit on it is durable, the window is open, phone number and BSUID are linked.
import { HiloError } from '../contract/errors.ts';
import { Channel, type Contact } from '../contract/execution.ts';
import type { JsonObject } from '../contract/json.ts';
import type { AcceptedMessage } from '../contract/event.ts';
import type { ContactChange } from '../contract/store.ts';
import { otherSpellings } from '../contract/phone-spellings.ts';
import { canonicalPhone, isLocale, isTimeZone, sessionWindowMs, spelledPhone } from '../contract/user-variables.ts';
import { digestParts } from '../machine/deterministic-ids.ts';
import { laneOf } from '../machine/new-execution.ts';
import { none } from '../machine/transition-context.ts';
import type { InboundMessage } from './calls.ts';
import { holdingOf, type Lane } from './lane.ts';
import type { MessageTell } from './message-events.ts';
import { claimNames, type LaneReads, type LaneStep, nothing, read, seenForMs } from './step.ts';

/**
 * Accepts a user's message: its turn is another step, so that the next process finds what killed this one, and counts it (P17). While a
 * node holds its user, it is answered, and kept for the next wait or discarded (RET-06).
 *
 * @throws {HiloError} `INVALID_TIME_ZONE`, `INVALID_LOCALE`
 */
export function acceptMessage(lane: Lane, inbound: InboundMessage, reads: LaneReads): LaneStep {
  const { companyId, botId, eventId, user, message, atMs: toldMs, repliesTo, isOpening, draft, isAgain, consent: marketing } = inbound;
  const atMs = reads.nowMs;
  const given = readUserData(user);
  const ids = nameUser(user.id, given);
  const contact = read(reads, { kind: 'contact', botId, ids }) ?? undefined;
  const learned = contact === undefined && given.phone === undefined ? { ...readId(inbound, reads), ...given } : given;
  const userId = contact?.userId ?? user.id;
  const holding = holdingOf(lane.blocks, atMs);
  const isDiscarded = marketing !== undefined || holding?.hold.onMessage === 'discard';
  const writtenAtMs = toldMs === undefined ? undefined : readWritten(toldMs, atMs);
  const accepted: AcceptedMessage = {
    kind: 'message',
    botId,
    userId,
    message,
    ...(holding?.hold.onMessage === 'queue' && { keptBy: holding.call.executionId }),
    ...(writtenAtMs !== undefined && { writtenAtMs }),
    ...(repliesTo !== undefined && { repliesTo }),
    ...(isOpening === true && { isOpening }),
    ...(draft !== undefined && { draft }),
  };
  const messageId = message['id'];
  const keys = [
    `${companyId}:${botId}:event:${eventId}`,
    ...(typeof messageId === 'string' && isAgain !== true ? [`${companyId}:${botId}:message:${messageId}`] : []),
  ];
  const windowUntilMs = (writtenAtMs ?? atMs) + sessionWindowMs;
  const received: MessageTell = ['message.received', { companyId, botId, userId, message, atMs }];
  const reply = holding?.hold.reply;
  return {
    kind: 'step',
    commit: {
      ...nothing,
      contacts: [{ companyId, botId, userId, windowUntilMs, ...pickNewUserData(learned, contact), ...noteConsent(inbound, contact, atMs) }],
      enqueue: isDiscarded ? none : [{ companyId, lane: laneOfMessage(inbound, userId), acceptedAtMs: atMs, accepted }],
      seen: { keys, untilMs: atMs + seenForMs, answer: null },
      ...(contact === undefined && claimNames(inbound, ids, reads)),
    },
    moved: none,
    isApplied: true,
    answer: { outcome: isDiscarded ? 'held' : 'queued' },
    repeated: { outcome: 'duplicate' },
    tells:
      holding === undefined || marketing !== undefined
        ? [received]
        : [received, ['message.held', { companyId, botId, userId, kept: !isDiscarded }]],
    // The key is derived from the message, so that each message is answered once.
    ...(holding !== undefined &&
      reply !== undefined &&
      marketing === undefined && {
        unawaited: [{ ...holding.call, ...reply, key: digestParts(reads.digest, 'held', lane.name, eventId) }],
      }),
  };
}

/** What a message says to marketing messages, where that is another than before: the message is the evidence. */
function noteConsent(
  { consent: marketing, eventId, message }: InboundMessage,
  known: Contact | undefined,
  atMs: number,
): Pick<ContactChange, 'consent'> {
  if (marketing === undefined || known?.marketing === marketing) return {};
  return { consent: { marketing, atMs, source: 'keyword', evidence: evidenceOf(eventId, message) } };
}

const evidenceOf = (eventId: string, { id }: JsonObject): string => (typeof id === 'string' ? id : eventId);

/** The lane of a message: that of its user. */
export const laneOfMessage = ({ companyId, botId }: Pick<InboundMessage, 'companyId' | 'botId'>, userId: string): string =>
  laneOf({ companyId, botId, userId, route: 'production' }, '');

/** The ids of its user that a message has. @throws {HiloError} `INVALID_TIME_ZONE`, `INVALID_LOCALE` */
export const listIds = ({ user }: Pick<InboundMessage, 'user'>): readonly string[] => nameUser(user.id, readUserData(user));

const nameUser = (id: string, { phone, bsuid }: Learned): readonly string[] =>
  phone === undefined && bsuid === undefined ? [id] : [id, phone, bsuid].filter((name) => name !== undefined);

/** The year 2000, the earliest that a channel can mean: a time in seconds that is read as milliseconds is long before it. */
const earliestMs = 946_684_800_000;

/** The time at which a message was written; one that is not credible is the time of arrival. */
const readWritten = (toldMs: number, arrivedAtMs: number): number => (toldMs >= earliestMs && toldMs <= arrivedAtMs ? toldMs : arrivedAtMs);

/** The data of its user that a message carries. */
type Learned = Pick<ContactChange, 'phone' | 'bsuid' | 'names' | 'timeZone' | 'locale'>;

/** Reads what the channel reports about the user. @throws {HiloError} for an invalid time zone or locale */
function readUserData({ phone, bsuid, names, timeZone, locale }: InboundMessage['user']): Learned {
  if (typeof timeZone === 'string' && !isTimeZone(timeZone)) throw new HiloError('INVALID_TIME_ZONE', { name: timeZone.slice(0, 60) });
  if (typeof locale === 'string' && !isLocale(locale)) throw new HiloError('INVALID_LOCALE', { name: locale.slice(0, 60) });
  return pickNewUserData({ phone: canonicalPhone(phone ?? null), bsuid, names, timeZone, locale }, undefined);
}

/** The number of a user who is not known yet, where it is their id alone that tells it. */
function readId({ botId, user }: InboundMessage, reads: LaneReads): Learned {
  if (otherSpellings(user.id).length === 0) return {};
  return spelledPhone(user.id, Channel.safeParse(read(reads, { kind: 'bot', botId })?.['channel']).data);
}

const userFields = ['phone', 'bsuid', 'names', 'timeZone', 'locale'] as const satisfies readonly (keyof Learned)[];

/** Picks the fields that are told and differ from the stored contact. */
function pickNewUserData(told: { readonly [field in keyof Learned]?: string | null | undefined }, known: Contact | undefined): Learned {
  const learned: { -readonly [field in keyof Learned]: Learned[field] } = {};
  for (const field of userFields) {
    const value = told[field];
    if (value !== undefined && value !== null && known?.[field] !== value) learned[field] = value;
  }
  return learned;
}
