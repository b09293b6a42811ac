import { HiloError } from '../contract/errors.ts';
import { Channel, type Contact, type EffectCall, type Settled } from '../contract/execution.ts';
import type { AcceptedMessage } from '../contract/event.ts';
import type { ContactChange, InboxItem } from '../contract/store.ts';
import { otherSpellings } from '../contract/phone-spellings.ts';
import { canonicalPhone, isLocale, isTimeZone, sessionWindowMs, spelledPhone } from '../contract/user-variables.ts';
import { digestParts } from '../machine/deterministic-ids.ts';
import { commit, seenForMs } from './advance.ts';
import { callLane } from './call-lane.ts';
import type { InboundMessage, MessageOutcome } from './lane-runtime.ts';
import type { EngineContext } from './context.ts';
import { processMessage } from './inbox.ts';
import type { Holding } from './keyed-queue.ts';
import { laneOf } from '../machine/new-execution.ts';
import { readContact, findHolding, settle } from './perform-effect.ts';

/**
 * Accepts a user's message: when the promise resolves it is durable, the window is open, phone number and BSUID are linked. In its turn
 * it answers the user's open wait or starts a workflow; during an advance it is queued.
 *
 * @returns its outcome
 * @throws {HiloError} `INVALID_TIME_ZONE`, `INVALID_LOCALE`; `STORE_CONFLICT` when the store refused the message: nothing was accepted
 */
export async function receiveMessage(context: EngineContext, inbound: InboundMessage): Promise<{ readonly outcome: MessageOutcome }> {
  const { companyId, botId, user } = inbound;
  const atMs = context.clock.now();
  const given = readUserData(user); // refused before anything else
  const ids = [user.id, given.phone, given.bsuid].filter((id) => id !== undefined);
  return context.meetings.meet({ companyId, botId, ids }, (contact, onMet) =>
    receiveFrom(context, inbound, { atMs, given, contact, onMet }),
  );
}

async function receiveFrom(
  context: EngineContext,
  inbound: InboundMessage,
  { given, ...met }: Pick<Accepting, 'atMs' | 'contact' | 'onMet'> & { readonly given: Learned },
): Promise<MessageAnswer> {
  const { companyId, botId, user } = inbound;
  const { contact } = met;
  const learned = contact === undefined && given.phone === undefined ? { ...(await readId(context, inbound)), ...given } : given;
  const userId = contact?.userId ?? user.id;
  const lane = laneOf({ companyId, botId, userId, route: 'production' }, '');
  const accept = (): Promise<MessageAnswer> => acceptMessage(context, inbound, { ...met, lane, learned });
  const acceptElsewhere = async (_call: unknown, mayBeDone: boolean): Promise<MessageAnswer> => {
    const answer = await accept();
    // The owner of the lane may have accepted it just now, with its answer lost.
    return mayBeDone && answer.outcome === 'duplicate' ? { outcome: 'queued' } : answer;
  };
  return callLane(context, lane, () => ({ type: 'message', message: inbound }), accept, acceptElsewhere);
}

interface MessageAnswer {
  readonly outcome: MessageOutcome;
}

interface Accepting {
  readonly atMs: number;
  readonly lane: string;
  readonly contact: Contact | undefined;
  readonly learned: Learned;
  /** Called once the contact is kept. */
  readonly onMet: () => void;
}

