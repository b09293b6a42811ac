// The body by which a message is sent to WhatsApp.
import type { JsonObject } from '@hilo/engine/contract';
import { channelLimits, fitsReplyButtons, type Message } from '@hilo/nodes/effects';
import { DriverError } from '@hilo/drivers';
import type { ChannelMessage, Recipient } from '../channel-adapter.ts';
import { encodePayload } from '../inbound-message.ts';
import { parseMessage, unsupported } from '../refusal.ts';
import { createTemplate } from './template.ts';

const max = channelLimits.whatsapp;

/**
 * The body of `POST /{version}/{phone-number-id}/messages`. The key of the message is in `biz_opaque_callback_data`: the
 * provider drops no repetition by it, and its status events return it.
 *
 * @throws {DriverError} for what the provider would not take
 */
export function requestBody({ messageId, idempotencyKey, recipient, message, template }: ChannelMessage): JsonObject {
  const common = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...createAddress(recipient),
    biz_opaque_callback_data: idempotencyKey,
  };
  if (message['type'] === 'template') return { ...common, type: 'template', template: createTemplate(template, message['parameters']) };
  return { ...common, ...createContent(parseMessage('whatsapp', message), messageId) };
}

/**
 * A business-scoped user id goes into `recipient`, a phone number into `to`; with both, `to` would win. The contact has those of today: an
 * execution that began before the user changed the number still names the one before, which may be another person's by now (UID-06).
 */
const createAddress = ({ id, phone = id, bsuid = id }: Recipient): JsonObject =>
  /^[A-Z]{2}\./.test(id) ? { recipient: bsuid } : { to: phone };

function createContent(message: Message, messageId: string): JsonObject {
  switch (message.type) {
    case 'text':
      if (message.buttons !== undefined) return interactive(createOptions(message.text, message.buttons));
      // The provider shows a link preview only on request (MSG-09).
      return { type: 'text', text: { body: message.text, preview_url: message.previewUrl ?? true } };
    case 'quick_reply':
      return interactive({
        type: 'button',
        ...createHeader(message.title),
        body: { text: message.text },
        action: { buttons: message.quick_replies.map(({ title }) => replyButton(title, title)) },
      });
    case 'image':
      return { type: 'image', image: { link: message.mediaUrl, ...createCaption(message.text) } };
    case 'video':
      return { type: 'video', video: { link: message.mediaUrl, ...createCaption(message.text) } };
    case 'audio':
      return { type: 'audio', audio: { link: message.mediaUrl } };
    case 'sticker':
      return { type: 'sticker', sticker: { link: message.mediaUrl } };
    case 'file': {
      const filename = message.filename ?? '';
      return {
        type: 'document',
        document: { link: message.mediaUrl, ...createCaption(message.text), ...(filename !== '' && { filename }) },
      };
    }
    case 'location': {
      const { lat, long } = message.coordinates;
      return { type: 'location', location: { latitude: lat, longitude: long } };
    }
    case 'contacts':
      return { type: 'contacts', contacts: message.contacts.map(createContact) };
    case 'location_request':
      return interactive({ type: 'location_request_message', body: { text: message.text }, action: { name: 'send_location' } });
    case 'contact_info_request':
      return interactive({ type: 'request_contact_info', body: { text: message.text }, action: { name: 'request_contact_info' } });
    case 'cta_url':
      return interactive({
        type: 'cta_url',
        ...createHeader(message.title),
        body: { text: message.text },
        ...createFooter(message.caption),
        action: {
          name: 'cta_url',
          parameters: { display_text: message.parameters.display_text, url: message.parameters.url },
        },
      });
    case 'voice_call':
      return interactive({
        type: 'voice_call',
        ...createHeader(message.header),
        body: { text: message.text },
        action: { name: 'voice_call', parameters: { display_text: message.parameters.display_text } },
      });
    case 'flow':
      return interactive({
        type: 'flow',
        ...createHeader(message.title),
        body: { text: message.text },
        ...createFooter(message.caption),
        action: { name: 'flow', parameters: flowParameters(message.parameters, messageId) },
      });
    case 'carousel':
      throw unsupported(message.type, 'whatsapp');
  }
}

const interactive = (content: JsonObject): JsonObject => ({ type: 'interactive', interactive: content });
const isBlank = (text: string | undefined): text is undefined => text === undefined || text.trim() === '';
const createCaption = (text: string | undefined): JsonObject => (isBlank(text) ? {} : { caption: text });
const createHeader = (text: string | undefined): JsonObject => (isBlank(text) ? {} : { header: { type: 'text', text } });
const createFooter = (text: string | undefined): JsonObject => (isBlank(text) ? {} : { footer: { text } });

