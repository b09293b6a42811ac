// What an event of a provider leads to.
import type { ChannelEvent, ChannelUser } from '@hilo/channels';
import type { MessageOutcome } from '@hilo/engine';
import type { JsonObject } from '@hilo/engine/contract';
import type { Call, Written } from '@hilo/stores';
import { type Hearing, telling } from '../platform/events/telling.ts';
import {
  keepMark,
  keepSaid,
  keepStatus,
  namedUser,
  tellStatus,
  latestOfUser,
  messageOfName,
  providerNameOf,
  providerUser,
  sentByName,
  type Outbox,
  upsertAddress,
  userOfMessage,
} from '../messages/messages.ts';
import { SpanKind } from '@opentelemetry/api';
import { hearConsent, takeConsent, takeConsentWord } from './hear-consent.ts';
import { noteMerge, noteSpelling } from '../audit/audit.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { Bot, Companies } from '../tenants/companies.ts';
import type { Notices } from './notices.ts';
import type { FileNames } from '../platform/name-files.ts';
import type { Platform } from '../platform/platform.ts';
import { type TraceHeaders, withSpan } from '../platform/tracing.ts';
import { pause } from '../platform/waiting.ts';
import { meetPeople } from '../platform/database/people.ts';
import { laneOf, type OfBot } from '../platform/database/lanes.ts';

/** The outcome of an event: that of a message, or `noted`. */
export type EventOutcome = MessageOutcome | 'noted';

type Parts = Pick<Platform, 'engine' | 'store' | 'clock' | 'log'> & {
  readonly channels: { readonly notices: Notices };
  readonly companies: Pick<Companies, 'company'>;
  readonly outbox: Pick<Outbox, 'accept'>;
  readonly conversations: Pick<Conversations, 'takeOver'>;
  readonly telling?: Hearing;
  readonly files?: FileNames;
};

/**
 * Processes an event of a provider durably.
 *
 * @param headers - of the delivery: executions that a message starts belong to the trace that they name
 * @returns `duplicate` for an event that was processed before (P10)
 */
export async function takeEvent(parts: Parts, bot: Bot, event: ChannelEvent, headers: TraceHeaders = {}): Promise<EventOutcome> {
  const { companyId, id: botId } = bot;
  switch (event.kind) {
    case 'message': {
      const {
        eventId,
        user: { address, ...user },
        message: sent,
        writtenAtMs: atMs = event.atMs,
        isOpening = false,
        isAgain = false,
        draft,
      } = event;
      if (address !== undefined) await takeAddress(parts, { companyId, botId }, user, address);
      const message = (await parts.files?.name(bot, { eventId, user: event.user, message: sent })) ?? sent;
      const { replyTo } = message;
      const repliesTo = typeof replyTo === 'string' ? await findRepliedTo(parts, bot, user, replyTo) : undefined;
      const rules = parts.companies.company(companyId)?.consent;
      const consent = isOpening ? undefined : hearConsent(rules, message);
      const named = {
        ...(repliesTo !== undefined && { repliesTo }),
        ...(isOpening && { isOpening }),
        ...(draft !== undefined && { draft }),
        ...(isAgain && { isAgain }),
        ...(consent !== undefined && { consent }),
      };
      const outcome = await withSpan(
        { name: 'hilo.message', kind: SpanKind.CONSUMER, attributes: { 'hilo.company_id': companyId, 'hilo.bot_id': botId }, headers },
        async () => (await parts.engine.receiveMessage({ companyId, botId, eventId, user, message, atMs, ...named })).outcome,
      );
      if (outcome !== 'duplicate') await noteSpelling(parts, bot, user.id);
      if (rules === undefined || consent === undefined) return outcome;
      // Repeated for a duplicate delivery too: a process may have died in between.
      const evidence = typeof message['id'] === 'string' ? message['id'] : eventId;
      await takeConsentWord(parts, bot, rules, { userId: user.id, evidence, marketing: consent, message });
      return outcome === 'duplicate' ? outcome : 'noted';
    }
    case 'status': {
      const outcome = outcomeOf(await parts.store.runner.write(await keepAndTell(parts, bot, event)));
      // Repeated for a duplicate delivery too: a process may have died in between.
      if (event.failure?.cause === 'OUTSIDE_SESSION_WINDOW') await refuseLate(parts, { companyId, botId }, event);
      return outcome;
    }
    case 'reaction': {
      const { emoji, providerMessageId: of } = event;
      return takeMark(parts, bot, event, { what: 'reaction', content: { type: 'reaction', emoji, of } });
    }
    case 'edit': {
      const { message, providerMessageId: of } = event;
      if (message === null) return takeMark(parts, bot, event, { what: 'deletion', content: { type: 'deletion', of } });
      return takeMark(parts, bot, event, { what: 'edit', content: { ...message, type: 'edit', of } });
    }
    case 'notice': {
      if (event.isToUser === true) return takeEcho(parts, bot, event);
      return takeMark(parts, bot, event, { what: event.what, content: event.message, cause: `NO_MESSAGE_BUT_${event.what.toUpperCase()}` });
    }
    case 'userIdChanged':
      return takeUserId(parts, bot, event);
    case 'consent':
      return takeConsent(parts, bot, event);
  }
}

