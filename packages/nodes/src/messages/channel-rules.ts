import type { Channel } from '@hilo/engine/contract';
import { channelFacts, channelNames } from './channel.ts';
import { canvas, place, rest } from './dialect.ts';
import type { Message, StrictMessage } from './message.ts';
import { formProblems, providerProblems } from './provider-rules.ts';
import { isLonger, textLength } from './text.ts';

/** Something that a channel refuses: its place, and a sentence that says what to do. */
export interface MessageProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The problems of a message about to be sent by the rules of its channel (LIM-04, LIM-05, MSG-12, MSG-21 to MSG-25, MSG-41). */
export const messageProblems = (message: Message, channel: Channel): readonly MessageProblem[] =>
  findProblems(message, channel, rest.isDeferred);

/** The problems by the rules of the channel; of a message without any, those by the limits of its provider. */
export function problemsAtProvider(message: Message, channel: Channel): readonly MessageProblem[] {
  const ofRules = messageProblems(message, channel);
  return ofRules.length > 0 ? ofRules : [...formProblems(message, channel), ...providerProblems(message, channel, rest.isDeferred)];
}

/** Problems of a message in a canvas, before its expressions have values: texts with expressions are not checked. */
export interface AuthoredProblems {
  /** By the rules of the channel. */
  readonly ofRules: readonly MessageProblem[];
  /** By the limits of its provider, for a message that the rules accept. */
  readonly ofProvider: readonly MessageProblem[];
}

/** The problems of a message in a canvas on one channel. */
export function authoredMessageProblems(message: StrictMessage, channel: Channel): AuthoredProblems {
  const ofRules = findProblems(message, channel, canvas.isDeferred);
  const ofProvider = [...formProblems(message, channel), ...providerProblems(message, channel, canvas.isDeferred)];
  return { ofRules, ofProvider: ofRules.length > 0 ? [] : ofProvider };
}

/** Whether a channel accepts a message with only this text, so that {@link messageProblems} would report nothing. */
export function takesText(text: string, channel: Channel): boolean {
  const { refusedTypes, textLimit } = channelFacts[channel];
  return !refusedTypes.includes('text') && !isLonger(text, textLimit.max, textLimit.unit);
}

/** Whether a text gets its value later, so that it is not checked yet. */
type IsDeferred = (text: string) => boolean;

function findProblems(message: StrictMessage, channel: Channel, isDeferred: IsDeferred): readonly MessageProblem[] {
  return [
    ...checkType(message, channel),
    ...checkCaption(message, channel),
    ...checkTexts(message, channel, isDeferred),
    ...checkPostbacks(message, channel, isDeferred),
  ];
}

function checkType({ type }: StrictMessage, channel: Channel): readonly MessageProblem[] {
  if (!channelFacts[channel].refusedTypes.includes(type)) return [];
  return [{ path: ['type'], message: `Messages of type "${type}" cannot be sent on ${channelNames[channel]}: choose another type` }];
}

function checkCaption(message: StrictMessage, channel: Channel): readonly MessageProblem[] {
  if (channelFacts[channel].takesCaptions || !('mediaUrl' in message) || !('text' in message)) return [];
  if (message.text.trim() === '') return [];
  return [
    { path: ['text'], message: `Files have no caption on ${channelNames[channel]}: leave "text" out and send it as a message of its own` },
  ];
}

function checkTexts(message: StrictMessage, channel: Channel, isDeferred: IsDeferred): readonly MessageProblem[] {
  const { max, unit } = channelFacts[channel].textLimit;
  return listTexts(message)
    .filter(({ text }) => !isDeferred(text) && isLonger(text, max, unit))
    .map(({ path, text }) => ({
      path,
      message: `${place(path)} has ${textLength(text, unit)} ${unit}, and ${channelNames[channel]} takes ${max}: shorten it or send it in parts`,
    }));
}

type PlacedText = { readonly path: readonly (string | number)[]; readonly text: string };

const topTexts = ['text', 'title', 'caption', 'header'];

/** The texts that a user reads and that no rule limits by itself. */
function listTexts(message: StrictMessage): readonly PlacedText[] {
  const fields: { readonly [field: string]: unknown } = message;
  const texts: PlacedText[] = [];
  for (const field of topTexts) {
    const text = fields[field];
    if (typeof text === 'string') texts.push({ path: [field], text });
  }
  if (message.type === 'text' && message.buttons === undefined) return texts;
  if (message.type === 'text') return [...texts, ...placeText(['buttons', 'title'], message.buttons?.title)];
  if (message.type !== 'carousel') return texts;
  const { cards } = message.parameters;
  return [...texts, ...cards.flatMap(({ body }, index) => placeText(['parameters', 'cards', index, 'body', 'text'], body.text))];
}

const placeText = (path: PlacedText['path'], text: unknown): readonly PlacedText[] => (typeof text === 'string' ? [{ path, text }] : []);

function checkPostbacks(message: StrictMessage, channel: Channel, isDeferred: IsDeferred): readonly MessageProblem[] {
  const { postbackTitleMax: max = Number.POSITIVE_INFINITY } = channelFacts[channel];
  const options = message.type === 'text' ? (message.buttons?.options ?? []) : [];
  return options.flatMap(({ title }, index) => {
    const length = textLength(title, 'characters');
    if (isDeferred(title) || length <= max) return [];
    const path = ['buttons', 'options', index, 'title'];
    return [{ path, message: `${place(path)} has ${length} characters, and ${channelNames[channel]} shows ${max}: shorten it` }];
  });
}