const replyButton = (title: string, payload: string): JsonObject => ({
  type: 'reply',
  reply: { id: encodePayload(payload, max.buttonId), title },
});

type Buttons = NonNullable<Extract<Message, { readonly type: 'text' }>['buttons']>;

/** Up to three short options without a description are buttons; what does not fit there is a list (MSG-13 to MSG-18). */
function createOptions(text: string, { title, buttonText, options }: Buttons): JsonObject {
  if (fitsReplyButtons(text, options)) {
    const buttons = options.map((option) => replyButton(option.title, option.payload));
    return { type: 'button', ...createHeader(title), body: { text }, action: { buttons } };
  }
  const rows = options.map((option) => ({
    id: encodePayload(option.payload, max.rowId),
    title: option.title,
    ...(!isBlank(option.description) && { description: option.description }),
  }));
  return {
    type: 'list',
    ...createHeader(title),
    body: { text },
    action: { button: buttonText.text, sections: [{ rows }] },
  };
}

type FlowParameters = Extract<Message, { readonly type: 'flow' }>['parameters'];

/** A flow is named by its id or by its name, not by both; a screen is opened by `navigate` alone. */
function flowParameters(
  { flow_id, flow_name, flow_cta, flow_action, flow_action_payload, mode }: FlowParameters,
  messageId: string,
): JsonObject {
  if (isBlank(flow_id) && isBlank(flow_name))
    throw new DriverError('INVALID_REQUEST', 'parameters has neither flow_id nor flow_name: name the flow');
  const screen = flow_action_payload?.screen;
  const action = isBlank(flow_action) ? undefined : flow_action;
  if (action !== undefined && action !== 'navigate' && action !== 'data_exchange')
    throw new DriverError('INVALID_REQUEST', `parameters.flow_action is "${action}": the provider takes navigate and data_exchange`);
  if (action === 'data_exchange' && !isBlank(screen))
    throw new DriverError('INVALID_REQUEST', 'parameters.flow_action_payload does not go with data_exchange: leave it out, or navigate');
  return {
    flow_message_version: '3',
    ...(isBlank(flow_id) ? { flow_name: flow_name ?? '' } : { flow_id }),
    flow_cta: isBlank(flow_cta) ? 'Abrir' : flow_cta,
    flow_token: messageId.slice(0, 200),
    mode,
    ...(action !== undefined && { flow_action: action }),
    ...(!isBlank(screen) && { flow_action: 'navigate', flow_action_payload: { screen } }),
  };
}

type Contact = Extract<Message, { readonly type: 'contacts' }>['contacts'][number];

/** The provider requires a formatted name and one more part of it: a missing part is derived from the others. */
function createContact({ name = {}, phones = [], emails = [], addresses = [] }: Contact): JsonObject {
  const parts = present({ first_name: name.first_name, middle_name: name.middle_name, last_name: name.last_name });
  const spoken = [name.first_name, name.middle_name, name.last_name].filter((part) => !isBlank(part)).join(' ');
  const formatted = [name.formatted_name, spoken, phones[0]?.phone, emails[0]?.email].find((text) => !isBlank(text));
  if (formatted === undefined) throw new DriverError('INVALID_REQUEST', 'A contact has no name, phone or e-mail address: give one');
  const waId = (text: string | undefined): string | undefined =>
    /^\d{5,20}$/.test(text?.replace(/\D/g, '') ?? '') ? text?.replace(/\D/g, '') : undefined;
  const listed = (key: string, items: readonly JsonObject[]): JsonObject => (items.length === 0 ? {} : { [key]: items });
  return {
    name: { formatted_name: formatted, ...(Object.keys(parts).length === 0 ? { first_name: formatted } : parts) },
    ...listed(
      'phones',
      phones.flatMap(({ phone, type, wa_id }) => (isBlank(phone) ? [] : [present({ phone, type, wa_id: waId(wa_id) })])),
    ),
    ...listed(
      'emails',
      emails.flatMap(({ email, type }) => (isBlank(email) ? [] : [present({ email, type })])),
    ),
    ...listed(
      'addresses',
      addresses.map(present).filter((address) => Object.keys(address).length > 0),
    ),
  };
}

/** The fields that have a text. */
const present = (fields: { readonly [name: string]: string | undefined }): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => !isBlank(entry[1])));
