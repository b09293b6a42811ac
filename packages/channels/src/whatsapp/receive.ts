// Reads deliveries of WhatsApp: messages, states of messages, changes of templates.
import { getPath, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { InboundMessage } from '@hilo/nodes/effects';
import type { z } from 'zod';
import type { AccountNews } from '../account-news.ts';
import type { ChannelContext, Delivery, Received } from '../channel-adapter.ts';
import type { ChannelEvent, ChannelUser } from '../channel-event.ts';
import { createInboundMessage, decodePayload } from '../inbound-message.ts';
import { collectParts, type Elsewhere, leftOut, type LeftOut, leftOutOfList, noted, type Noted } from '../left-out.ts';
import { errorText } from '../meta/graph.ts';
import { normalizeInstant, parseInner, listAt, nameAt, numberAt, textAt } from '../provider-answer.ts';
import { readAccountChange } from './account-changes.ts';
import type { config } from './config.ts';
import { whatsappError } from './errors.ts';
import { readMedia, type MediaType } from './media.ts';
import { isOfTemplates, readTemplateNews } from './template-changes.ts';

/** The kind of provider, as the table of types has it. */
const kind = 'whatsapp-cloud';

type Context = Pick<ChannelContext<z.output<typeof config>, unknown>, 'config' | 'dialer'>;

/**
 * Reads a delivery of the WhatsApp Cloud API: messages, statuses, changes of user ids and errors of the bot's own number, and what
 * becomes of the templates of its account. Unknown fields are ignored, since the provider adds some without notice.
 */
export async function receive(delivery: Delivery, context: Context): Promise<Received> {
  const body = delivery.json();
  const found = getPath(body, ['entry']);
  if (!Array.isArray(found))
    return { kind: 'invalid', code: 'INVALID_REQUEST', message: 'entry is missing: a delivery of WhatsApp has a list of entries' };
  const entries: readonly Json[] = found;
  const parts = await Promise.all(
    entries.flatMap((entry) => listAt(entry, 'changes').map((change) => readChange(change, nameAt(entry, 'id'), context))),
  );
  const unreadable = [body, ...entries].flatMap((holder) => [
    ...leftOutOfList(holder, 'entry', 'entry'),
    ...leftOutOfList(holder, 'changes', 'change'),
  ]);
  const templates = readTemplateNews(entries, context.config);
  return {
    ...collectParts([...parts.flat(), ...unreadable, ...templates.leftOut]),
    ...(templates.changes.length > 0 && { templates: templates.changes }),
  };
}

/** The parts of a change: of the number that it names, or of the account. What of it says nothing of a known user is noted. */
async function readChange(
  change: JsonObject,
  account: string | undefined,
  context: Context,
): Promise<readonly (Part | Elsewhere | AccountNews)[]> {
  const { value } = change;
  const field = nameAt(change, 'field') ?? 'unknown';
  if (!isJsonObject(value)) return [leftOut('change without its value')];
  const number = nameAt(value, 'metadata', 'phone_number_id');
  const isOwn = number === context.config.phoneNumberId;
  const read = isOwn ? [...(await readParts(value, context)), ...readAccountErrors(value)] : foreignParts(value, number);
  const told = [...read, ...readAccountChange(field, value, account, context.config)];
  const isTold = told.some(({ kind: part }) => part !== 'elsewhere') || value['errors'] !== undefined || isOfTemplates(field);
  return isTold ? told : [...told, noted(kind, field)];
}

/** Parts for a number that is not the bot's: the app delivers those of all its numbers to one address, or the bot's id is wrong. */
const foreignParts = (value: JsonObject, account: string | undefined): readonly (LeftOut | Elsewhere)[] => [
  ...(account === undefined ? [] : [{ kind: 'elsewhere', account } as const]),
  ...listAt(value, 'messages').map(() => leftOut('message to another phone number id', account)),
];

/** Errors of the number itself, such as a rate that was exceeded: those of a message are in its status. */
const readAccountErrors = (value: JsonObject): readonly AccountNews[] =>
  listAt(value, 'errors').map((error) => ({ kind: 'account', code: readCode(error), message: errorText(error) }));

function readCode(error: JsonObject): string {
  const { code } = error;
  return typeof code === 'number' || typeof code === 'string' ? String(code).slice(0, 100) : 'unknown';
}

/** An event, or what cannot be one. */
type Part = ChannelEvent | LeftOut | Noted;

/** In the order in which the provider lists them. */
async function readParts(value: JsonObject, context: Context): Promise<readonly Part[]> {
  const names = new Map<string, string>();
  for (const contact of listAt(value, 'contacts')) {
    const name = nameAt(contact, 'profile', 'name');
    for (const id of [nameAt(contact, 'wa_id'), nameAt(contact, 'user_id')])
      if (id !== undefined && name !== undefined) names.set(id, name);
  }
  const ownNumber = digitsAt(value, 'metadata', 'display_phone_number');
  return [
    ...(await Promise.all(listAt(value, 'messages').map((message) => messageEvent(message, { names, ownNumber }, context)))),
    ...leftOutOfList(value, 'messages', 'message'),
    ...(await Promise.all(listAt(value, 'message_echoes').map((message) => echoEvent(message, context)))),
    ...leftOutOfList(value, 'message_echoes', 'echo'),
    ...listAt(value, 'calls').map(callEvent),
    ...leftOutOfList(value, 'calls', 'call'),
    ...listAt(value, 'statuses').map(statusEvent),
    ...leftOutOfList(value, 'statuses', 'status'),
    ...listAt(value, 'user_id_update').map(updateEvent),
    ...leftOutOfList(value, 'user_id_update', 'change'),
    ...listAt(value, 'user_preferences').map((preference) => preferenceEvent(preference, names)),
    ...leftOutOfList(value, 'user_preferences', 'preference'),
  ];
}

/** The id and the time of an event. */
type Happened = Pick<ChannelEvent, 'eventId' | 'atMs'>;

const digitsAt = (value: JsonObject, ...path: readonly string[]): string => (textAt(value, ...path) ?? '').replace(/\D/g, '');

interface Around {
  /** The names of users, by each of their ids. */
  readonly names: ReadonlyMap<string, string>;
  /** The bot's own number, digits only; empty where it is not told. */
  readonly ownNumber: string;
}

/** What a user did: a message, a reaction, a change of an earlier message, or of number or id. */
async function messageEvent(message: JsonObject, { names, ownNumber }: Around, context: Context): Promise<Part> {
  const eventId = nameAt(message, 'id');
  const user = readUser(message, names);
  if (eventId === undefined) return leftOut('message without an id');
  const happened = { eventId, atMs: readInstant(message) };
  const type = nameAt(message, 'type') ?? 'unknown';
  if (type === 'system') return systemEvent(message, user, happened);
  if (user === undefined) return leftOut('message without a user');
  if (type === 'reaction') {
    const of = nameAt(message, 'reaction', 'message_id');
    if (of === undefined) return leftOut('reaction without its message');
    return { kind: 'reaction', ...happened, user, providerMessageId: of, emoji: nameAt(message, 'reaction', 'emoji') ?? null };
  }
  if (type === 'revoke') return deletionEvent(message, user, happened);
  if (type === 'edit') return editEvent(message, user, happened, context);
  const groupId = nameAt(message, 'group_id') ?? nameAt(message, 'context', 'group_id');
  const inGroup = groupId !== undefined || textAt(message, 'recipient_type') === 'group';
  const byBot = ownNumber !== '' && digitsAt(message, 'from') === ownNumber;
  const written = { type: formatType(type, message), inGroup, byBot };
  const content = await readMessage(message, eventId, context);
  return { kind: 'message', ...happened, user, written, message: groupId === undefined ? content : { ...content, groupId } };
}

/** A type with the kind of its answer, which tells a pressed button from the permission to call. */
const formatType = (type: string, message: JsonObject): string =>
  type === 'interactive' ? `interactive/${nameAt(message, 'interactive', 'type') ?? 'unknown'}` : type;

/** What a person of the business wrote on the phone of the number, to the user in `to`. */
async function echoEvent(message: JsonObject, context: Context): Promise<Part> {
  const [eventId, to] = [nameAt(message, 'id'), nameAt(message, 'to') ?? nameAt(message, 'to_user_id')];
  if (eventId === undefined || to === undefined) return noted(kind, 'message_echoes');
  const written = { type: 'message_echoes', byBot: true, byPerson: true, toUser: true };
  const content = { ...(await readMessage(message, eventId, context)), isEcho: true };
  return { kind: 'message', eventId, atMs: readInstant(message), user: { id: to }, written, message: content };
}

/** A call between the user and the number, at each of its steps. */
function callEvent(call: JsonObject): Part {
  const [id, step] = [nameAt(call, 'id'), nameAt(call, 'event') ?? 'call'];
  const userId = textAt(call, 'direction') === 'BUSINESS_INITIATED' ? nameAt(call, 'to') : nameAt(call, 'from');
  if (id === undefined || userId === undefined) return noted(kind, 'calls');
  const eventId = `${id}:${step}`;
  const message = createInboundMessage({ id: eventId, type: 'call', event: step }, call);
  return { kind: 'message', eventId, atMs: readInstant(call), user: { id: userId }, written: { type: 'calls' }, message };
}

/** The message in the common form (EVT-02). */
async function readMessage(message: JsonObject, id: string, context: Context): Promise<InboundMessage> {
  const type = nameAt(message, 'type') ?? 'unknown';
  return createInboundMessage({ type, ...readOrigin(message), ...(await readContent(type, message, context)), id }, message);
}

/** A user who deleted a message that they had sent. Only numbers that are used in the app of WhatsApp Business as well are told. */
function deletionEvent(message: JsonObject, user: ChannelUser, happened: Happened): Part {
  const providerMessageId = nameAt(message, 'revoke', 'original_message_id');
  if (providerMessageId === undefined) return leftOut('deletion without the id of its message');
  return { kind: 'edit', ...happened, user, providerMessageId, message: null };
}

/** A user who changed a message that they had sent, which comes whole. Only the same numbers are told. */
async function editEvent(message: JsonObject, user: ChannelUser, happened: Happened, context: Context): Promise<Part> {
  const [providerMessageId, edited] = [nameAt(message, 'edit', 'original_message_id'), getPath(message, ['edit', 'message'])];
  if (providerMessageId === undefined) return leftOut('edit without the id of its message');
  if (!isJsonObject(edited)) return leftOut('edit without its content');
  return { kind: 'edit', ...happened, user, providerMessageId, message: await readMessage(edited, providerMessageId, context) };
}

/** A user who changed the phone number, or whose business-scoped id the provider replaced. */
function systemEvent(message: JsonObject, user: ChannelUser | undefined, happened: Happened): Part {
  const system = getPath(message, ['system']);
  const phone = nameAt(system, 'wa_id') ?? nameAt(system, 'new_wa_id'); // until v11
  const bsuid = nameAt(system, 'user_id');
  const marketing = consentOf(nameAt(system, 'marketing'));
  if (user !== undefined && marketing !== undefined && nameAt(system, 'type') === 'user_preference_changed')
    return { kind: 'consent', ...happened, user, marketing, message: toldPreference(happened.eventId, textAt(system, 'body')) };
  const id = phone ?? bsuid;
  const previousId = nameAt(system, 'previous_user_id') ?? user?.id ?? nameAt(system, 'customer');
  if (id === undefined) {
    if (user === undefined) return noted(kind, 'system');
    const content = createInboundMessage({ id: happened.eventId, ...unread('system', message) }, message);
    return { kind: 'message', ...happened, user, written: { type: 'system' }, message: content };
  }
  if (previousId === undefined) return leftOut('change of a user id without both ids');
  const next = {
    id,
    ...(phone !== undefined && { phone }),
    ...(bsuid !== undefined && { bsuid }),
    ...(user?.names !== undefined && { names: user.names }),
  };
  return { kind: 'userIdChanged', ...happened, previousId, user: next };
}

/** What a preference for marketing messages says, as the provider words it. */
const consentOf = (said: string | undefined): 'granted' | 'revoked' | undefined =>
  said === 'stop' ? 'revoked' : said === 'resume' ? 'granted' : undefined;

const toldPreference = (id: string, text: string | undefined): InboundMessage =>
  createInboundMessage({ id, type: 'user_preferences', ...(text !== undefined && { text }) });

/** A user who stopped or resumed marketing messages by the switch of the app; of another preference nothing follows. */
function preferenceEvent(preference: JsonObject, names: ReadonlyMap<string, string>): Part {
  const [phone, bsuid, value] = [nameAt(preference, 'wa_id'), nameAt(preference, 'user_id'), nameAt(preference, 'value')];
  const [id, marketing] = [phone ?? bsuid, consentOf(value)];
  if (id === undefined || marketing === undefined || nameAt(preference, 'category') !== 'marketing_messages')
    return noted(kind, 'user_preferences');
  const atMs = readInstant(preference);
  const eventId = `user_preferences:${id}:${value}:${atMs}`;
  const name = names.get(id);
  const user = {
    id,
    ...(phone !== undefined && { phone }),
    ...(bsuid !== undefined && { bsuid }),
    ...(name !== undefined && { names: name }),
  };
  return { kind: 'consent', eventId, atMs, user, marketing, message: toldPreference(eventId, textAt(preference, 'detail')) };
}

function updateEvent(update: JsonObject): Part {
  const [previousId, bsuid] = [nameAt(update, 'user_id', 'previous'), nameAt(update, 'user_id', 'current')];
  if (previousId === undefined || bsuid === undefined) return leftOut('change of a user id without both ids');
  const phone = nameAt(update, 'wa_id');
  const user = { id: phone ?? bsuid, bsuid, ...(phone !== undefined && { phone }) };
  return { kind: 'userIdChanged', eventId: `user_id_update:${previousId}:${bsuid}`, atMs: readInstant(update), previousId, user };
}

const statuses: { readonly [status: string]: 'sent' | 'delivered' | 'read' | 'failed' } = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read', // a voice message that was listened to
  failed: 'failed',
};

