import type { Channel } from '@hilo/engine/contract';
import { foldText } from './text.ts';
import { channelFacts } from './channel.ts';
import type { InboundMessage } from './inbound-message.ts';
import type { StrictMessage } from './message.ts';

/** Something a user can choose from a message. */
export interface MessageOption {
  /** The port of an `ask` node for this choice. */
  readonly port: string;
  readonly title: string;
  readonly payload: string;
}

/** The options of a message, in order: its quick replies or buttons. A missing payload is the title (MSG-18). */
export function optionsOf(message: StrictMessage): readonly MessageOption[] {
  if (message.type === 'quick_reply') return message.quick_replies.map(({ title }) => ({ port: title, title, payload: title }));
  if (message.type !== 'text') return [];
  return (message.buttons?.options ?? []).map(({ title, payload }) => ({ port: payload, title, payload }));
}

/**
 * What a reply chooses: the option with its payload, else the one with its text as title, letter by letter or, failing
 * that, case, surrounding blanks and accents aside. Where the channel shows options as numbered lines, a number that is no title
 * chooses by place, from 1.
 */
export function chosenOption(
  message: StrictMessage,
  reply: Pick<InboundMessage, 'text' | 'payload'>,
  channel?: Channel,
): MessageOption | undefined {
  const options = optionsOf(message);
  const { text, payload } = reply;
  const byPayload = options.find((option) => option.payload === payload);
  if (byPayload !== undefined || text === undefined) return byPayload;
  const byTitle = options.find(({ title }) => title === text) ?? options.find(({ title }) => foldText(title) === foldText(text));
  if (byTitle !== undefined || channel === undefined || channelFacts[channel].numbersOptions !== true) return byTitle;
  const [, number] = /^\s*(\d{1,2})[.)]?\s*$/.exec(text) ?? [];
  return number === undefined ? undefined : options[Number(number) - 1];
}
