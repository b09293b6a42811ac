import type { Channel } from '@hilo/engine/contract';

/** The result for a body, stated a second time by hand and without a schema: a code of ERR-06, or `taken`. */
export type Said = 'taken' | 'INVALID_REQUEST' | 'INVALID_USER_ID' | 'INVALID_MEDIA_URL';

type Thing = { readonly [field: string]: unknown };

const isThing = (value: unknown): value is Thing => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const said = (value: unknown): value is string => isText(value) && value.trim().length > 0;
const points = (text: string): number => Array.from(text).length;
const short = (value: unknown, most: number): boolean => said(value) && points(value) <= most;
/** A field that may be left out. */
const maybe = (thing: Thing, field: string, holds: (value: unknown) => boolean = isText): boolean =>
  !(field in thing) || holds(thing[field]);
const every = (value: unknown, holds: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(holds);
const between = (value: unknown, least: number, most: number): value is readonly unknown[] =>
  Array.isArray(value) && value.length >= least && value.length <= most;
const differ = (values: readonly unknown[]): boolean => new Set(values).size === values.length;
const texts = (thing: unknown, fields: readonly string[]): boolean => isThing(thing) && fields.every((field) => maybe(thing, field));
const within = (value: unknown, most: number): boolean => typeof value === 'number' && value >= -most && value <= most;

/** MED-01 and MSG-35: only spellings that these tests use. */
const address = (value: unknown, schemes: RegExp): boolean =>
  isText(value) && schemes.test(value) && points(value) <= 2048 && !/[\s\0]/.test(value);
const isFile = (value: unknown): boolean => address(value, /^https:\/\/[a-z]+\.example(\/|$)/);
const isLink = (value: unknown): boolean => address(value, /^https?:\/\/[a-z]+\.example(\/|$)/);

const option = (value: unknown): value is Thing =>
  isThing(value) &&
  short(value['title'], 24) &&
  maybe(value, 'description', (it) => isText(it) && points(it) <= 72) &&
  maybe(value, 'payload');
const payloadOf = ({ title, payload }: Thing): unknown => (said(payload) ? payload : title);

const buttons = (value: unknown): boolean => {
  if (!isThing(value) || !maybe(value, 'title') || !between(value['options'], 1, 10)) return false;
  const { options, buttonText } = value;
  const isButton = (it: unknown): boolean => isThing(it) && it['type'] === 'text' && maybe(it, 'text', said);
  return (
    every(options, option) && differ((options as readonly Thing[]).map(payloadOf)) && (!('buttonText' in value) || isButton(buttonText))
  );
};

const contact = (value: unknown): boolean =>
  isThing(value) &&
  maybe(value, 'name', (it) => texts(it, ['formatted_name', 'first_name', 'last_name', 'middle_name'])) &&
  maybe(value, 'phones', (list) =>
    every(
      list,
      (it) => texts(it, ['type', 'wa_id']) && maybe(it as Thing, 'phone', (phone) => isText(phone) && /^\+?[1-9]\d{1,14}$/.test(phone)),
    ),
  ) &&
  maybe(value, 'emails', (list) =>
    every(list, (it) => texts(it, ['type']) && maybe(it as Thing, 'email', (mail) => isText(mail) && /^\w+@\w+\.\w+$/.test(mail))),
  ) &&
  maybe(value, 'addresses', (list) =>
    every(list, (it) => texts(it, ['street', 'city', 'state', 'zip', 'country', 'country_code', 'type'])),
  );

const flowFields = ['flow_id', 'flow_cta', 'flow_name', 'flow_action', 'flow_message_version'];

/** What the fields of each type must be (MSG-08 to MSG-40), files aside. */
const holds: { readonly [type: string]: (message: Thing) => boolean } = {
  text: (it) => said(it['text']) && maybe(it, 'previewUrl', (flag) => typeof flag === 'boolean') && maybe(it, 'buttons', buttons),
  quick_reply: (it) =>
    said(it['text']) &&
    maybe(it, 'title', (title) => isText(title) && points(title) <= 20) &&
    between(it['quick_replies'], 1, 3) &&
    every(it['quick_replies'], (reply) => isThing(reply) && short(reply['title'], 20)) &&
    differ((it['quick_replies'] as readonly Thing[]).map(({ title }) => title)),
  image: (it) => maybe(it, 'text'),
  audio: () => true,
  video: (it) => maybe(it, 'text'),
  file: (it) => maybe(it, 'text') && maybe(it, 'filename'),
  sticker: () => true,
  location: ({ coordinates }) => isThing(coordinates) && within(coordinates['lat'], 90) && within(coordinates['long'], 180),
  contacts: ({ contacts }) => Array.isArray(contacts) && contacts.length > 0 && every(contacts, contact),
  location_request: (it) => said(it['text']),
  contact_info_request: (it) => said(it['text']),
  cta_url: ({ title, text, caption, parameters }) =>
    said(title) && said(text) && said(caption) && isThing(parameters) && isLink(parameters['url']) && said(parameters['display_text']),
  voice_call: (it) => said(it['text']) && maybe(it, 'header') && isThing(it['parameters']) && said(it['parameters']['display_text']),
  flow: ({ title, text, caption, parameters }) =>
    said(title) &&
    said(text) &&
    said(caption) &&
    texts(parameters, flowFields) &&
    maybe(parameters as Thing, 'mode', (mode) => mode === 'draft' || mode === 'published') &&
    maybe(parameters as Thing, 'flow_action_payload', (payload) => texts(payload, ['screen'])),
};

const longest: { readonly [Name in Channel]: number } = {
  slack: 3000,
  teams: 4096,
  whatsapp: 4096,
  facebook: 2000,
  instagram: 1000,
  twitter: 10_000,
  web: 4096,
  custom: 4096,
};

/** Names of text fields other than "text"; any further field is unknown (GEN-07). */
const readBy: { readonly [type: string]: readonly string[] } = {
  quick_reply: ['text', 'title'],
  audio: [],
  sticker: [],
  location: [],
  contacts: [],
  cta_url: ['text', 'title', 'caption'],
  voice_call: ['text', 'header'],
  flow: ['text', 'title', 'caption'],
};

/** What a channel accepts of a valid message (LIM-04, LIM-05, MSG-12, MSG-21 to MSG-25). */
function channelTakes(message: Thing, channel: Channel): boolean {
  const { type, text, buttons: menu } = message;
  if (type === 'sticker' && channel === 'custom') return false;
  if (['image', 'video', 'file'].includes(String(type)) && said(text) && channel !== 'whatsapp') return false;
  const length = (value: string): number => (channel === 'instagram' ? Buffer.byteLength(value) : points(value));
  const shown = (readBy[String(type)] ?? ['text']).map((field) => message[field]);
  const above = type === 'text' && isThing(menu) ? menu['title'] : undefined;
  if ([...shown, above].some((value) => isText(value) && length(value) > longest[channel])) return false;
  const options = type === 'text' && isThing(menu) ? (menu['options'] as readonly Thing[]) : [];
  return !['facebook', 'instagram'].includes(channel) || options.every(({ title }) => points(String(title)) <= 20);
}

const files = new Set(['image', 'audio', 'video', 'file', 'sticker']);

/** Judges a whole body: the recipient, the message, the channel (GEN-09). */
export function secondStatement(body: Thing, botId: string, channel: Channel): Said {
  const { userId, type } = body;
  if (!('userId' in body)) return 'INVALID_REQUEST';
  if (!isText(userId) || !(/^[1-9]\d{1,14}$/.test(userId) || /^[A-Z]{2}\.[A-Za-z0-9]+$/.test(userId))) return 'INVALID_USER_ID';
  if (!maybe(body, 'botId', said)) return 'INVALID_REQUEST';
  if (!isText(type) || !Object.hasOwn(holds, type)) return 'INVALID_REQUEST';
  if (files.has(type)) {
    if (!isText(body['mediaUrl'])) return 'INVALID_REQUEST';
    if (!isFile(body['mediaUrl'])) return 'INVALID_MEDIA_URL';
  }
  const isWhole = holds[type]?.(body) === true && maybe(body, 'botId', (id) => id === botId);
  return isWhole && channelTakes(body, channel) ? 'taken' : 'INVALID_REQUEST';
}
