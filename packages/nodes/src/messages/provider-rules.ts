// What providers refuse beyond the rules of the specification: lengths of parts of a message, and forms that they do not have.
import type { Channel } from '@hilo/engine/contract';
import { channelNames } from './channel.ts';
import { channelLimits } from './channel-limits.ts';
import { place } from './dialect.ts';
import type { StrictMessage } from './message.ts';
import { lines, optionText, plainText } from './plain-text.ts';
import { isLonger, type TextUnit, textLength } from './text.ts';

type Path = readonly (string | number)[];

/** A part of a message, and a provider's limit on it. */
interface Part {
  readonly path: Path;
  /** The measured text, when it differs from the part itself. */
  readonly what?: string;
  /** The place that joined texts are reported at. */
  readonly texts: readonly (string | undefined)[];
  readonly max: number;
  readonly unit?: TextUnit;
}

interface Problem {
  readonly path: Path;
  readonly message: string;
}

/** Whether a text gets its value later, so that it is not checked yet. */
type IsDeferred = (text: string) => boolean;

/** The problems of a message by the limits of its provider. */
export function providerProblems(message: StrictMessage, channel: Channel, isDeferred: IsDeferred): readonly Problem[] {
  const tooLong = partsFor(message, channel).flatMap(({ path, what = place(path), texts, max, unit = 'characters' }) => {
    const isKnown = texts.every((text) => text === undefined || !isDeferred(text));
    const text = isKnown ? lines(...texts) : '';
    return isLonger(text, max, unit) ? [{ path, message: describeLength(what, textLength(text, unit), unit, channel, max) }] : [];
  });
  return [...(channel === 'whatsapp' ? whatsappProblems(message, isDeferred) : []), ...tooLong];
}

/** An emoji by itself, or a character that is to be drawn as one. */
const emoji = /\p{Emoji_Presentation}|\ufe0f/u;

/** What WhatsApp refuses and is no length: too many cards, and an emoji on the button of a form. */
function whatsappProblems(message: StrictMessage, isDeferred: IsDeferred): readonly Problem[] {
  if (message.type === 'contacts') {
    const [count, max] = [message.contacts.length, channelLimits.whatsapp.contacts];
    return count <= max ? [] : [{ path: ['contacts'], message: describeLength('"contacts"', count, 'cards', 'whatsapp', max) }];
  }
  const { flow_cta: label = '' } = message.type === 'flow' ? message.parameters : {};
  if (isDeferred(label) || !emoji.test(label)) return [];
  const path = ['parameters', 'flow_cta'];
  return [{ path, message: `${place(path)} has an emoji, and WhatsApp takes none on the button of a form: leave it out` }];
}

/** The channels that carry a form of fields; elsewhere its fields are asked for one by one. */
export const drawsForms = (channel: Channel | undefined): boolean => channel === undefined || channel === 'whatsapp' || channel === 'web';

/** The problem of a form on a channel whose provider has none. */
export const formProblems = ({ type }: Pick<StrictMessage, 'type'>, channel: Channel): readonly Problem[] =>
  type === 'flow' && !['whatsapp', 'web', 'custom'].includes(channel)
    ? [{ path: ['type'], message: `Messages of type "flow" cannot be sent on ${channelNames[channel]}: choose another type` }]
    : [];

const describeLength = (what: string, length: number, unit: string, channel: Channel, max: number): string =>
  `${what} has ${length} ${unit}, and ${channelNames[channel]} takes ${max}: shorten it or send it in parts`;

function partsFor(message: StrictMessage, channel: Channel): readonly Part[] {
  switch (channel) {
    case 'whatsapp':
      return whatsappParts(message);
    case 'facebook':
    case 'instagram':
      return pageParts(message, channel);
    case 'slack':
      return slackParts(message);
    case 'teams':
      return teamsParts(message);
    case 'twitter':
      return [asText(message, channelLimits.twitter.text)];
    case 'web':
    case 'custom':
      return [];
  }
}

const part = (path: Path, text: string | undefined, max: number): Part => ({ path, texts: [text], max });

/** A message that is sent as one text, with its buttons, places and cards in words. */
const asText = (message: StrictMessage, max: number, unit: TextUnit = 'characters'): Part => ({
  path: ['text' in message ? 'text' : 'type'],
  what: 'The text, with what stands for the rest of the message,',
  texts: [plainText(message)],
  max,
  unit,
});

