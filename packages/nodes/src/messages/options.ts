import type { Channel } from '@hilo/engine/contract';
import { channelFacts } from './channel.ts';
import { leadingNumber, readLineNumber } from './digits.ts';
import { foldLetters, foldText, lookedAt } from './folded-text.ts';
import type { InboundMessage } from './inbound-message.ts';
import type { StrictMessage } from './message.ts';
import { readYesOrNo, withoutCourtesies } from './yes-or-no.ts';

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
 * What a reply chooses: the option with its payload, else the one with its text as title, see {@link findTitle}. Where the channel shows
 * options as numbered lines, a number that is no title chooses by place, from 1; elsewhere by the number that a title begins with.
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
  return findTitle(options, text) ?? findNumber(options, text, channel !== undefined && channelFacts[channel].numbersOptions === true);
}

/**
 * The option whose title a text is: letter by letter or, failing that, case, accents and what is not displayed aside or, failing that, also
 * signs, emoji and courtesies around it aside, where that is one option only. Of a yes and a no, also the one that the text means.
 */
export function findTitle<Option extends Pick<MessageOption, 'title'>>(options: readonly Option[], text: string): Option | undefined {
  if (options.length === 0 || text.length > lookedAt) return undefined;
  const same = options.find(({ title }) => title === text);
  if (same !== undefined) return same;
  const [letters, folded] = [foldLetters(text), foldText(text)];
  if (folded === '') return undefined;
  const [meant, another] = options.filter(({ title }) => foldText(title) === folded);
  const written = options.find(({ title }) => foldLetters(title) === letters);
  if (written !== undefined || meant !== undefined) return written ?? (another === undefined ? meant : undefined);
  const plain = withoutCourtesies(text);
  return findOnly(options, ({ title }) => foldText(title) === plain) ?? findYesOrNo(options, text);
}

function findOnly<Item>(items: readonly Item[], isMeant: (item: Item) => boolean): Item | undefined {
  const [meant, another] = items.filter(isMeant);
  return another === undefined ? meant : undefined;
}

/** Among options of which one says yes and one says no, the one that a text means: "claro" chooses "Sí". */
function findYesOrNo<Option extends Pick<MessageOption, 'title'>>(options: readonly Option[], text: string): Option | undefined {
  const answer = readYesOrNo(text);
  const [same, opposite] = [answer, answer === undefined ? undefined : !answer].map((wanted) =>
    wanted === undefined ? undefined : findOnly(options, ({ title }) => readYesOrNo(title) === wanted),
  );
  return opposite === undefined ? undefined : same;
}

/** The option whose number a text is: by its place where the lines were shown with numbers, else by the number its title begins with. */
export function findNumber<Option extends Pick<MessageOption, 'title'>>(
  options: readonly Option[],
  text: string,
  isNumbered: boolean,
): Option | undefined {
  const number = text.length > lookedAt ? undefined : readLineNumber(text);
  if (number === undefined) return undefined;
  const shown = isNumbered ? options[number - 1] : undefined;
  return shown ?? options.find(({ title }) => leadingNumber(title) === number);
}
