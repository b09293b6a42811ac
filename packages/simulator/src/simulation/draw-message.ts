import { isJsonObject, type Json } from '@hilo/engine/contract';
import { type Message, optionsOf } from '@hilo/nodes';
import { textToLine } from '../script/line-text.ts';

/** A sent message, shortened to one line; the user's options are in brackets. */
export function drawMessage(sent: Json): string {
  const message = sent as unknown as Message; // the effect's schema guarantees a whole message
  switch (message.type) {
    case 'text':
      return pressable(
        message.text,
        optionsOf(message).map(({ title }) => title),
      );
    case 'quick_reply':
      return pressable(
        message.text,
        message.quick_replies.map(({ title }) => title),
      );
    case 'image':
    case 'video':
      return file(message.type, message.mediaUrl, message.text);
    case 'audio':
    case 'sticker':
      return file(message.type, message.mediaUrl, undefined);
    case 'file':
      return file(message.filename === undefined ? 'file' : `file ${textToLine(message.filename)}`, message.mediaUrl, message.text);
    case 'location':
      return `location ${message.coordinates.lat}, ${message.coordinates.long}`;
    case 'contacts':
      return `contacts ${message.contacts.map(({ name, phones }) => textToLine(name?.formatted_name ?? phones?.[0]?.phone ?? '?')).join(', ')}`;
    case 'location_request':
      return pressable(message.text, ['Send location']);
    case 'contact_info_request':
      return pressable(message.text, ['Share contact']);
    case 'cta_url':
      return pressable(message.text, [`${message.parameters.display_text} ${message.parameters.url}`]);
    case 'voice_call':
      return pressable(message.text, [message.parameters.display_text]);
    case 'flow': {
      const names = formFields(message);
      return names === undefined
        ? pressable(message.text, [message.parameters.flow_cta ?? message.caption ?? 'Open form'])
        : `${textToLine(message.text)}  (form: ${names.join(', ')})`;
    }
    case 'carousel':
      return pressable(
        message.text,
        message.parameters.cards.map(({ body }) => body.text),
      );
  }
}

/** The names of the fields of a form that a node asks for. */
function formFields({ parameters: { form } }: Extract<Message, { readonly type: 'flow' }>): readonly string[] | undefined {
  const fields = form?.['fields'];
  return isJsonObject(fields) ? Object.keys(fields) : undefined;
}

const pressable = (text: string, titles: readonly string[]): string =>
  `${textToLine(text)}${titles.length === 0 ? '' : ` ${titles.map((title) => ` [${textToLine(title)}]`).join('')}`}`;

const file = (what: string, url: string, caption: string | undefined): string =>
  `${what} ${textToLine(url)}${caption === undefined || caption.trim() === '' ? '' : ` "${textToLine(caption)}"`}`;
