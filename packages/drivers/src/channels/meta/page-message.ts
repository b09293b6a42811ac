// What Messenger and Instagram send: a page writes to a person.
import type { JsonObject } from '@hilo/engine/contract';
import type { Message } from '@hilo/nodes/effects';
import { DriverError } from '../../driver-error.ts';
import type { ChannelMessage } from '../channel-adapter.ts';
import { optionId } from '../option-id.ts';
import { lines, optionText, plainText } from '../plain-text.ts';
import { characters, messageFor, unsupported, within } from '../refusal.ts';

/** In what the two differ. */
export interface PageDialect {
  readonly channel: 'facebook' | 'instagram';
  readonly maxText: number;
  /** Whether quick replies can offer the phone number of the person. */
  readonly asksForPhone: boolean;
  /** Calls a second that Meta takes for one account, those with files being fewer. */
  readonly messagesPerSecond: number;
}

const max = { template: 640, title: 20, buttons: 3, payload: 1_000, url: 2_000 };

/**
 * The body of `POST /{version}/{page-id}/messages`, inside the 24-hour window. The key of the message is its `metadata`, which
 * echoes carry; the provider drops no repetition by it.
 *
 * @throws {DriverError} for what the provider would not take
 */
export function pageMessage({ idempotencyKey, recipient, message }: ChannelMessage, dialect: PageDialect): JsonObject {
  return {
    recipient: { id: recipient.id },
    messaging_type: 'RESPONSE',
    message: { ...contentOf(messageFor(dialect.channel, message), dialect), metadata: idempotencyKey.slice(0, max.payload) },
  };
}

function contentOf(message: Message, dialect: PageDialect): JsonObject {
  const text = (words: string): JsonObject => ({ text: textWithin(words, dialect) });
  switch (message.type) {
    case 'text':
      return message.buttons === undefined ? text(message.text) : optionsOf(message.text, message.buttons, dialect);
    case 'quick_reply':
      return {
        ...text(lines(message.title, message.text)),
        quick_replies: message.quick_replies.map(({ title }) => quickReply(title, title)),
      };
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      if ('text' in message && (message.text ?? '').trim() !== '')
        throw new DriverError('INVALID_REQUEST', `Files have no caption on ${dialect.channel}: send the text as a message of its own`);
      return attachment(message.type, message.mediaUrl);
    case 'sticker':
      return attachment('image', message.mediaUrl);
    case 'contact_info_request':
      return dialect.asksForPhone ? { ...text(message.text), quick_replies: [{ content_type: 'user_phone_number' }] } : text(message.text);
    case 'cta_url': {
      const { url, display_text } = message.parameters;
      const title = within(display_text, max.title, 'parameters.display_text');
      const button = { type: 'web_url', title, url: within(url, max.url, 'parameters.url') };
      return buttonTemplate(within(lines(message.title, message.text, message.caption), max.template, 'text with title and caption'), [
        button,
      ]);
    }
    case 'location':
    case 'contacts':
    case 'location_request':
    case 'voice_call':
      return text(plainText(message));
    case 'flow':
    case 'carousel':
      throw unsupported(message.type, dialect.channel);
  }
}

/** Instagram counts bytes, Messenger characters. */
function textWithin(text: string, { channel, maxText }: PageDialect): string {
  if (text === '') throw new DriverError('INVALID_REQUEST', 'The message says nothing: give it a text');
  const length = channel === 'instagram' ? Buffer.byteLength(text) : characters(text);
  if (length <= maxText) return text;
  throw new DriverError(
    'INVALID_REQUEST',
    `The text has ${length} ${channel === 'instagram' ? 'bytes' : 'characters'}, and ${channel} takes ${maxText}: shorten it or send it in parts`,
  );
}

const attachment = (type: string, url: string): JsonObject => ({
  attachment: { type, payload: { url: within(url, max.url, 'mediaUrl') } },
});
const buttonTemplate = (text: string, buttons: readonly JsonObject[]): JsonObject => ({
  attachment: { type: 'template', payload: { template_type: 'button', text, buttons } },
});
const quickReply = (title: string, payload: string): JsonObject => ({
  content_type: 'text',
  title: within(title, max.title, 'The title of an option'),
  payload: optionId(payload, max.payload),
});

type Buttons = NonNullable<Extract<Message, { readonly type: 'text' }>['buttons']>;

/** Up to three options without a description are postback buttons; others are quick replies, with their descriptions in the text. */
function optionsOf(text: string, { title, options }: Buttons, dialect: PageDialect): JsonObject {
  const isDescribed = options.some(({ description = '' }) => description.trim() !== '');
  const words = lines(title, text);
  if (!isDescribed && options.length <= max.buttons && characters(words) <= max.template) {
    const buttons = options.map((option) => ({
      type: 'postback',
      title: within(option.title, max.title, 'The title of an option'),
      payload: optionId(option.payload, max.payload),
    }));
    return buttonTemplate(words, buttons);
  }
  const described = isDescribed ? lines(words, options.map(optionText).join('\n')) : words;
  return { text: textWithin(described, dialect), quick_replies: options.map((option) => quickReply(option.title, option.payload)) };
}
