import type { JsonObject } from '@hilo/engine/contract';
import { channelLimits, lines, type Message, optionText, plainText } from '@hilo/nodes/effects';
import { DriverError } from '@hilo/drivers';
import type { ChannelMessage } from '../channel-adapter.ts';
import { lastPathPart, parseMessage, requireText, shorten, unsupported } from '../refusal.ts';

const max = channelLimits.teams;

/**
 * A message activity. Texts are sent as plain text, so that nothing of what an author wrote is read as a mark; buttons are
 * cards beside the text.
 *
 * @throws {DriverError} for what Teams would not take
 */
export function teamsMessage({ message }: Pick<ChannelMessage, 'message'>): JsonObject {
  const activity = { type: 'message', ...createContent(parseMessage('teams', message)) };
  const bytes = JSON.stringify(activity).length * 2;
  if (bytes <= max.activityBytes) return activity;
  throw new DriverError(
    'INVALID_REQUEST',
    `The message has ${bytes} bytes in UTF-16, and Teams takes ${max.activityBytes}: send it in parts`,
  );
}

function createContent(message: Message): JsonObject {
  switch (message.type) {
    case 'text':
      return message.buttons === undefined
        ? text(message.text)
        : options(lines(message.buttons.title, message.text), message.buttons.options);
    case 'quick_reply':
      return options(
        lines(message.title, message.text),
        message.quick_replies.map(({ title }) => ({ title, payload: title })),
      );
    case 'image':
      return { ...caption(message.text), attachments: [{ contentType: imageType(message.mediaUrl), contentUrl: message.mediaUrl }] };
    case 'audio':
    case 'video':
    case 'file':
    case 'sticker':
      return {
        ...('text' in message ? caption(message.text) : {}),
        ...linkCard('filename' in message ? message.filename : undefined, message.mediaUrl),
      };
    case 'location': {
      const { lat, long } = message.coordinates;
      return linkCard(`${lat}, ${long}`, plainText(message));
    }
    case 'cta_url': {
      const { display_text, url } = message.parameters;
      return { ...text(lines(message.title, message.text, message.caption)), ...linkCard(display_text, url) };
    }
    case 'contacts':
    case 'location_request':
    case 'contact_info_request':
    case 'voice_call':
      return text(plainText(message));
    case 'flow':
    case 'carousel':
      throw unsupported(message.type, 'teams');
  }
}

const text = (words: string): JsonObject => ({ text: requireText(words), textFormat: 'plain' });

const caption = (words: string | undefined): JsonObject => (lines(words) === '' ? {} : text(lines(words)));

const card = (kind: 'hero' | 'adaptive', content: JsonObject): JsonObject => ({
  attachments: [{ contentType: `application/vnd.microsoft.card.${kind}`, content }],
});

/** Teams shows no sound, film or map in a conversation: a button opens it. */
function linkCard(title: string | undefined, url: string): JsonObject {
  const name = lines(title) || (lastPathPart(url) ?? url);
  return card('hero', { buttons: [{ type: 'openUrl', title: shorten(name, max.linkButton), value: url }] });
}

interface Option {
  readonly title: string;
  readonly payload: string;
  readonly description?: string | undefined;
}

/** Up to six options without a description are the buttons of a hero card; more, or described ones, an adaptive card. */
function options(words: string, list: readonly Option[]): JsonObject {
  const isDescribed = list.some(({ description = '' }) => description.trim() !== '');
  if (!isDescribed && list.length <= max.heroButtons)
    return { ...text(words), ...card('hero', { buttons: list.map((option) => ({ ...pressed(option), title: option.title })) }) };
  const described = isDescribed ? list.map((option) => ({ type: 'TextBlock', text: optionText(option), wrap: true })) : [];
  const rows = Array.from({ length: Math.ceil(list.length / max.heroButtons) }, (_, index) =>
    list.slice(index * max.heroButtons, (index + 1) * max.heroButtons),
  );
  const actions = rows.map((row) => ({
    type: 'ActionSet',
    actions: row.map((option) => ({ type: 'Action.Submit', title: option.title, data: { msteams: pressed(option) } })),
  }));
  return { ...text(words), ...card('adaptive', { type: 'AdaptiveCard', version: '1.5', body: [...described, ...actions] }) };
}

/** What a pressed button sends: its title for the conversation, its payload for us. */
const pressed = ({
  title,
  payload,
}: Option): { readonly type: string; readonly text: string; readonly displayText: string; readonly value: JsonObject } => ({
  type: 'messageBack',
  text: title,
  displayText: title,
  value: { payload },
});

const imageTypes: { readonly [extension: string]: string } = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif' };

/** By the file extension of the URL; Teams inspects the file itself when that is unknown. */
const imageType = (url: string): string =>
  imageTypes[/\.([a-z]+)$/i.exec(URL.parse(url)?.pathname ?? '')?.[1]?.toLowerCase() ?? ''] ?? 'image/*';
