import type { StrictMessage } from './message.ts';

/** A message as plain text, for a channel without a form for it; nothing of its content is left out. */
export function plainText(message: StrictMessage): string {
  switch (message.type) {
    case 'text':
      return message.buttons === undefined
        ? message.text
        : lines(message.buttons.title, message.text, numberOptions(message.buttons.options));
    case 'quick_reply':
      return lines(message.title, message.text, numberOptions(message.quick_replies));
    case 'image':
    case 'video':
    case 'file':
      return lines(message.text, message.mediaUrl);
    case 'audio':
    case 'sticker':
      return message.mediaUrl;
    case 'location': {
      const { lat, long } = message.coordinates;
      return `https://www.google.com/maps/search/?api=1&query=${lat},${long}`;
    }
    case 'contacts':
      return message.contacts.map(contactText).join('\n\n');
    case 'location_request':
    case 'contact_info_request':
      return message.text;
    case 'cta_url':
      return lines(message.title, message.text, `${message.parameters.display_text}: ${message.parameters.url}`, message.caption);
    case 'voice_call':
      return lines(message.header, message.text);
    case 'flow':
      return lines(message.title, message.text, message.caption);
    case 'carousel':
      return lines(
        message.text,
        ...message.parameters.cards.map(({ body, action }) => `${body.text}\n${action.parameters.display_text}: ${action.parameters.url}`),
      );
  }
}

/** Non-empty parts, separated by blank lines. */
export const lines = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part): part is string => part !== undefined && part.trim() !== '').join('\n\n');

interface Option {
  readonly title: string;
  readonly description?: string | undefined;
}

const numberOptions = (options: readonly Option[]): string =>
  options.map((option, index) => `${index + 1}. ${optionText(option)}`).join('\n');

/** An option with its description, where it has one. */
export const optionText = ({ title, description = '' }: Option): string => (description.trim() === '' ? title : `${title}: ${description}`);

type Contact = Extract<StrictMessage, { readonly type: 'contacts' }>['contacts'][number];

function contactText({ name = {}, phones = [], emails = [], addresses = [] }: Contact): string {
  const spoken = [name.first_name, name.middle_name, name.last_name].filter((part) => (part ?? '').trim() !== '').join(' ');
  return [
    (name.formatted_name ?? '').trim() === '' ? spoken : (name.formatted_name ?? ''),
    ...phones.map(({ phone = '' }) => phone),
    ...emails.map(({ email = '' }) => email),
    ...addresses.map(({ street, city, state, zip, country }) =>
      [street, city, state, zip, country].filter((part) => (part ?? '').trim() !== '').join(', '),
    ),
  ]
    .filter((line) => line.trim() !== '')
    .join('\n');
}
