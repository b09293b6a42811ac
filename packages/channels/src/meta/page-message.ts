// What Messenger and Instagram send: a page writes to a person.
import type { JsonObject } from '@hilo/engine/contract';
import { channelLimits, fitsPageButtons, lines, type Message, plainText, quickReplyText } from '@hilo/nodes/effects';
import type { ChannelMessage } from '../channel-adapter.ts';
import { encodeNamedPayload, encodePayload } from '../inbound-message.ts';
import { parseMessage, requireText, unsupported } from '../refusal.ts';

/** The differences between the two providers. */
export interface PageDialect {
  readonly channel: 'facebook' | 'instagram';
  /** Whether quick replies can offer the phone number of the person. */
  readonly asksForPhone: boolean;
  /** Calls per second that Meta accepts for one account; calls with files have a lower limit. */
  readonly messagesPerSecond: number;
}

/** Instagram has the same limits, except for the length of a text. */
const max = channelLimits.facebook;

/**
 * The body of `POST /{version}/{page-id}/messages`, inside the 24-hour window. The key of the message is its `metadata`, which
 * echoes carry; the provider drops no repetition by it.
 *
 * @throws {DriverError} for what the provider would not take
 */
export function pageMessage(outbound: ChannelMessage, dialect: PageDialect): JsonObject {
  const { idempotencyKey, recipient, message } = outbound;
  return {
    recipient: { id: recipient.id },
    messaging_type: 'RESPONSE',
    message: {
      ...createContent(parseMessage(dialect.channel, message), dialect, outbound),
      metadata: idempotencyKey.slice(0, max.payload),
    },
  };
}

function createContent(message: Message, dialect: PageDialect, outbound: ChannelMessage): JsonObject {
  const text = (words: string): JsonObject => ({ text: requireText(words) });
  switch (message.type) {
    case 'text':
      return message.buttons === undefined ? text(message.text) : createOptions(message.text, message.buttons, outbound);
    case 'quick_reply':
      return {
        ...text(lines(message.title, message.text)),
        quick_replies: message.quick_replies.map(({ title }) => quickReply(title, title)),
      };
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return attachment(message.type, message.mediaUrl);
    case 'sticker':
      return attachment('image', message.mediaUrl);
    case 'contact_info_request':
      return dialect.asksForPhone ? { ...text(message.text), quick_replies: [{ content_type: 'user_phone_number' }] } : text(message.text);
    case 'cta_url': {
      const { url, display_text } = message.parameters;
      const button = { type: 'web_url', title: display_text, url };
      return buttonTemplate(lines(message.title, message.text, message.caption), [button]);
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

const attachment = (type: string, url: string): JsonObject => ({
  attachment: { type, payload: { url } },
});
const buttonTemplate = (text: string, buttons: readonly JsonObject[]): JsonObject => ({
  attachment: { type: 'template', payload: { template_type: 'button', text, buttons } },
});
const quickReply = (title: string, payload: string): JsonObject => ({
  content_type: 'text',
  title,
  payload: encodePayload(payload, max.payload),
});

type Buttons = NonNullable<Extract<Message, { readonly type: 'text' }>['buttons']>;

/**
 * Up to three options without a description are postback buttons; others are quick replies, with their descriptions in the text. Buttons
 * stay when they were pressed, so those of a workflow name their message; quick replies disappear.
 */
function createOptions(text: string, { title, options }: Buttons, { messageId, isOfWorkflow }: ChannelMessage): JsonObject {
  const words = lines(title, text);
  if (fitsPageButtons(words, options)) {
    const buttons = options.map((option) => ({
      type: 'postback',
      title: option.title,
      payload:
        isOfWorkflow === true ? encodeNamedPayload(option.payload, max.payload, messageId) : encodePayload(option.payload, max.payload),
    }));
    return buttonTemplate(words, buttons);
  }
  const replies = options.map((option) => quickReply(option.title, option.payload));
  return { text: quickReplyText(words, options), quick_replies: replies };
}
