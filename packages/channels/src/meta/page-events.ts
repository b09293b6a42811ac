// What Messenger and Instagram deliver: what a person did on a page.
import { getPath, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { InboundMessage } from '@hilo/nodes/effects';
import { type AccountNews, accountNews } from '../account-news.ts';
import type { ChannelContext, Delivery, Received } from '../channel-adapter.ts';
import type { ChannelEvent } from '../channel-event.ts';
import { createInboundMessage, decodeNamedPayload, decodePayload } from '../inbound-message.ts';
import { collectParts, leftOut, type LeftOut, leftOutOfList, noted, type Noted } from '../left-out.ts';
import { meaningOf } from '../private-message.ts';
import { normalizeInstant, listAt, nameAt, numberAt, textAt } from '../provider-answer.ts';
import { inspectFile } from '../user-file.ts';
import { fileHosts } from './graph.ts';

type Context = Pick<
  ChannelContext<{ readonly pageId: string; readonly accountId?: string | undefined; readonly baseUrl?: string | undefined }, unknown>,
  'bot' | 'config' | 'dialer'
>;

/**
 * Reads a delivery: messages, postbacks, referrals, reactions, edits, and statuses. An echo of our own message means that it was sent; one
 * without our key is what a person wrote on the page. What another app answers (`standby`) and what happens on the page itself (`changes`) is
 * counted.
 */
export async function receivePageEvents(delivery: Delivery, context: Context): Promise<Received> {
  const body = delivery.json();
  const entries = getPath(body, ['entry']);
  if (!Array.isArray(entries))
    return { kind: 'invalid', code: 'INVALID_REQUEST', message: 'entry is missing: a delivery of Meta has a list of entries' };
  // Instagram names the account that was written to, and not its page: a bot that knows the page alone takes all.
  const namesAccount = context.bot.channel === 'instagram' && getPath(body, ['object']) === 'instagram';
  const own = namesAccount ? context.config.accountId : context.config.pageId;
  const isOwn = (entry: Json): boolean => own === undefined || getPath(entry, ['id']) === undefined || nameAt(entry, 'id') === own;
  const items = (entries as readonly Json[]).flatMap((entry) =>
    readItems(entry).map(async (item) =>
      isOwn(entry) ? readActivities(item, context) : [leftOut('event of another page', nameAt(entry, 'id'))],
    ),
  );
  const unreadable = (entries as readonly Json[]).flatMap((entry) =>
    ['messaging', 'changes', 'standby'].flatMap((name) => leftOutOfList(entry, name, 'event')),
  );
  const aside = (entries as readonly Json[]).flatMap((entry) => [
    ...listAt(entry, 'standby').map(() => noted(kind, 'pass_thread_control')),
    ...listAt(entry, 'changes')
      .filter((change) => !isOfPerson(change))
      .map((change) => noted(kind, nameAt(change, 'field') ?? 'unknown')),
  ]);
  return collectParts([...(await Promise.all(items)).flat(), ...leftOutOfList(body, 'entry', 'entry'), ...unreadable, ...aside]);
}

/** What people did: in `messaging`, or, as apps with Instagram's own login and the samples of the dashboard have it, in `changes`. */
const readItems = (entry: Json): readonly JsonObject[] => [
  ...listAt(entry, 'messaging'),
  ...listAt(entry, 'changes')
    .filter(isOfPerson)
    .flatMap((change) => listAt(change, 'value')),
];

/** Whether a change is what a person did to the page in private: comments and the like have no sender. */
const isOfPerson = (change: JsonObject): boolean =>
  nameAt(change, 'field') !== 'standby' && isJsonObject(getPath(change, ['value', 'sender']));

/** Messenger and Instagram have one table of types. */
const kind = 'messenger';

/** What Meta says of the page itself, such as that it may send nothing: it is to nobody. */
const ofPage: ReadonlySet<string> = new Set(['policy_enforcement', 'policy-enforcement', 'business_integrity', 'messaging_integrity']);

async function readActivities(item: JsonObject, context: Context): Promise<readonly (ChannelEvent | LeftOut | Noted | AccountNews)[]> {
  const userId = nameAt(item, 'sender', 'id');
  const atMs = normalizeInstant(numberAt(item, 'timestamp'));
  const type = Object.keys(item).find((name) => !addressing.has(name) && item[name] !== null) ?? 'unknown';
  if (ofPage.has(type)) return [accountNews(nameAt(item, type, 'action') ?? type, type, item[type])];
  if (userId === undefined) {
    const isOfUser = ['message', 'opening'].includes(meaningOf(kind, type)) || type === 'message';
    return [isOfUser ? leftOut('event without a user') : noted(kind, type)];
  }
  const user = { id: userId };
  const mid = nameAt(item, 'message', 'mid');
  const isEcho = ['is_echo', 'is_self'].some((name) => getPath(item, ['message', name]) === true);
  if (mid !== undefined && isEcho) return readEcho(item, mid, atMs, context);
  const byBot = userId === context.config.pageId;
  const inGroup = nameAt(item, 'thread', 'id') !== undefined || nameAt(item, 'recipient', 'thread_id') !== undefined;
  if (mid !== undefined) {
    if (getPath(item, ['message', 'is_deleted']) === true)
      return [{ kind: 'edit', eventId: `${mid}:deleted`, atMs, user, providerMessageId: mid, message: null }];
    const messages = await readContents(item['message'] ?? null, mid, context);
    return messages.map(({ type, message }) => ({
      kind: 'message',
      eventId: message.id,
      atMs,
      user,
      written: { type, inGroup, byBot },
      message,
    }));
  }
  if (isJsonObject(item['message'])) return [leftOut('message without an id')];
  const postback = item['postback'];
  if (isJsonObject(postback)) {
    const [title, payload] = [textAt(postback, 'title'), textAt(postback, 'payload')];
    const id = nameAt(postback, 'mid') ?? `${userId}:${atMs}:${payload ?? ''}`;
    const message = createInboundMessage({ ...readReferral(postback), id, type: 'button', ...readPressed(title, payload) });
    return [{ kind: 'message', eventId: id, atMs, user, written: { type: 'postback', inGroup, byBot }, message }];
  }
  const referral = item['referral'];
  if (isJsonObject(referral)) {
    const id = `${userId}:referral:${atMs}:${textAt(referral, 'ref') ?? ''}`;
    const message = createInboundMessage({ id, type: 'referral', referral });
    return [{ kind: 'message', eventId: id, atMs, user, written: { type: 'referral', inGroup, byBot }, message }];
  }
  const reaction = item['reaction'];
  if (isJsonObject(reaction)) return [readReaction(reaction, user, atMs)];
  const edit = item['message_edit'];
  if (isJsonObject(edit)) {
    const [id, text] = [nameAt(edit, 'mid'), textAt(edit, 'text')];
    if (id === undefined) return [leftOut('edit without the id of its message')];
    // Instagram tells of a new message by an edit that is none.
    if (text === undefined) return [noted(kind, 'message_edit')];
    const message = createInboundMessage({ id, type: 'text', text });
    return [
      {
        kind: 'edit',
        eventId: `${id}:edit:${JSON.stringify(getPath(edit, ['num_edit']) ?? atMs)}`,
        atMs,
        user,
        providerMessageId: id,
        message,
      },
    ];
  }
  const preference = readPreference(item, atMs);
  if (preference !== undefined) return [preference];
  const statuses = readStatuses(item, atMs);
  if (statuses.length > 0 || isJsonObject(item['read']) || isJsonObject(item['delivery'])) return statuses;
  const id = `${userId}:${type}:${atMs}`;
  return [{ kind: 'message', eventId: id, atMs, user, written: { type }, message: createInboundMessage({ id, type }, item) }];
}

/** A message of the page itself: a confirmation of one that was sent here, or one that was written elsewhere. */
async function readEcho(
  item: JsonObject,
  mid: string,
  atMs: number,
  context: Context,
): Promise<readonly (ChannelEvent | LeftOut | Noted)[]> {
  const [idempotencyKey, to] = [nameAt(item, 'message', 'metadata'), nameAt(item, 'recipient', 'id')];
  if (idempotencyKey !== undefined)
    return [{ kind: 'status', eventId: `${mid}:sent`, atMs, status: 'sent', of: { providerMessageId: mid, idempotencyKey } }];
  if (to === undefined) return [noted(kind, 'is_echo')];
  const echoes = await readContents(item['message'] ?? null, mid, context);
  const isEcho = getPath(item, ['message', 'is_echo']) === true;
  const written = { type: 'is_echo', byBot: true, byPerson: isEcho, toUser: isEcho };
  return echoes.map(({ message }) => ({
    kind: 'message',
    eventId: message.id,
    atMs,
    user: { id: to },
    written,
    message: { ...message, isEcho: true },
  }));
}

function readReaction(reaction: JsonObject, user: { readonly id: string }, atMs: number): ChannelEvent | LeftOut {
  const providerMessageId = nameAt(reaction, 'mid');
  if (providerMessageId === undefined) return leftOut('reaction without its message');
  const action = nameAt(reaction, 'action') ?? 'react';
  const emoji = action === 'unreact' ? null : (nameAt(reaction, 'emoji') ?? nameAt(reaction, 'reaction') ?? null);
  return { kind: 'reaction', eventId: `${providerMessageId}:${action}:${atMs}`, atMs, user, providerMessageId, emoji };
}

/**
 * A person takes marketing messages of the page, stops them, or has them again: by the buttons and the switch of Messenger. Other opt-ins,
 * such as that of a plugin of a website, are no consent.
 */
function readPreference(item: JsonObject, atMs: number): ChannelEvent | undefined {
  const [optin, userId] = [item['optin'], nameAt(item, 'sender', 'id')];
  if (!isJsonObject(optin) || userId === undefined || nameAt(optin, 'type') !== 'notification_messages') return undefined;
  const told = nameAt(optin, 'notification_messages_status')?.replaceAll(' ', '_');
  const isTaken = told === undefined && nameAt(optin, 'notification_messages_token') !== undefined;
  if (told !== 'STOP_NOTIFICATIONS' && told !== 'RESUME_NOTIFICATIONS' && !isTaken) return undefined;
  const eventId = `${userId}:optin:${told ?? 'taken'}:${atMs}`;
  const timeZone = nameAt(optin, 'notification_messages_timezone');
  return {
    kind: 'consent',
    eventId,
    atMs,
    user: { id: userId, ...(timeZone !== undefined && { timeZone }) },
    marketing: told === 'STOP_NOTIFICATIONS' ? 'revoked' : 'granted',
    message: createInboundMessage({ id: eventId, type: 'optin', optin }),
  };
}

/** The fields of an event that say nothing of its type. */
const addressing: ReadonlySet<string> = new Set(['sender', 'recipient', 'timestamp', 'thread']);

/** Deliveries name their messages; a read event names one on Instagram, but on Messenger only an instant, which identifies none. */
function readStatuses(item: JsonObject, atMs: number): readonly ChannelEvent[] {
  const delivered = getPath(item, ['delivery', 'mids']);
  const read = nameAt(item, 'read', 'mid');
  const status = (id: string, said: 'delivered' | 'read'): ChannelEvent => ({
    kind: 'status',
    eventId: `${id}:${said}`,
    atMs,
    status: said,
    of: { providerMessageId: id },
  });
  return [
    ...(Array.isArray(delivered) ? (delivered as readonly Json[]) : [])
      .flatMap((id) => nameAt(id) ?? [])
      .map((id) => status(id, 'delivered')),
    ...(read === undefined ? [] : [status(read, 'read')]),
  ];
}

const mediaTypes: { readonly [type: string]: string } = { image: 'image', audio: 'audio', video: 'video', file: 'file' };

/** A message in the common form, and its type as the page's table has it. */
interface Content {
  readonly type: string;
  readonly message: InboundMessage;
}

/** The story that a message answers: Instagram names it beside the message that it would answer otherwise. */
function readStory(message: Json): JsonObject {
  const [id, url] = [nameAt(message, 'reply_to', 'story', 'id'), textAt(message, 'reply_to', 'story', 'url')];
  if (id === undefined && url === undefined) return {};
  return { story: { ...(id !== undefined && { id }), ...(url !== undefined && { url }) } };
}

/** One message of a user; several files in one are messages of their own, the text with the first. */
async function readContents(message: Json, mid: string, context: Context): Promise<readonly Content[]> {
  const text = textAt(message, 'text');
  const payload = textAt(message, 'quick_reply', 'payload');
  const replyTo = nameAt(message, 'reply_to', 'mid');
  const common = { ...(replyTo !== undefined && { replyTo }), ...readStory(message), ...readReferral(message) };
  const files = listAt(message, 'attachments');
  if (files.length === 0) {
    // Such as a disappearing picture: it has neither a text nor a file.
    if (getPath(message, ['is_unsupported']) === true)
      return [{ type: 'is_unsupported', message: createInboundMessage({ ...common, id: mid, type: 'unsupported' }) }];
    return [
      {
        type: payload === undefined ? 'text' : 'quick_reply',
        message: createInboundMessage({
          ...common,
          id: mid,
          ...(payload === undefined ? { type: 'text', text: text ?? '' } : { type: 'button', ...readChoice(text, payload) }),
        }),
      },
    ];
  }
  const contents = files.map(async (file, index) => {
    const type = nameAt(file, 'type') ?? 'unknown';
    const id = index === 0 ? mid : `${mid}:${index}`;
    const words = index === 0 && text !== undefined ? { text } : {};
    // The thumb beside the field of Messenger is what most people answer "yes" with.
    if (thumbs.has(nameAt(file, 'payload', 'sticker_id') ?? ''))
      return { type: 'text', message: createInboundMessage({ ...common, id, type: 'text', text: text ?? '👍' }) };
    const mediaUrl = textAt(file, 'payload', 'url');
    const [lat, long] = [getPath(file, ['payload', 'coordinates', 'lat']), getPath(file, ['payload', 'coordinates', 'long'])];
    if (type === 'location' && typeof lat === 'number' && typeof long === 'number')
      return { type, message: createInboundMessage({ ...common, ...words, id, type, coordinates: { lat, long } }) };
    if (Object.hasOwn(mediaTypes, type) && mediaUrl !== undefined)
      return {
        type,
        message: createInboundMessage({
          ...common,
          ...words,
          id,
          type: mediaTypes[type] ?? type,
          ...(await locateFile(type, mediaUrl, context)),
        }),
      };
    return { type, message: createInboundMessage({ ...common, ...words, id, type, attachment: file }) };
  });
  return Promise.all(contents);
}

/** The sticker of the thumb in its three sizes. */
const thumbs: ReadonlySet<string> = new Set(['369239263222822', '369239383222810', '369239343222814']);

/** The link or the advertisement that led the user here. */
function readReferral(value: Json): JsonObject {
  const referral = getPath(value, ['referral']);
  return isJsonObject(referral) ? { referral } : {};
}

/** Where a file is, or why it is not handed on. Meta's own addresses need no token. */
const locateFile = (type: string, url: string, context: Context): Promise<JsonObject> =>
  inspectFile({ url, hosts: fileHosts, baseUrl: context.config.baseUrl, ...(type !== 'file' && { mimeType: `${type}/*` }) }, context);

const readChoice = (title: string | undefined, payload: string | undefined): JsonObject => {
  const own = payload === undefined ? undefined : decodePayload(payload);
  return { ...(title !== undefined && { text: title }), ...(own !== undefined && { payload: own }) };
};

/** A pressed button. Meta does not say under which message it stands: its payload does. */
function readPressed(title: string | undefined, named: string | undefined): JsonObject {
  const { payload, replyTo } = named === undefined ? {} : decodeNamedPayload(named);
  return { ...readChoice(title, payload), ...(replyTo !== undefined && { replyTo }) };
}