function statusEvent(value: JsonObject): Part {
  const [id, said] = [nameAt(value, 'id'), textAt(value, 'status') ?? ''];
  const status = Object.hasOwn(statuses, said) ? statuses[said] : undefined;
  if (id === undefined) return leftOut('status without the id of its message');
  // Such as that of a payment: it says nothing of whether the message arrived.
  if (status === undefined) return { kind: 'noted', what: 'status' };
  const [error] = listAt(value, 'errors');
  const idempotencyKey = nameAt(value, 'biz_opaque_callback_data');
  const cause = error === undefined ? undefined : (whatsappError(error)?.cause ?? 'PROVIDER_REFUSED');
  return {
    kind: 'status',
    eventId: `${id}:${said}`,
    atMs: readInstant(value),
    status,
    of: { providerMessageId: id, ...(idempotencyKey !== undefined && { idempotencyKey }) },
    ...(error !== undefined && cause !== undefined && { failure: { cause, message: errorText(error) } }),
  };
}

/** The phone number, when the user shares it, else the business-scoped id. A number shared on request counts. */
function readUser(message: JsonObject, names: ReadonlyMap<string, string>): ChannelUser | undefined {
  const [from, bsuid] = [nameAt(message, 'from'), nameAt(message, 'from_user_id')];
  const phone = from ?? sharedPhone(message);
  const id = from ?? bsuid;
  if (id === undefined) return undefined;
  const name = names.get(from ?? '') ?? names.get(bsuid ?? '');
  return { id, ...(phone !== undefined && { phone }), ...(bsuid !== undefined && { bsuid }), ...(name !== undefined && { names: name }) };
}