/** So many of the latest messages to a user may still have no name of their provider. */
const maxUnnamed = 20;

/**
 * The messages that a reply may name: the one of this name, the provider's, known since it was sent, or ours; else those to the user which have no name yet, since
 * their send is under way or had no answer. Empty where the name is of none of ours.
 */
async function findRepliedTo(
  { store: { runner, executions } }: Pick<Parts, 'store'>,
  { companyId, id: botId }: Bot,
  { id, phone, bsuid }: ChannelUser,
  name: string,
): Promise<readonly string[]> {
  const known = await runner.readOne(messageOfName({ companyId, botId, providerKey: name }));
  if (known?.messageId !== undefined) return [known.messageId];
  // A button whose payload names its message, by our own name of it.
  const own = await runner.readOne(userOfMessage({ companyId, botId, messageId: name }));
  if (own !== undefined) return [name];
  const ids = [phone, bsuid].filter((one) => typeof one === 'string');
  const unnamed = await findUnnamed({ store: { runner, executions } }, { companyId, id: botId }, [id, ...ids]);
  return unnamed.map(({ messageId }) => messageId);
}

/** The latest messages to a user that have no name of their provider yet, since their send is under way or had no answer. */
async function findUnnamed(
  { store: { runner, executions } }: { readonly store: Pick<Parts['store'], 'runner' | 'executions'> },
  { companyId, id: botId }: Pick<Bot, 'companyId' | 'id'>,
  ids: readonly [string, ...string[]],
) {
  const contact = await executions.contact(companyId, botId, ids);
  const lane = laneOf({ companyId, botId, userId: contact?.userId ?? ids[0] });
  const latest = await runner.read(latestOfUser({ ...lane, limit: maxUnnamed }));
  return latest.filter(({ direction, status }) => direction === 'outbound' && (status === 'queued' || status === 'failed'));
}

/** A write whose condition fails was made before. */
const outcomeOf = ({ failed }: Pick<Written, 'failed'>): EventOutcome => (failed === undefined ? 'noted' : 'duplicate');

/** Runs before the message, so that replies to it have an address. Writes nothing when the address is unchanged. */
async function takeAddress({ store: { runner, executions } }: Parts, bot: OfBot, user: ChannelUser, address: string): Promise<void> {
  const contact = await executions.contact(bot.companyId, bot.botId, [user.id]);
  const lane = laneOf({ ...bot, userId: contact?.userId ?? user.id });
  const known = await runner.readOne(providerUser(lane));
  if (known?.address !== address) await runner.write([upsertAddress({ ...lane, address })]);
}

/** How often an execution is read while its message is being recorded as sent, and the pause between: a delivery is answered within 3 s. */
const polls = { count: 20, apartMs: 50 };

/** An execution that waits for the reply to a message which was refused late leaves by `windowClosed` (WIN-02). */
async function refuseLate(
  { engine, store: { runner }, clock, log }: Parts,
  { companyId, botId }: OfBot,
  status: Parameters<typeof providerNameOf>[0],
): Promise<void> {
  const sent = await runner.readOne(sentByName({ companyId, botId, providerKey: providerNameOf(status) }));
  if (sent?.executionId === undefined || sent.idempotencyKey === undefined) return;
  const refusal = { companyId, executionId: sent.executionId, idempotencyKey: sent.idempotencyKey };
  for (let poll = 0; poll < polls.count; poll += 1) {
    const outcome = await engine.refuseLate(refusal);
    if (outcome === 'left')
      log.info({ ...refusal, botId }, 'A message was refused after it was sent: its execution leaves by windowClosed');
    if (outcome !== 'underWay') return;
    await pause(clock, polls.apartMs);
  }
}

/** What keeps a status, and tells of it where somebody hears it: the message is read only then. */
async function keepAndTell(
  { store: { runner }, clock, telling: told }: Parts,
  { companyId, id: botId }: Bot,
  event: Extract<ChannelEvent, { readonly kind: 'status' }>,
): Promise<readonly Call[]> {
  const nowMs = clock.now();
  const [keeping, ...others] = keepStatus({ companyId, botId }, event, nowMs);
  if (told?.wants(companyId, 'message.status') !== true) return [keeping, ...others];
  const { of, status, failure } = event;
  const message = await runner.readOne(
    'messageId' in of
      ? userOfMessage({ companyId, botId, messageId: of.messageId })
      : namedUser({ companyId, botId, providerKey: providerNameOf(event) }),
  );
  const providerMessageId = 'messageId' in of ? undefined : of.providerMessageId;
  return [telling(keeping, () => tellStatus({ companyId, botId, status, providerMessageId, failure, message }, nowMs)), ...others];
}

