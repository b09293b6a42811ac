import { foldedText } from '../folded-text.ts';
import type { InboundMessage } from './inbound-message.ts';
import type { StrictMessage } from './message.ts';

/** Something a user can choose from a message. */
export interface MessageOption {
  /** The way out of an `ask` node that this choice takes. */
  readonly port: string;
  readonly title: string;
  readonly payload: string;
}

/** The options of a message, as they stand in it: of quick replies and of buttons. A payload left out is the title (MSG-18). */
export function optionsOf(message: StrictMessage): readonly MessageOption[] {
  if (message.type === 'quick_reply') return message.quick_replies.map(({ title }) => ({ port: title, title, payload: title }));
  if (message.type !== 'text') return [];
  return (message.buttons?.options ?? []).map(({ title, payload }) => ({ port: payload, title, payload }));
}

/**
 * What a reply chooses: the option with its payload, else the one with its text as title, letter by letter or, failing
 * that, case, surrounding blanks and accents aside.
 */
export function chosenOption(message: StrictMessage, reply: Pick<InboundMessage, 'text' | 'payload'>): MessageOption | undefined {
  const options = optionsOf(message);
  const { text, payload } = reply;
  const byPayload = options.find((option) => option.payload === payload);
  if (byPayload !== undefined || text === undefined) return byPayload;
  return options.find(({ title }) => title === text) ?? options.find(({ title }) => foldedText(title) === foldedText(text));
}