function whatsappParts(message: StrictMessage): readonly Part[] {
  const max = channelLimits.whatsapp;
  switch (message.type) {
    case 'text':
      if (message.buttons === undefined) return [];
      return [
        part(['buttons', 'title'], message.buttons.title, max.header),
        ...(fitsReplyButtons(message.text, message.buttons.options)
          ? []
          : [part(['buttons', 'buttonText', 'text'], message.buttons.buttonText.text, max.listButton)]),
      ];
    case 'image':
    case 'video':
    case 'file':
      return [part(['mediaUrl'], message.mediaUrl, max.address), part(['text'], message.text, max.caption)];
    case 'audio':
    case 'sticker':
      return [part(['mediaUrl'], message.mediaUrl, max.address)];
    case 'quick_reply':
    case 'location_request':
    case 'contact_info_request':
      return [part(['text'], message.text, max.body)];
    case 'cta_url':
      return [
        part(['title'], message.title, max.header),
        part(['text'], message.text, max.body),
        part(['caption'], message.caption, max.footer),
        part(['parameters', 'display_text'], message.parameters.display_text, max.linkButton),
        part(['parameters', 'url'], message.parameters.url, max.address),
      ];
    case 'voice_call':
      return [
        part(['header'], message.header, max.header),
        part(['text'], message.text, max.body),
        part(['parameters', 'display_text'], message.parameters.display_text, max.linkButton),
      ];
    case 'flow':
      return [
        part(['title'], message.title, max.header),
        part(['text'], message.text, max.body),
        part(['caption'], message.caption, max.footer),
        part(['parameters', 'flow_cta'], message.parameters.flow_cta, max.formButton),
      ];
    default:
      return [];
  }
}

interface Option {
  readonly title: string;
  readonly description?: string | undefined;
}

/** Whether WhatsApp shows options as reply buttons; others are a list. */
export function fitsReplyButtons(text: string, options: readonly Option[]): boolean {
  const max = channelLimits.whatsapp;
  return (
    options.length <= max.buttons &&
    options.every(({ title, description = '' }) => description.trim() === '' && !isLonger(title, max.buttonTitle, 'characters')) &&
    new Set(options.map(({ title }) => title)).size === options.length &&
    !isLonger(text, max.body, 'characters')
  );
}

/** Whether Messenger and Instagram show options as buttons below a text; others are quick replies. */
export function fitsPageButtons(words: string, options: readonly Option[]): boolean {
  const { buttons, template } = channelLimits.facebook;
  const isDescribed = options.some(({ description = '' }) => description.trim() !== '');
  return !isDescribed && options.length <= buttons && !isLonger(words, template, 'characters');
}

/** The text above quick replies, which show no descriptions themselves. */
export const quickReplyText = (words: string, options: readonly Option[]): string =>
  options.some(({ description = '' }) => description.trim() !== '') ? lines(words, options.map(optionText).join('\n')) : words;

function pageParts(message: StrictMessage, channel: 'facebook' | 'instagram'): readonly Part[] {
  const max = channelLimits[channel];
  const unit = channel === 'instagram' ? 'bytes' : 'characters';
  switch (message.type) {
    case 'text': {
      if (message.buttons === undefined) return [];
      const { title, options } = message.buttons;
      const words = lines(title, message.text);
      const what = 'The text, with the title and the descriptions of options,';
      return fitsPageButtons(words, options)
        ? []
        : [{ path: ['text'], what, texts: [quickReplyText(words, options)], max: max.text, unit }];
    }
    case 'quick_reply':
      return [{ path: ['text'], what: 'The text, with the title,', texts: [message.title, message.text], max: max.text, unit }];
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
    case 'sticker':
      return [part(['mediaUrl'], message.mediaUrl, max.address)];
    case 'cta_url': {
      const { display_text, url } = message.parameters;
      return [
        {
          path: ['text'],
          what: 'The text, with title and caption,',
          texts: [message.title, message.text, message.caption],
          max: max.template,
        },
        part(['parameters', 'display_text'], display_text, max.buttonTitle),
        part(['parameters', 'url'], url, max.address),
      ];
    }
    case 'contacts':
    case 'voice_call':
      return [asText(message, max.text, unit)];
    default:
      return [];
  }
}

/** Slack interprets `&`, `<` and `>`, and counts their escapes. */
export const slackText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function slackParts(message: StrictMessage): readonly Part[] {
  const max = channelLimits.slack;
  const escaped = (texts: Pick<Part, 'path' | 'texts'>, limit: number): Part => ({
    ...texts,
    what: `${place(texts.path)}, with &, < and > as Slack spells them,`,
    texts: texts.texts.map((text) => (text === undefined ? undefined : slackText(text))),
    max: limit,
  });
  const all = (limit: number): Part => escaped({ path: ['text' in message ? 'text' : 'type'], texts: [plainText(message)] }, limit);
  switch (message.type) {
    case 'text': {
      if (message.buttons === undefined) return [all(max.textAlone)];
      const { options, buttonText } = message.buttons;
      const isMenu = options.some(({ description = '' }) => description.trim() !== '');
      return [all(max.allBlocks), ...(isMenu ? [part(['buttons', 'buttonText', 'text'], buttonText.text, max.listButton)] : [])];
    }
    case 'quick_reply':
    case 'image':
      return [all(max.allBlocks)];
    case 'cta_url':
      return [
        all(max.allBlocks),
        escaped({ path: ['caption'], texts: [message.caption] }, max.section),
        part(['parameters', 'display_text'], message.parameters.display_text, max.buttonTitle),
      ];
    default:
      return [all(max.textAlone)];
  }
}

function teamsParts(message: StrictMessage): readonly Part[] {
  const max = channelLimits.teams;
  switch (message.type) {
    case 'cta_url':
      return [part(['parameters', 'display_text'], message.parameters.display_text, max.linkButton)];
    case 'file':
      return [part(['filename'], message.filename, max.linkButton)];
    case 'contacts':
      return [asText(message, max.joined)];
    default:
      return [];
  }
}
