import type { JsonObject } from '@hilo/engine/contract';
import { channelLimits, isLonger, lines, type Message, plainText, slackText } from '@hilo/nodes/effects';
import type { ChannelMessage } from '../channel-adapter.ts';
import { encodePayload } from '../inbound-message.ts';
import { lastPathPart, parseMessage, requireText, shorten, unsupported } from '../refusal.ts';

const max = channelLimits.slack;

/**
 * The body of `chat.postMessage`. A user's id as `channel` opens the direct conversation with the app. Beside blocks, `text` is for
 * notifications and screen readers.
 *
 * @throws {DriverError} for a message that Slack would refuse
 */
export function slackMessage({ recipient, message }: ChannelMessage): JsonObject {
  return { channel: recipient.id, ...createContent(parseMessage('slack', message)) };
}

function createContent(message: Message): JsonObject {
  switch (message.type) {
    case 'text': {
      const { text, buttons, previewUrl: unfurl_links } = message;
      if (buttons === undefined) return { ...textOnly(text), unfurl_links, unfurl_media: unfurl_links };
      return blocks(message, [...header(buttons.title), ...sections(text), choices(buttons)]);
    }
    case 'quick_reply':
      return blocks(message, [
        ...header(message.title),
        ...sections(message.text),
        buttonRow(message.quick_replies.map(({ title }) => ({ title, payload: title }))),
      ]);
    case 'image': {
      const caption = (message.text ?? '').trim() === '' ? [] : sections(message.text ?? '');
      const alt_text = shorten(lines(message.text) || (lastPathPart(message.mediaUrl) ?? 'image'), max.altText);
      return blocks(message, [...caption, { type: 'image', image_url: message.mediaUrl, alt_text }]);
    }
    case 'cta_url': {
      const { display_text, url } = message.parameters;
      const button = { type: 'button', action_id: 'url', text: plain(display_text), url };
      const footer = { type: 'context', elements: [mrkdwn(slackText(message.caption))] };
      return blocks(message, [...header(message.title), ...sections(message.text), { type: 'actions', elements: [button] }, footer]);
    }
    case 'audio':
    case 'video':
    case 'file':
    case 'sticker':
    case 'location':
    case 'contacts':
    case 'location_request':
    case 'contact_info_request':
    case 'voice_call':
      return textOnly(plainText(message));
    case 'flow':
    case 'carousel':
      throw unsupported(message.type, 'slack');
  }
}

const plain = (text: string): JsonObject => ({ type: 'plain_text', text });
const mrkdwn = (text: string): JsonObject => ({ type: 'mrkdwn', text });

const textOnly = (text: string): JsonObject => ({ text: slackText(requireText(text)) });

/** Blocks, and their text for clients that do not show them. */
function blocks(message: Message, list: readonly JsonObject[]): JsonObject {
  return { text: slackText(plainText(message)), blocks: [...list] };
}

/** A title; one that is too long for a header is bold text. */
function header(title: string | undefined): readonly JsonObject[] {
  if (title === undefined || title.trim() === '') return [];
  return isLonger(title, max.header, 'characters') ? sections(title) : [{ type: 'header', text: plain(title) }];
}

/** A text in as many sections as needed, since escaping lengthens it. No escape is cut in two. */
function sections(text: string): readonly JsonObject[] {
  const parts: string[] = [];
  let part: string[] = [];
  let length = 0;
  for (const character of text) {
    const mark = slackText(character);
    if (length + mark.length > max.section) {
      parts.push(part.join(''));
      [part, length] = [[], 0];
    }
    part.push(mark);
    length += mark.length;
  }
  return [...parts, part.join('')].filter((words) => words.trim() !== '').map((words) => ({ type: 'section', text: mrkdwn(words) }));
}

type Buttons = NonNullable<Extract<Message, { readonly type: 'text' }>['buttons']>;

/** Buttons, or a menu where an option has a description, which a button cannot show. */
function choices({ buttonText, options }: Buttons): JsonObject {
  if (options.every(({ description = '' }) => description.trim() === '')) return buttonRow(options);
  const menu = {
    type: 'static_select',
    action_id: 'options',
    placeholder: plain(buttonText.text),
    options: options.map(({ title, payload, description = '' }) => ({
      text: plain(title),
      value: encodePayload(payload, max.optionValue),
      ...(description.trim() !== '' && { description: plain(description) }),
    })),
  };
  return { type: 'actions', elements: [menu] };
}

/** The `action_id` of a button differs from those beside it. */
const buttonRow = (options: readonly { readonly title: string; readonly payload: string }[]): JsonObject => ({
  type: 'actions',
  elements: options.map(({ title, payload }, index) => ({
    type: 'button',
    action_id: `option-${index}`,
    text: plain(title),
    value: encodePayload(payload, max.buttonValue),
  })),
});
