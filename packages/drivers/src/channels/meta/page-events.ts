// What Messenger and Instagram deliver: what a person did on a page.
import { getPath, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { InboundMessage } from '@hilo/nodes/effects';
import type { ChannelContext, ChannelEvent, Delivery, Received } from '../channel-adapter.ts';
import { createInboundMessage, decodePayload } from '../inbound-message.ts';
import { type LeftOut, leftOut, collectParts, leftOutOfList } from '../left-out.ts';
import { normalizeInstant, listAt, nameAt, numberAt, textAt } from '../provider-answer.ts';
import { inspectFile } from '../user-file.ts';
import { fileHosts } from './graph.ts';

type Context = Pick<
  ChannelContext<{ readonly pageId: string; readonly baseUrl?: string | undefined }, unknown>,
  'bot' | 'config' | 'dialer'
>;

/**
 * Reads a delivery: messages, postbacks, reactions, edits, and statuses. An echo of our own message means that it was sent; echoes of
 * messages that people wrote on the page are ignored.
 */
export async function receivePageEvents(delivery: Delivery, context: Context): Promise<Received> {
  const body = delivery.json();
  const entries = getPath(body, ['entry']);
  if (!Array.isArray(entries))
    return { kind: 'invalid', code: 'INVALID_REQUEST', message: 'entry is missing: a delivery of Meta has a list of entries' };
  // Instagram names the account that was written to, and not its page: the bot knows the page alone.
  const namesAccount = context.bot.channel === 'instagram' && getPath(body, ['object']) === 'instagram';
  const isOwn = (entry: Json): boolean => namesAccount || [undefined, context.config.pageId].some((id) => id === getPath(entry, ['id']));
  const items = (entries as readonly Json[]).flatMap((entry) =>
    listAt(entry, 'messaging').map(async (item) => (isOwn(entry) ? readActivities(item, context) : [leftOut('event of another page')])),
  );
  const unreadable = (entries as readonly Json[]).flatMap((entry) => leftOutOfList(entry, 'messaging', 'event'));
  return collectParts([...(await Promise.all(items)).flat(), ...unreadable]);
}

async function readActivities(item: JsonObject, context: Context): Promise<readonly (ChannelEvent | LeftOut)[]> {
  const userId = nameAt(item, 'sender', 'id');
  const atMs = normalizeInstant(numberAt(item, 'timestamp'));
  if (userId === undefined) return [leftOut('event without a user')];
  const user = { id: userId };
  const mid = nameAt(item, 'message', 'mid');
  if (mid !== undefined && getPath(item, ['message', 'is_echo']) === true) {
    const idempotencyKey = nameAt(item, 'message', 'metadata');
    if (idempotencyKey === undefined) return [];
    return [{ kind: 'status', eventId: `${mid}:sent`, atMs, status: 'sent', of: { providerMessageId: mid, idempotencyKey } }];
  }
  if (mid !== undefined) {
    if (getPath(item, ['message', 'is_deleted']) === true)
      return [{ kind: 'edit', eventId: `${mid}:deleted`, atMs, user, providerMessageId: mid, message: null }];
    const messages = await readContents(item['message'] ?? null, mid, context);
    return messages.map((message) => ({ kind: 'message', eventId: message.id, atMs, user, message }));
  }
  if (isJsonObject(item['message'])) return [leftOut('message without an id')];
  const postback = item['postback'];
  if (isJsonObject(postback)) {
    const [title, payload] = [textAt(postback, 'title'), textAt(postback, 'payload')];
    const id = nameAt(postback, 'mid') ?? `${userId}:${atMs}:${payload ?? ''}`;
    const message = createInboundMessage({ ...readReferral(postback), id, type: 'button', ...readChoice(title, payload) });
    return [{ kind: 'message', eventId: id, atMs, user, message }];
  }
  const reaction = item['reaction'];
  if (isJsonObject(reaction)) {
    const providerMessageId = nameAt(reaction, 'mid');
    if (providerMessageId === undefined) return [leftOut('reaction without its message')];
    const action = nameAt(reaction, 'action') ?? 'react';
    const emoji = action === 'unreact' ? null : (nameAt(reaction, 'emoji') ?? nameAt(reaction, 'reaction') ?? null);
    return [{ kind: 'reaction', eventId: `${providerMessageId}:${action}:${atMs}`, atMs, user, providerMessageId, emoji }];
  }
  const edit = item['message_edit'];
  if (isJsonObject(edit)) {
    const id = nameAt(edit, 'mid');
    if (id === undefined) return [leftOut('edit without the id of its message')];
    const message = createInboundMessage({ id, type: 'text', text: textAt(edit, 'text') ?? '' });
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
  return readStatuses(item, atMs);
}

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

/** One message of a user; several files in one are messages of their own, the text with the first. */
async function readContents(message: Json, mid: string, context: Context): Promise<readonly InboundMessage[]> {
  const text = textAt(message, 'text');
  const payload = textAt(message, 'quick_reply', 'payload');
  const replyTo = nameAt(message, 'reply_to', 'mid');
  const common = { ...(replyTo !== undefined && { replyTo }), ...readReferral(message) };
  const files = listAt(message, 'attachments');
  if (files.length === 0) {
    // Such as a disappearing picture: it has neither a text nor a file.
    if (getPath(message, ['is_unsupported']) === true) return [createInboundMessage({ ...common, id: mid, type: 'unsupported' })];
    return [
      createInboundMessage({
        ...common,
        id: mid,
        ...(payload === undefined ? { type: 'text', text: text ?? '' } : { type: 'button', ...readChoice(text, payload) }),
      }),
    ];
  }
  const contents = files.map(async (file, index) => {
    const type = nameAt(file, 'type') ?? 'unknown';
    const id = index === 0 ? mid : `${mid}:${index}`;
    const words = index === 0 && text !== undefined ? { text } : {};
    const mediaUrl = textAt(file, 'payload', 'url');
    const [lat, long] = [getPath(file, ['payload', 'coordinates', 'lat']), getPath(file, ['payload', 'coordinates', 'long'])];
    if (type === 'location' && typeof lat === 'number' && typeof long === 'number')
      return createInboundMessage({ ...common, ...words, id, type, coordinates: { lat, long } });
    if (Object.hasOwn(mediaTypes, type) && mediaUrl !== undefined)
      return createInboundMessage({
        ...common,
        ...words,
        id,
        type: mediaTypes[type] ?? type,
        ...(await locateFile(type, mediaUrl, context)),
      });
    return createInboundMessage({ ...common, ...words, id, type, attachment: file });
  });
  return Promise.all(contents);
}

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
