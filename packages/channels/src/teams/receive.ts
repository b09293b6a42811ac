// Reads activities of Microsoft Teams, and fetches the files that users sent.
import { getPath, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { Delivery, Received } from '../channel-adapter.ts';
import type { ChannelEvent, ChannelUser } from '../channel-event.ts';
import { createInboundMessage } from '../inbound-message.ts';
import { collectParts, leftOut, noted } from '../left-out.ts';
import { documentedTypes } from '../private-message.ts';
import { normalizeInstant, parseInner, listAt, nameAt, textAt } from '../provider-answer.ts';
import {
  type FetchedFile,
  fetchUserFile,
  inspectFile,
  inspectMs,
  isAtProvider,
  mediaError,
  type MediaError,
  type SentFile,
} from '../user-file.ts';
import { accessToken, type TokenContext } from './token.ts';

/** Where a user is reached: what a bot needs to write first. */
export interface ConversationReference {
  readonly serviceUrl: string;
  readonly conversationId: string;
}

/** An activity's id is unique in its conversation only. */
export const formatMessageId = (conversationId: string, activityId: string): string => `${conversationId}|${activityId}`;

/**
 * Reads an activity: a message, its change or deletion, reactions, and read receipts. Every other one is a notice, and so is a message in
 * a team or a group chat: the bot would answer before everybody.
 */
export async function receive(delivery: Delivery, context: TokenContext): Promise<Received> {
  const body = delivery.json();
  const type = nameAt(body, 'type');
  if (!isJsonObject(body) || type === undefined)
    return { kind: 'invalid', code: 'INVALID_REQUEST', message: 'type is missing: a delivery of Teams is an activity with a type' };
  if (type === 'typing') return collectParts([noted('teams', type)]); // said several times a message
  const about = readReference(body);
  if (about !== undefined) {
    const events = await readActivities(type, body, about, context);
    return { kind: 'events', events, ...(type === 'invoke' && nameAt(body, 'name') === cardAction && { answer: { json: taken } }) };
  }
  return collectParts([
    ofUsers.has(type)
      ? leftOut(`${type} without ${nameAt(body, 'from', 'id') === undefined ? 'a user' : 'its ids'}`)
      : noted('teams', type),
  ]);
}

/** A press on a card that waits for an answer: without one of this form Teams tells its user that something went wrong. */
const cardAction = 'adaptiveCard/action';
const taken = { statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: '' };

/** The activities of users that concern a bot. */
const ofUsers: ReadonlySet<string> = new Set(['message', 'messageUpdate', 'messageDelete', 'messageReaction', 'invoke']);

interface ActivityReference {
  /** Named by the connector's token, too: the bot's own token may go there. */
  readonly serviceUrl: string;
  readonly conversationId: string;
  readonly activityId: string;
  readonly user: ChannelUser;
  readonly atMs: number;
}

function readReference(body: JsonObject): ActivityReference | undefined {
  const [userId, conversationId, activityId, serviceUrl] = [
    nameAt(body, 'from', 'id'),
    nameAt(body, 'conversation', 'id'),
    nameAt(body, 'id'),
    nameAt(body, 'serviceUrl'),
  ];
  if (userId === undefined || conversationId === undefined || activityId === undefined || serviceUrl === undefined) return undefined;
  const names = nameAt(body, 'from', 'name');
  const address: ConversationReference = { serviceUrl, conversationId };
  // The user is answered where they wrote to the bot alone.
  const user = {
    id: userId,
    ...(names !== undefined && { names }),
    ...readPlace(body),
    ...(!isInGroup(body) && { address: JSON.stringify(address) }),
  };
  return { serviceUrl, conversationId, activityId, user, atMs: normalizeInstant(Date.parse(textAt(body, 'timestamp') ?? '')) };
}

/** The locale and the time zone of the user, as their client tells them. */
function readPlace(body: JsonObject): Pick<ChannelUser, 'locale' | 'timeZone'> {
  const client = listAt(body, 'entities').find((entity) => nameAt(entity, 'type') === 'clientInfo');
  const [locale, timeZone] = [
    nameAt(client, 'locale') ?? nameAt(body, 'locale'),
    nameAt(client, 'timezone') ?? nameAt(body, 'localTimezone'),
  ];
  return { ...(locale !== undefined && { locale }), ...(timeZone !== undefined && { timeZone }) };
}

/** Whether others than the person and the bot read a conversation. */
const isInGroup = (body: JsonObject): boolean =>
  ['channel', 'groupChat'].includes(textAt(body, 'conversation', 'conversationType') ?? '') ||
  getPath(body, ['conversation', 'isGroup']) === true;

/** Whether a bot wrote: this one, or another of the conversation. */
const isByBot = (body: JsonObject): boolean =>
  textAt(body, 'from', 'role') === 'bot' || (nameAt(body, 'from', 'id') ?? '') === nameAt(body, 'recipient', 'id');

async function readActivities(
  type: string,
  body: JsonObject,
  about: ActivityReference,
  context: TokenContext,
): Promise<readonly ChannelEvent[]> {
  const { conversationId, activityId, user, atMs } = about;
  const id = formatMessageId(conversationId, activityId);
  const where = { inGroup: isInGroup(body), byBot: isByBot(body) };
  const notice = (named: string, more: JsonObject = {}): ChannelEvent => {
    const message = createInboundMessage({ id, type, ...more }, body);
    return { kind: 'message', eventId: `${id}:${type}`, atMs, user, written: { ...where, type: named }, message };
  };
  switch (type) {
    case 'message':
      return (await readMessages(body, about, context)).map((message) => ({
        kind: 'message',
        eventId: message.id,
        atMs,
        user,
        written: { type, ...where },
        message,
      }));
    case 'messageUpdate': {
      const [message] = await readMessages(body, about, context);
      return [
        {
          kind: 'edit',
          eventId: `${id}:edit:${textAt(body, 'timestamp') ?? ''}`,
          atMs,
          user,
          providerMessageId: id,
          message: message ?? null,
        },
      ];
    }
    case 'messageDelete':
      return [{ kind: 'edit', eventId: `${id}:deleted`, atMs, user, providerMessageId: id, message: null }];
    case 'messageReaction':
      return readReactions(body, about);
    case 'event':
      return nameAt(body, 'name') === receiptName ? readReceipts(body, about) : [notice(formatEvent(body))];
    case 'invoke': {
      const [name, action] = [nameAt(body, 'name') ?? '', getPath(body, ['value', 'action'])];
      const chosen = readChoice(getPath(action, ['data']));
      if (name !== cardAction || chosen === undefined) return [notice('invoke', { original: body })];
      const [replyTo, title] = [nameAt(body, 'replyToId'), nameAt(action, 'title')];
      const message = createInboundMessage({
        ...(replyTo !== undefined && { replyTo: formatMessageId(conversationId, replyTo) }),
        ...chosen,
        ...(title !== undefined && { text: title }),
        id,
        type: 'button',
      });
      return [{ kind: 'message', eventId: id, atMs, user, written: { ...where, type: `invoke/${name}` }, message }];
    }
    default:
      return [notice(type, { original: body })];
  }
}

/** An event by its own name, where the table of types has it. */
function formatEvent(body: JsonObject): string {
  const name = `event/${nameAt(body, 'name') ?? ''}`;
  return Object.hasOwn(documentedTypes.teams, name) ? name : 'event';
}

type Inbound = ReturnType<typeof createInboundMessage>;

/** A message of a user; several files in one are messages of their own, the text with the first. */
async function readMessages(body: JsonObject, about: ActivityReference, context: TokenContext): Promise<readonly Inbound[]> {
  const { conversationId, activityId } = about;
  const id = formatMessageId(conversationId, activityId);
  const text = readText(body);
  const replyTo = nameAt(body, 'replyToId') ?? readQuoted(body);
  const common = replyTo === undefined ? {} : { replyTo: formatMessageId(conversationId, replyTo) };
  const chosen = readChoice(body['value']);
  if (chosen !== undefined) return [createInboundMessage({ ...common, ...chosen, ...(text !== '' && { text }), id, type: 'button' })];
  const files = listAt(body, 'attachments').filter((file) => !aboutText.has(textAt(file, 'contentType') ?? ''));
  if (files.length === 0)
    return [createInboundMessage({ ...common, id, type: 'text', text, ...(body['value'] !== undefined && { value: body['value'] }) })];
  const contents = await Promise.all(files.map((file) => readFile(file, about, context)));
  return contents.map((file, index) => {
    const words = index === 0 && text !== '' ? { text } : {};
    return createInboundMessage({ ...common, ...words, ...file, id: index === 0 ? id : `${id}:${index}` });
  });
}

/** The message that another one quotes. */
const quoted = 'messageReference';

/** Attachments that are no files: the text again, and what it quotes. */
const aboutText: ReadonlySet<string> = new Set(['text/html', quoted]);

/** The id of the message that the user answers by quoting it, as one does in a personal chat. */
function readQuoted(body: JsonObject): string | undefined {
  const content = listAt(body, 'attachments').find((file) => textAt(file, 'contentType') === quoted)?.['content'];
  return nameAt(typeof content === 'string' ? parseInner(content) : content, 'messageId');
}

/** The text without the mention by which a bot is spoken to in a channel; other mentions are their names. */
function readText(body: JsonObject): string {
  const mentions = listAt(body, 'entities').filter(
    (entity) => nameAt(entity, 'type') === 'mention' && textAt(entity, 'mentioned', 'id') === textAt(body, 'recipient', 'id'),
  );
  const texts = mentions.flatMap((entity) => textAt(entity, 'text') ?? []).filter((mention) => mention !== '');
  return texts
    .reduce((text, mention) => text.replace(mention, ''), textAt(body, 'text') ?? '')
    .replace(/<at>([^<>]{1,200})<\/at>/g, '$1')
    .replaceAll('&nbsp;', ' ')
    .trim();
}

/** The payload of a pressed button of ours: an object, or its text as some clients send it. */
function readChoice(value: Json | undefined): JsonObject | undefined {
  const read = typeof value === 'string' ? parseInner(value) : value;
  const payload = textAt(read, 'payload');
  return payload === undefined ? undefined : { payload };
}

/** A file, or another attachment such as a card. */
async function readFile(
  file: JsonObject,
  about: ActivityReference,
  context: TokenContext,
): Promise<JsonObject & { readonly type: string }> {
  const contentType = textAt(file, 'contentType') ?? '';
  const isDownload = contentType === 'application/vnd.microsoft.teams.file.download.info';
  const family = contentType.split('/')[0] ?? '';
  const [url, filename] = [isDownload ? nameAt(file, 'content', 'downloadUrl') : nameAt(file, 'contentUrl'), nameAt(file, 'name')];
  if (url === undefined) return { type: 'attachment', attachment: file };
  return {
    ...(isDownload ? await inspectFile({ url, hosts: anyHost }, context) : await readPicture(url, contentType, about, context)),
    ...(filename !== undefined && { filename }),
    type: !isDownload && ['image', 'audio', 'video'].includes(family) ? family : 'file',
    ...(!isDownload && { mimeType: contentType }),
  };
}

/**
 * A picture in a text is at the connector, for the bot's token alone. The address of a shared file, other than this, is good for some
 * minutes without a token.
 */
async function readPicture(url: string, mimeType: string, { serviceUrl }: ActivityReference, context: TokenContext): Promise<JsonObject> {
  const file = { url, hosts: noHost, baseUrl: serviceUrl, mimeType };
  if (!isAtProvider(file)) return inspectFile(file, context);
  const access = await accessToken(context, inspectMs);
  if (access.kind === 'token') return inspectFile({ ...file, accessToken: access.value }, context);
  return { mediaUrl: url, ...mediaError('INVALID_MEDIA_URL', `The file of the user could not be fetched: ${access.message}`) };
}

/** Fetches the file of a message: a picture with the bot's token from the connector that the user is at, a shared file as it is. */
export async function fetchFile({ message, address }: SentFile, context: TokenContext): Promise<FetchedFile | MediaError> {
  const url = nameAt(message, 'mediaUrl') ?? '';
  if (textAt(message, 'mimeType') === undefined) return fetchUserFile({ url, hosts: anyHost }, context);
  const baseUrl = nameAt(parseInner(address ?? ''), 'serviceUrl');
  if (!isAtProvider({ url, hosts: noHost, baseUrl })) return fetchUserFile({ url, hosts: noHost, baseUrl }, context);
  const access = await accessToken(context);
  if (access.kind === 'token') return fetchUserFile({ url, hosts: noHost, baseUrl, accessToken: access.value }, context);
  return mediaError('INVALID_MEDIA_URL', `The file of the user could not be fetched: ${access.message}`);
}

/** There are connectors in every region: only that of the activity counts. */
const noHost = /$^/;

/** Shared files are at the SharePoint of the user's company. */
const anyHost = /^/;

/** Reactions name their message; each of them is a separate event. */
function readReactions(body: JsonObject, { conversationId, activityId, user, atMs }: ActivityReference): readonly ChannelEvent[] {
  const providerMessageId = formatMessageId(conversationId, nameAt(body, 'replyToId') ?? activityId);
  const list = (name: string, isAdded: boolean): readonly ChannelEvent[] =>
    listAt(body, name).map((reaction, index) => ({
      kind: 'reaction',
      eventId: `${formatMessageId(conversationId, activityId)}:${name}:${index}:${atMs}`,
      atMs,
      user,
      providerMessageId,
      emoji: isAdded ? (nameAt(reaction, 'type') ?? '') : null,
    }));
  return [...list('reactionsRemoved', false), ...list('reactionsAdded', true)];
}

const receiptName = 'application/vnd.microsoft.readReceipt';

function readReceipts(body: JsonObject, { conversationId, atMs }: ActivityReference): readonly ChannelEvent[] {
  const id = nameAt(body, 'value', 'lastReadMessageId');
  if (id === undefined) return [];
  const providerMessageId = formatMessageId(conversationId, id);
  return [{ kind: 'status', eventId: `${providerMessageId}:read`, atMs, status: 'read', of: { providerMessageId } }];
}