async function acceptMessage(
  context: EngineContext,
  { companyId, botId, eventId, user, message, atMs: toldMs, repliesTo, isOpening }: InboundMessage,
  { atMs, lane, contact, learned, onMet }: Accepting,
): Promise<MessageAnswer> {
  const userId = contact?.userId ?? user.id;
  const holding = await findHold(context, lane);
  const keptBy = holding?.hold.onMessage === 'queue' ? holding.call.executionId : undefined;
  const writtenAtMs = toldMs === undefined ? undefined : readWritten(toldMs, atMs);
  const accepted: AcceptedMessage = {
    kind: 'message',
    botId,
    userId,
    message,
    ...(keptBy !== undefined && { keptBy }),
    ...(writtenAtMs !== undefined && { writtenAtMs }),
    ...(repliesTo !== undefined && { repliesTo }),
    ...(isOpening === true && { isOpening }),
  };
  const queued = { companyId, lane, acceptedAtMs: atMs, accepted };
  const messageId = message['id'];
  const keys = [
    `${companyId}:${botId}:event:${eventId}`,
    ...(typeof messageId === 'string' ? [`${companyId}:${botId}:message:${messageId}`] : []),
  ];
  const committed = await commit(context, lane, {
    saves: [],
    history: [],
    contacts: [{ companyId, botId, userId, windowUntilMs: (writtenAtMs ?? atMs) + sessionWindowMs, ...pickNewUserData(learned, contact) }],
    enqueue: [queued], // its turn is another commit: the next process finds what killed this one, and counts it (P17)
    dequeue: [],
    seen: { keys, untilMs: atMs + seenForMs, answer: null },
  });
  onMet();
  if (committed.kind === 'duplicate') return { outcome: 'duplicate' };
  if (committed.kind === 'conflict') throw new HiloError('STORE_CONFLICT', { executionId: lane });
  const [seq = 0] = committed.seqs;
  context.events.emit('message.received', { companyId, botId, userId, message, atMs });
  let isDiscarded = false;
  try {
    if (holding !== undefined) isDiscarded = await holdBack(context, { ...queued, seq }, accepted, holding);
  } catch (error) {
    context.events.emit('engine.fault', { error, while: `${answeringHeld} ${lane}` });
  }
  // It is accepted in any case. A discarded message needs a turn too, since an earlier turn may have skipped it.
  const outcome = await processMessage(context, lane, seq);
  return { outcome: isDiscarded ? 'held' : outcome };
}

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
  const given = { phone: canonicalPhone(phone ?? null), bsuid, names, timeZone, locale };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined));
}

/** The number of a user who is not known yet, where it is their id alone that tells it. */
async function readId({ directory }: EngineContext, { companyId, botId, user }: InboundMessage): Promise<Learned> {
  if (otherSpellings(user.id).length === 0) return {};
  const bot = await directory.bot(companyId, botId);
  return spelledPhone(user.id, Channel.safeParse(bot?.['channel']).data);
}

/** Picks the fields that differ from the stored contact. */
const pickNewUserData = (learned: Learned, known: Contact | undefined): Learned =>
  Object.fromEntries(Object.entries(learned).filter(([field, value]) => known?.[field as keyof Learned] !== value));

/** Answers a message that comes while a node holds its user, and drops it where the node discards messages (RET-06). @returns whether it was dropped */
async function holdBack(
  context: EngineContext,
  queued: InboxItem,
  { botId, userId }: AcceptedMessage,
  { hold, call }: Holding,
): Promise<boolean> {
  const { companyId, lane, seq } = queued;
  const isDiscarded = hold.onMessage === 'discard';
  if (isDiscarded) await commit(context, lane, { saves: [], history: [], contacts: [], enqueue: [], dequeue: [queued] });
  context.events.emit('message.held', { companyId, botId, userId, kept: !isDiscarded });
  // The key is derived from the message, so that each message is answered once.
  if (hold.reply !== undefined)
    void answerHeld(context, { ...call, ...hold.reply, key: digestParts(context.digest, 'held', lane, String(seq)) });
  return isDiscarded;
}

const answerHeld = async (context: EngineContext, call: EffectCall): Promise<Settled> =>
  settle(context, call, await readContact(context, call));

const answeringHeld = 'answering a message that came while a node held the user of lane';

/** The current hold, where it can be read: a message is accepted in any case. */
const findHold = (context: EngineContext, lane: string): Promise<Holding | undefined> =>
  readHolding(context, lane).catch((error: unknown) => {
    context.events.emit('engine.fault', { error, while: `${answeringHeld} ${lane}` });
    return undefined;
  });

/** The current hold of the lane's user: from memory, or from the store when another process owns the lane. */
async function readHolding(context: EngineContext, lane: string): Promise<Holding | undefined> {
  const nowMs = context.clock.now();
  if (context.lanes.isOurs(lane)) return context.lanes.holding(lane, nowMs);
  const { unsettled } = await context.store.unfinishedIn(lane);
  return unsettled.map(findHolding).find((holding) => holding !== undefined && nowMs < holding.hold.untilMs);
}
