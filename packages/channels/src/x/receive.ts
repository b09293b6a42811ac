// Reads deliveries of X: direct messages, and which of ours were read.
import { getPath, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { accountNews } from '../account-news.ts';
import type { ChannelContext, Delivery, Received } from '../channel-adapter.ts';
import type { ChannelEvent } from '../channel-event.ts';
import { createInboundMessage, decodePayload } from '../inbound-message.ts';
import { collectParts, leftOut, type LeftOut, leftOutOfList, noted, type Noted } from '../left-out.ts';
import { normalizeInstant, listAt, nameAt, numberAt, textAt } from '../provider-answer.ts';
import { inspectFile } from '../user-file.ts';

type Context = Pick<
  ChannelContext<{ readonly accountId?: string | undefined; readonly baseUrl?: string | undefined }, unknown>,
  'config' | 'dialer'
>;

/**
 * Reads a delivery of the Account Activity API: direct messages, and which of ours were read. Posts, likes and the like are no
 * messages, and are left aside.
 */
export async function receive(delivery: Delivery, context: Context): Promise<Received> {
  const body = delivery.json();
  const account = nameAt(body, 'for_user_id');
  // Who took the permission back is told to the app, and names no account.
  const ofApp = getPath(body, ['user_event']);
  if (account === undefined && isJsonObject(ofApp))
    return collectParts([accountNews('user_event', 'an account changed what the app may do', ofApp)]);
  // The X Activity API names what happened in another form, which is not read here.
  const activity = getPath(body, ['data']);
  if (account === undefined && isJsonObject(activity))
    return collectParts([leftOut('event of the X Activity API', nameAt(activity, 'event_type') ?? 'unknown')]);
  if (account === undefined)
    return {
      kind: 'invalid',
      code: 'INVALID_REQUEST',
      message: 'for_user_id is missing: a delivery of X names the account that it is for',
    };
  const { accountId = account } = context.config;
  if (account !== accountId) return collectParts([leftOut('event of another account', account)]);
  const users = getPath(body, ['users']);
  const written = listAt(body, 'direct_message_events').map((event) => messageEvents(event, account, users, context));
  const reads = listAt(body, 'direct_message_mark_read_events').flatMap((event) => readEvents(event, account));
  const others = (isJsonObject(body) ? Object.keys(body) : []).filter((name) => name.endsWith('_events') && !readHere.has(name));
  return collectParts([
    ...(await Promise.all(written)).flat(),
    ...leftOutOfList(body, 'direct_message_events', 'message'),
    ...reads,
    ...leftOutOfList(body, 'direct_message_mark_read_events', 'status'),
    ...others.flatMap((name) => listAt(body, name).map(() => noted('x', name))),
  ]);
}

const readHere: ReadonlySet<string> = new Set(['direct_message_events', 'direct_message_mark_read_events']);

/** A message of a user; what the account itself wrote comes as well, as an echo to the user it went to. */
async function messageEvents(
  event: JsonObject,
  account: string,
  users: Json | undefined,
  context: Context,
): Promise<readonly (ChannelEvent | LeftOut | Noted)[]> {
  const [id, sender, type] = [nameAt(event, 'id'), nameAt(event, 'message_create', 'sender_id'), nameAt(event, 'type')];
  if (type !== 'message_create') return [noted('x', type ?? 'unknown')];
  const target = nameAt(event, 'message_create', 'target', 'recipient_id');
  const byBot = sender === account;
  if (byBot && target === undefined) return [{ kind: 'noted', what: 'echo' }];
  if (id === undefined) return [leftOut('message without an id')];
  if (sender === undefined) return [leftOut('message without a user')];
  const names = nameAt(users, sender, 'name');
  const data = getPath(event, ['message_create', 'message_data']);
  // A private conversation is named by both accounts; that of a group has a number of its own.
  const conversation = nameAt(event, 'message_create', 'target', 'conversation_id') ?? nameAt(event, 'dm_conversation_id');
  const inGroup = conversation !== undefined && !conversation.includes('-');
  return [
    {
      kind: 'message',
      eventId: id,
      atMs: normalizeInstant(numberAt(event, 'created_timestamp')),
      user: byBot ? { id: target ?? sender } : { id: sender, ...(names !== undefined && { names }) },
      written: { type, inGroup, byBot, toUser: byBot },
      message: createInboundMessage({ id, ...(await readContent(data, context)), ...(byBot && { isEcho: true }) }, event),
    },
  ];
}

/** So many addresses of a text are written as they were sent. */
const mostAddresses = 50;

/** A text with the addresses that its user sent, in the place of the short ones that X makes of them. */
const writeAddresses = (text: string, data: Json | undefined): string =>
  listAt(getPath(data, ['entities']), 'urls')
    .slice(0, mostAddresses)
    .reduce((written, entity) => {
      const [short, sent] = [nameAt(entity, 'url'), nameAt(entity, 'expanded_url')];
      return short === undefined || sent === undefined || !short.startsWith('https://t.co/') ? written : written.replace(short, () => sent);
    }, text);

const mediaTypes: { readonly [type: string]: string } = { photo: 'image', video: 'video', animated_gif: 'video' };

async function readContent(data: Json | undefined, context: Context): Promise<JsonObject & { readonly type: string }> {
  const sent = textAt(data, 'text') ?? '';
  // The text ends with a short address of the file itself.
  const own = textAt(data, 'attachment', 'media', 'url') ?? '';
  const text = unescapeText(writeAddresses(own !== '' && sent.endsWith(own) ? sent.slice(0, -own.length).trim() : sent, data));
  const chosen = textAt(data, 'quick_reply_response', 'metadata');
  if (chosen !== undefined) {
    const payload = decodePayload(chosen);
    return { type: 'button', text, ...(payload !== undefined && { payload }) };
  }
  const attachment = getPath(data, ['attachment']) ?? undefined;
  const coordinates = getPath(attachment, ['location', 'shared_coordinate', 'coordinates', 'coordinates']);
  const [long, lat] = [numberAt(coordinates, '0'), numberAt(coordinates, '1')];
  if (lat !== undefined && long !== undefined) return { type: 'location', coordinates: { lat, long }, ...(text !== '' && { text }) };
  const media = getPath(attachment, ['media']) ?? undefined;
  if (media === undefined)
    return attachment === undefined ? { type: 'text', text } : { type: nameAt(attachment, 'type') ?? 'attachment', text, attachment };
  const type = mediaTypes[nameAt(media, 'type') ?? ''] ?? 'file';
  const mediaUrl = bestCopy(media);
  const mediaId = nameAt(media, 'id_str');
  const words = text.trim();
  return {
    type,
    ...(mediaUrl !== undefined && (await locateFile(type, mediaUrl, context))),
    ...(mediaId !== undefined && { mediaId }),
    ...(words !== '' && { text: words }),
  };
}

/** Where X keeps files for everyone. A picture of a direct message is at another host, for requests that the account signs alone. */
export const publicHosts = /(?:^|\.)twimg\.com$/;

/** Where a file is, or why it is not handed on. */
const locateFile = (type: string, url: string, context: Context): Promise<JsonObject> =>
  inspectFile({ url, hosts: publicHosts, baseUrl: context.config.baseUrl, ...(type !== 'file' && { mimeType: `${type}/*` }) }, context);

/** The best copy of a video, or where the picture is. */
function bestCopy(media: Json): string | undefined {
  const variants = listAt(getPath(media, ['video_info']), 'variants').filter((variant) => textAt(variant, 'content_type') === 'video/mp4');
  const best = variants.toSorted((a, b) => (numberAt(b, 'bitrate') ?? 0) - (numberAt(a, 'bitrate') ?? 0))[0];
  return (best === undefined ? undefined : textAt(best, 'url')) ?? textAt(media, 'media_url_https') ?? textAt(media, 'media_url');
}

const unescapeText = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** A user read up to one of our messages. */
function readEvents(event: JsonObject, account: string): readonly ChannelEvent[] {
  const [id, reader] = [nameAt(event, 'last_read_event_id'), nameAt(event, 'sender_id')];
  if (id === undefined || reader === account) return [];
  const atMs = normalizeInstant(numberAt(event, 'created_timestamp'));
  return [{ kind: 'status', eventId: `${id}:read`, atMs, status: 'read', of: { providerMessageId: id } }];
}