/** The number in a contact that the user shared on request; another person's card does not count. */
function sharedPhone(message: JsonObject): string | undefined {
  const [contact] = listAt(message, 'contacts');
  const origin = textAt(message, 'origin') ?? (contact === undefined ? undefined : textAt(contact, 'origin'));
  if (contact === undefined || (origin !== 'contact_request' && origin !== 'request_contact_info')) return undefined;
  const [phone] = listAt(contact, 'phones');
  const digits = (phone === undefined ? '' : (nameAt(phone, 'wa_id') ?? textAt(phone, 'phone') ?? '')).replace(/\D/g, '');
  return digits === '' ? undefined : digits;
}

/** What led to a message: the one that it answers, the product that it asks about, the advertisement that it came from. */
function readOrigin(message: JsonObject): JsonObject {
  const id = nameAt(message, 'context', 'id');
  const [product, referral] = [getPath(message, ['context', 'referred_product']), message['referral']];
  return {
    ...(id !== undefined && { replyTo: id }),
    ...(isJsonObject(product) && { referredProduct: product }),
    ...(isJsonObject(referral) && { referral }),
  };
}

const mediaTypes: { readonly [type: string]: MediaType } = {
  image: 'image',
  audio: 'audio',
  voice: 'audio', // of older interfaces, and of what stands in for this one
  video: 'video',
  document: 'file',
  sticker: 'sticker',
};

