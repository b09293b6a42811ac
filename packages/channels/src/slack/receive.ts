// Reads deliveries of Slack: messages, pressed buttons, menus and slash commands.
import { getPath, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { type AccountNews, accountNews } from '../account-news.ts';
import type { ChannelContext, Delivery, Received } from '../channel-adapter.ts';
import { showsNothing } from '@hilo/nodes/effects';
import type { ChannelEvent, ChannelUser } from '../channel-event.ts';
import { createInboundMessage, decodePayload } from '../inbound-message.ts';
import { collectParts, leftOut, type LeftOut, leftOutOfList, noted, type Noted } from '../left-out.ts';
import { meaningOf } from '../private-message.ts';
import { normalizeInstant, listAt, nameAt, numberAt, textAt } from '../provider-answer.ts';
import { inspectFile, mediaError } from '../user-file.ts';
import { readText } from './text.ts';

type Context = Pick<
  ChannelContext<{ readonly botToken: string; readonly accountId?: string | undefined; readonly baseUrl?: string | undefined }, unknown>,
  'config' | 'dialer'
>;

/** Reads a delivery of the Events API, in JSON, or a pressed button or menu, or a slash command, in a form. */
export async function receive(delivery: Delivery, context: Context): Promise<Received> {
  if (isForm(delivery)) return receiveInteraction(delivery, context);
  const body = delivery.json();
  switch (nameAt(body, 'type')) {
    case 'url_verification':
      return { kind: 'events', events: [], answer: { json: { challenge: textAt(body, 'challenge') ?? '' } } };
    case 'event_callback':
      return collectParts(ofAnother(teamsOf(body), context) ?? (await readEvent(body, getPath(body, ['event']), context)));
    case undefined:
      return invalid('type is missing: a delivery of Slack says what it is');
    default:
      return collectParts(ofAnother(teamsOf(body), context) ?? readNews(body));
  }
}

/** What says that the app can no longer write, or that Slack has dropped deliveries to it. */
const ofApp: ReadonlySet<string> = new Set([
  'app_uninstalled',
  'app_uninstalled_team',
  'app_deleted',
  'tokens_revoked',
  'app_rate_limited',
]);

/** What is about nobody. The token of a person who takes it back is none that messages are sent with. */
function readNews(event: Json): readonly (AccountNews | Noted)[] {
  const type = nameAt(event, 'type') ?? 'unknown';
  const bots = getPath(event, ['tokens', 'bot']);
  if (!ofApp.has(type) || (type === 'tokens_revoked' && Array.isArray(bots) && bots.length === 0)) return [noted('slack', type)];
  return [accountNews(type, type === 'app_rate_limited' ? 'Slack drops deliveries to the app' : 'the app was taken out of the workspace')];
}

/** The workspaces that an event is for: several where it is of a channel that they share. */
const teamsOf = (body: Json): readonly string[] =>
  [nameAt(body, 'team_id'), ...listAt(body, 'authorizations').map((one) => nameAt(one, 'team_id'))].filter((team) => team !== undefined);

/** What is left out where a delivery is for none of the bot's workspace: an app delivers those of all its workspaces to one address. */
function ofAnother(teams: readonly string[], { config: { accountId } }: Pick<Context, 'config'>): readonly LeftOut[] | undefined {
  const [team] = teams;
  return accountId === undefined || team === undefined || teams.includes(accountId)
    ? undefined
    : [leftOut('event of another workspace', team)];
}

const invalid = (message: string): Received => ({ kind: 'invalid', code: 'INVALID_REQUEST', message });

const isForm = ({ headers }: Delivery): boolean =>
  (headers.get('content-type') ?? '').toLowerCase().startsWith('application/x-www-form-urlencoded');

/** A message is named by its conversation and its time in it, the same in each event about it. */
const formatMessageId = (channel: string, ts: string): string => `${channel}:${ts}`;

/** Slack's times are seconds with six digits behind the point. */
const parseInstant = (ts: string): number => normalizeInstant((numberAt(ts) ?? 0) * 1_000);

/** An event, or what cannot be one. */
type Part = ChannelEvent | LeftOut | Noted | AccountNews;

/** The events of one Slack event. What is no message, such as "joined", is a notice where it names its user, and counted where not. */
async function readEvent(body: Json, event: Json | undefined, context: Context): Promise<readonly Part[]> {
  if (!isJsonObject(event)) return [leftOut('event that is no object')];
  const type = nameAt(event, 'type') ?? 'unknown';
  if (type === 'message' || type === 'app_mention') return messageEvents(event, readBotUser(body), context);
  if (type === 'reaction_added' || type === 'reaction_removed')
    return reactionEvents(event, type === 'reaction_added', nameAt(body, 'event_id'));
  const [userId, eventId] = [nameAt(event, 'user'), nameAt(body, 'event_id')];
  if (userId === undefined || eventId === undefined) return readNews(event);
  const message = createInboundMessage({ id: eventId, type }, event);
  const atMs = parseInstant(nameAt(event, 'event_ts') ?? '');
  return [{ kind: 'message', eventId, atMs, user: { id: userId }, written: { type }, message }];
}

/** The user that the app is in this workspace: what a mention of the bot names. */
const readBotUser = (body: Json): string | undefined => {
  const [authorization] = listAt(body, 'authorizations');
  return authorization === undefined ? undefined : textAt(authorization, 'user_id');
};

async function messageEvents(event: JsonObject, botUser: string | undefined, context: Context): Promise<readonly Part[]> {
  const [subtype, channel] = [textAt(event, 'subtype'), nameAt(event, 'channel')];
  if (channel === undefined) return [leftOut('message without its conversation')];
  if (subtype === 'message_changed') return editEvents(event, channel, botUser, context);
  if (subtype === 'message_deleted') return deletionEvents(event, channel);
  const [userId, ts] = [nameAt(event, 'user'), nameAt(event, 'ts')];
  // Who else is in the conversation with an app is not told: what it wrote, as this one does, is only counted.
  if (isOfApp(event)) return [{ kind: 'noted', what: 'echo' }];
  const type = subtype === undefined ? (nameAt(event, 'type') ?? 'message') : `message/${subtype}`;
  if (userId === undefined) return meaningOf('slack', type) === 'message' ? [leftOut('message without a user')] : [noted('slack', type)];
  if (ts === undefined) return [leftOut('message without an id')];
  const messages = await readMessages({ message: event, channel, ts, botUser }, context);
  return messages.map((message) => ({
    kind: 'message',
    eventId: message.id,
    atMs: parseInstant(ts),
    user: { id: userId },
    written: { type, inGroup: isInGroup(event, channel, botUser) },
    message,
  }));
}

/**
 * Whether a message is for others than the bot: in a channel or a group, where it does not mention the bot. A mention is answered in the
 * direct conversation with its user.
 */
function isInGroup(event: JsonObject, channel: string, botUser: string | undefined): boolean {
  const where = nameAt(event, 'channel_type') ?? (/^[CG]/.test(channel) ? 'channel' : 'im');
  if (where === 'im' || where === 'app_home' || nameAt(event, 'type') === 'app_mention') return false;
  return botUser === undefined || !(textAt(event, 'text') ?? '').includes(`<@${botUser}>`);
}

const isOfApp = (message: Json): boolean =>
  textAt(message, 'bot_id') !== undefined ||
  isJsonObject(getPath(message, ['bot_profile'])) ||
  textAt(message, 'subtype') === 'bot_message' ||
  (textAt(message, 'user') === slackbot && textAt(message, 'subtype') === undefined);

/** The user in whose name Slack itself writes, such as a reminder. */
const slackbot = 'USLACKBOT';

type Inbound = ReturnType<typeof createInboundMessage>;

interface Written {
  readonly message: JsonObject;
  readonly channel: string;
  readonly ts: string;
  readonly botUser: string | undefined;
}

/**
 * A message of a user; several files in one are messages of their own, the text with the first. A forwarded message is its `attachment`, as Slack
 * sends it.
 */
async function readMessages({ message, channel, ts, botUser }: Written, context: Context): Promise<readonly Inbound[]> {
  const id = formatMessageId(channel, ts);
  const own = readText(textAt(message, 'text') ?? '', message, botUser);
  const forwarded = listAt(message, 'attachments').filter((one) => getPath(one, ['is_share']) === true);
  // Who forwards a message and writes nothing with it says what stands in it.
  const text = showsNothing(own)
    ? forwarded
        .map((one) => readText(textAt(one, 'text') ?? '', one))
        .filter((one) => one !== '')
        .join('\n')
    : own;
  const thread = nameAt(message, 'thread_ts');
  const [attachment] = forwarded;
  const common = {
    channel,
    ...(attachment !== undefined && { attachment }),
    ...(thread !== undefined && thread !== ts && { replyTo: formatMessageId(channel, thread) }),
  };
  const files = [message, ...forwarded].flatMap((one) => listAt(one, 'files'));
  if (files.length === 0) return [createInboundMessage({ ...common, id, type: 'text', text })];
  const contents = await Promise.all(files.map((file) => readFile(file, context)));
  return contents.map((file, index) => {
    const words = index === 0 && text !== '' ? { text } : {};
    return createInboundMessage({ ...common, ...words, ...file, id: index === 0 ? id : `${id}:${index}` });
  });
}

/** Where Slack keeps files. */
export const fileHosts = /(?:^|\.)(?:slack\.com|slack-files\.com)$/;

/** A file that Slack keeps is looked at, as the bot; one that it only refers to is not. */
async function readFile(file: JsonObject, context: Context): Promise<JsonObject & { readonly type: string }> {
  const [mimeType, url, filename, mediaId] = ['mimetype', 'url_private', 'name', 'id'].map((name) => nameAt(file, name));
  const family = (mimeType ?? '').split('/')[0] ?? '';
  return {
    type: ['image', 'audio', 'video'].includes(family) ? family : 'file',
    ...(await locateFile(url, mimeType, file, context)),
    ...(filename !== undefined && { filename }),
    ...(mimeType !== undefined && { mimeType }),
    ...(mediaId !== undefined && { mediaId }),
  };
}

/** Where the file is, or why it is not handed on. */
async function locateFile(url: string | undefined, mimeType: string | undefined, file: JsonObject, context: Context): Promise<JsonObject> {
  // Such as a file of another workspace, or one behind the limits of a free one.
  if (url === undefined) return mediaError('INVALID_MEDIA_URL', 'Slack does not say where the file of the user is');
  const { botToken: accessToken, baseUrl } = context.config;
  return inspectFile({ url, hosts: fileHosts, baseUrl, mimeType, sizeBytes: numberAt(file, 'size'), accessToken }, context);
}

/** A changed text; a preview that Slack adds to a message changes none. */
async function editEvents(event: JsonObject, channel: string, botUser: string | undefined, context: Context): Promise<readonly Part[]> {
  const message = event['message'];
  if (!isJsonObject(message)) return [leftOut('edit without its content')];
  const [userId, ts] = [nameAt(message, 'user'), nameAt(message, 'ts')];
  const isSame = textAt(message, 'text') === textAt(event, 'previous_message', 'text');
  if (isOfApp(message) || isSame) return [];
  if (userId === undefined || ts === undefined) return [leftOut('edit without the id of its message')];
  const at = nameAt(event, 'event_ts') ?? nameAt(event, 'ts') ?? ts;
  const [edited] = await readMessages({ message, channel, ts, botUser }, context);
  return [
    {
      kind: 'edit',
      eventId: `${formatMessageId(channel, ts)}:edit:${at}`,
      atMs: parseInstant(at),
      user: { id: userId },
      providerMessageId: formatMessageId(channel, ts),
      message: edited ?? null,
    },
  ];
}

function deletionEvents(event: JsonObject, channel: string): readonly Part[] {
  const previous = event['previous_message'];
  const [userId, ts] = [nameAt(previous, 'user'), nameAt(event, 'deleted_ts')];
  if (isOfApp(previous ?? null)) return [];
  if (userId === undefined || ts === undefined) return [leftOut('deletion without the id of its message')];
  const name = formatMessageId(channel, ts);
  return [
    {
      kind: 'edit',
      eventId: `${name}:deleted`,
      atMs: parseInstant(nameAt(event, 'event_ts') ?? ts),
      user: { id: userId },
      providerMessageId: name,
      message: null,
    },
  ];
}

function reactionEvents(event: JsonObject, isAdded: boolean, eventId: string | undefined): readonly Part[] {
  const [userId, channel, ts] = [nameAt(event, 'user'), nameAt(event, 'item', 'channel'), nameAt(event, 'item', 'ts')];
  if (userId === undefined) return [leftOut('reaction without a user')];
  if (['file', 'file_comment'].includes(nameAt(event, 'item', 'type') ?? '')) return [noted('slack', 'reaction_added')];
  if (channel === undefined || ts === undefined) return [leftOut('reaction without its message')];
  const at = nameAt(event, 'event_ts') ?? ts;
  return [
    {
      kind: 'reaction',
      eventId: eventId ?? `${formatMessageId(channel, ts)}:${userId}:${at}`,
      atMs: parseInstant(at),
      user: { id: userId },
      providerMessageId: formatMessageId(channel, ts),
      emoji: isAdded ? (textAt(event, 'reaction') ?? '') : null,
    },
  ];
}

/** Reads a pressed button, a chosen row or a slash command. Other interactions are notices, and are answered like these. */
function receiveInteraction(delivery: Delivery, context: Context): Received {
  const form = new URLSearchParams(new TextDecoder().decode(delivery.body));
  const text = form.get('payload');
  if (text === null) return receiveCommand(form, context);
  const body = delivery.json(text);
  if (!isJsonObject(body)) return invalid('payload is no object: an interaction of Slack says who acted');
  const [user, type] = [readUser(body), nameAt(body, 'type') ?? 'unknown'];
  const team = nameAt(body, 'team', 'id') ?? nameAt(body, 'user', 'team_id');
  const elsewhere = ofAnother(team === undefined ? [] : [team], context);
  const parts =
    elsewhere !== undefined
      ? elsewhere
      : user === undefined
        ? [noted('slack', type)]
        : type === 'block_actions'
          ? [...listAt(body, 'actions').flatMap((action) => actionEvents(action, body, user)), ...leftOutOfList(body, 'actions', 'action')]
          : otherEvents(body, user);
  return { ...collectParts(parts), answer: { text: '' } };
}

/**
 * Reads a slash command: a message with the text behind it, which starts a workflow by the command's name. It is private wherever it is
 * written: nobody else sees it. The empty answer shows nothing in its place.
 */
function receiveCommand(form: URLSearchParams, context: Context): Received {
  const answer = { text: '' };
  if (form.get('ssl_check') === '1') return { ...collectParts([noted('slack', 'ssl_check')]), answer };
  const team = form.get('team_id');
  const elsewhere = ofAnother(team ? [team] : [], context);
  if (elsewhere !== undefined) return { ...collectParts(elsewhere), answer };
  const [command, userId, trigger] = ['command', 'user_id', 'trigger_id'].map((name) => form.get(name) ?? '');
  if (!command) return invalid('payload and command are missing: a form of Slack is an interaction or a slash command');
  if (!userId || !trigger) return { ...collectParts([leftOut('command without its ids')]), answer };
  const [names, channel] = [form.get('user_name'), form.get('channel_id')];
  const message = createInboundMessage({
    id: trigger,
    type: 'command',
    command,
    payload: command,
    text: readText(form.get('text') ?? '', {}),
    ...(channel && { channel }),
  });
  const user = { id: userId, ...(names && { names }) };
  return { ...collectParts([{ kind: 'message', eventId: trigger, atMs: 0, user, written: { type: 'command' }, message }]), answer };
}

function readUser(body: Json): ChannelUser | undefined {
  const id = nameAt(body, 'user', 'id');
  const names = nameAt(body, 'user', 'name') ?? nameAt(body, 'user', 'username');
  return id === undefined ? undefined : { id, ...(names !== undefined && { names }) };
}

function actionEvents(action: JsonObject, body: JsonObject, user: ChannelUser): readonly ChannelEvent[] {
  const at = nameAt(action, 'action_ts') ?? '0';
  const id = `${user.id}:${at}:${textAt(action, 'action_id') ?? ''}`;
  // A button with a URL opens it in the browser: it is no answer.
  if (textAt(action, 'action_id') === 'url') return [];
  const [channel, shownAt] = [
    nameAt(body, 'container', 'channel_id') ?? nameAt(body, 'channel', 'id'),
    nameAt(body, 'container', 'message_ts'),
  ];
  const replyTo = channel !== undefined && shownAt !== undefined ? { replyTo: formatMessageId(channel, shownAt) } : {};
  const value = textAt(action, 'value') ?? textAt(action, 'selected_option', 'value');
  const title = textAt(action, 'text', 'text') ?? textAt(action, 'selected_option', 'text', 'text');
  const payload = value === undefined ? undefined : decodePayload(value);
  const choice = { ...(title !== undefined && { text: title }), ...(payload !== undefined && { payload }) };
  const message =
    value === undefined
      ? createInboundMessage({ ...replyTo, id, type: nameAt(action, 'type') ?? 'action', original: action })
      : createInboundMessage({ ...replyTo, ...choice, id, type: 'button' });
  return [{ kind: 'message', eventId: id, atMs: parseInstant(at), user, written: { type: 'block_actions' }, message }];
}

/** Such as a shortcut or a submitted view. */
function otherEvents(body: JsonObject, user: ChannelUser): readonly Part[] {
  const [type, trigger] = [nameAt(body, 'type') ?? 'unknown', nameAt(body, 'trigger_id')];
  if (trigger === undefined) return [noted('slack', type)];
  const at = nameAt(body, 'action_ts') ?? '0';
  return [
    {
      kind: 'message',
      eventId: trigger,
      atMs: parseInstant(at),
      user,
      written: { type },
      message: createInboundMessage({ id: trigger, type, original: body }),
    },
  ];
}