/**
 * What was said to a user in the name of the bot, and not by it: it is kept as a message to them. What a person wrote in the provider's own
 * app takes the conversation over where the company has a time for that. Not every provider returns the key of what the bot sent: what has
 * the name of such a message, or is what is being sent to the user just now, was said by the bot.
 */
async function takeEcho(
  parts: Parts,
  bot: Bot,
  { eventId, user: { id }, message, isByPerson }: Extract<ChannelEvent, { readonly kind: 'notice' }>,
): Promise<EventOutcome> {
  const { companyId, id: botId, provider } = bot;
  const { log, channels, store, clock } = parts;
  channels.notices.report(bot, 'echo');
  if (await isOurs(parts, bot, { eventId, userId: id, message })) return 'noted';
  const contact = await store.executions.contact(companyId, botId, [id]);
  const userId = contact?.userId ?? id;
  const takeover = isByPerson === true ? parts.companies.company(companyId)?.takeover : undefined;
  if (takeover === undefined)
    return outcomeOf(await store.runner.write(keepSaid({ companyId, botId }, { eventId, userId, content: message }, clock.now())));
  const said = { companyId, botId, userId, message, eventId, app: provider.kind };
  const outcome = await parts.conversations.takeOver(said, takeover);
  if (outcome === 'duplicate') return outcome;
  log.info({ companyId, botId, eventId }, `A person answered a user of bot "${botId}" from the app: the bot is silent`);
  return 'noted';
}

/** Whether an echo is of a message that the bot sent. */
async function isOurs(
  parts: Parts,
  bot: Bot,
  { eventId, userId, message }: { readonly eventId: string; readonly userId: string; readonly message: JsonObject },
): Promise<boolean> {
  const { companyId, id: botId } = bot;
  const known = await parts.store.runner.readOne(messageOfName({ companyId, botId, providerKey: eventId }));
  if (known?.messageId !== undefined) return known.messageId !== eventId;
  const unnamed = await findUnnamed(parts, bot, [userId]);
  return unnamed.some((row) => {
    if (row.status !== 'queued') return false; // a person may write by hand what the bot could not send
    return row.message['type'] === message['type'] && row.message['text'] === message['text'];
  });
}

type MarkEvent = Extract<ChannelEvent, { readonly kind: 'reaction' | 'edit' | 'notice' }>;

interface Mark {
  /** What it is instead of a message, as it is counted. */
  readonly what: string;
  readonly content: JsonObject;
  /** Why no workflow took it; left out where it is told by the type of the content. */
  readonly cause?: string;
}

/** What is no message advances no execution: it is stored among the user's messages, counted and logged. */
async function takeMark(
  { store, clock, log, channels }: Parts,
  { companyId, id: botId }: Bot,
  { eventId, user }: MarkEvent,
  { what, content, cause }: Mark,
): Promise<EventOutcome> {
  const contact = await store.executions.contact(companyId, botId, [user.id]);
  const mark = { eventId, userId: contact?.userId ?? user.id, content: { ...content, id: eventId }, cause };
  const met = contact === undefined ? meetPeople({ companyId, botId }, [user.id]) : [];
  const kept = await store.runner.write([keepMark({ companyId, botId }, mark, clock.now()), ...met]);
  if (kept.failed === undefined) {
    channels.notices.report({ companyId, id: botId }, what);
    log.info({ companyId, botId, event: what, eventId, of: content['of'] }, `A user sent a ${what} to bot "${botId}", which is no message`);
  }
  return outcomeOf(kept);
}

/** A user whose phone number or business-scoped id changes stays the same contact (UID-06). */
async function takeUserId(
  { store, clock, log }: Parts,
  { companyId, id: botId, provider }: Bot,
  { previousId, user, eventId }: Extract<ChannelEvent, { readonly kind: 'userIdChanged' }>,
): Promise<EventOutcome> {
  const contact = await store.executions.contact(companyId, botId, [previousId]);
  if (contact === undefined) {
    log.info({ companyId, botId, eventId }, `A user that bot "${botId}" never heard of has another id now`);
    return 'noted';
  }
  const { phone, bsuid, names } = user;
  if ((phone ?? contact.phone) === contact.phone && (bsuid ?? contact.bsuid) === contact.bsuid) return 'duplicate';
  const change = {
    companyId,
    botId,
    userId: contact.userId,
    ...(typeof phone === 'string' && { phone }),
    ...(typeof bsuid === 'string' && { bsuid }),
    ...(typeof names === 'string' && { names }),
  };
  await store.executions.commit({ saves: [], history: [], contacts: [change], enqueue: [], dequeue: [] });
  await noteMerge(store.runner, { companyId, provider }, contact.userId, phone ?? bsuid ?? '', clock.now());
  log.info({ companyId, botId, eventId }, `A user of bot "${botId}" is known by another id now; their executions and variables stay`);
  return 'noted';
}