/** The content of a message in the common form (EVT-02). An unknown type is stored unchanged. */
async function readContent(type: string, message: JsonObject, context: Context): Promise<JsonObject> {
  const own = getPath(message, [type]);
  const mediaType = Object.hasOwn(mediaTypes, type) ? mediaTypes[type] : undefined;
  if (mediaType !== undefined && isJsonObject(own)) return readMedia(mediaType, own, context);
  switch (type) {
    case 'text':
      return { type, text: textAt(message, 'text', 'body') ?? '' };
    case 'button':
      return {
        type,
        text: textAt(message, 'button', 'text') ?? '',
        payload: textAt(message, 'button', 'payload') ?? textAt(message, 'button', 'text') ?? '',
      };
    case 'interactive':
      return readInteractive(own);
    case 'location': {
      const [lat, long] = [numberAt(own, 'latitude'), numberAt(own, 'longitude')];
      if (lat === undefined || long === undefined) return unread(type, message);
      const described = ['name', 'address', 'url'].flatMap((name) => {
        const text = textAt(own, name);
        return text === undefined ? [] : [[name, text] as const];
      });
      return { type, coordinates: { lat, long, ...Object.fromEntries(described) } };
    }
    case 'contacts':
      return { type, contacts: [...listAt(message, 'contacts')] };
    default:
      return unread(type, message);
  }
}

/** What is not understood is kept as it came. */
const unread = (type: string, { [type]: own, errors }: JsonObject): JsonObject & { readonly type: string } => ({
  type,
  ...(own !== undefined && { [type]: own }),
  ...(errors !== undefined && { errors }),
});

/** A pressed button, a chosen row, or the answers of a flow. */
function readInteractive(own: Json | undefined): JsonObject {
  const kind = nameAt(own, 'type') ?? '';
  const reply = getPath(own, [kind]);
  if (kind === 'nfm_reply') {
    const told = getPath(reply, ['response_json']);
    const response = typeof told === 'string' ? parseInner(told) : told;
    const content = { type: 'flow', text: textAt(reply, 'body') ?? '', name: textAt(reply, 'name') ?? '' };
    // Answers that cannot be read are kept as they came.
    return isJsonObject(response) ? { ...content, response } : { ...content, response: null, interactive: own ?? null };
  }
  const [id, title] = [nameAt(reply, 'id'), textAt(reply, 'title')];
  if (id === undefined) return { type: 'interactive', ...(own !== undefined && { interactive: own }) };
  const payload = decodePayload(id);
  return { type: 'button', ...(title !== undefined && { text: title }), ...(payload !== undefined && { payload }) };
}

/** Seconds of the provider, in milliseconds. */
const readInstant = (value: JsonObject): number => normalizeInstant((numberAt(value, 'timestamp') ?? 0) * 1_000);
