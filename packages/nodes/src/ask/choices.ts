import { HiloError, isJsonObject, type Channel, type Json, type JsonTemplate, type Variables } from '@hilo/engine/contract';
import { z } from 'zod';
import { checkMessage, type RenderedMessage } from '../message-config.ts';
import { problemsAtProvider } from '../messages/channel-rules.ts';
import { foldLetters } from '../messages/folded-text.ts';
import { findNumber, findTitle } from '../messages/options.ts';
import type { InboundMessage } from '../messages/inbound-message.ts';

/** An option that is computed when the question is asked. */
export interface Choice {
  readonly title: string;
  /** The stored value when it is chosen. */
  readonly payload: string;
  readonly description?: string;
}

/** More options than a person reads through. */
const maxChoices = 50;

const ChoiceValue = z.union([
  z.string().trim().min(1),
  z.number().transform(String),
  z.object({
    title: z.string().trim().min(1),
    payload: z.union([z.string(), z.number().transform(String)]).optional(),
    description: z.string().optional(),
  }),
]);

/**
 * The options that an expression comes to: a list of texts or of `{ title, payload?, description? }`.
 *
 * @throws {HiloError} `INVALID_OPTIONS` for anything else, for none, for more than 50, and for two that are the same
 */
export function readChoices(template: JsonTemplate, variables: Variables): readonly Choice[] {
  const value = template(variables);
  const parsed = z.array(ChoiceValue).safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
    throw new HiloError('INVALID_OPTIONS', {
      reason: `The options must be a list of texts or of { title, payload }${place}, not ${kindOf(value)}`,
    });
  }
  const choices = parsed.data.map((one): Choice => {
    if (typeof one === 'string') return { title: one, payload: one };
    const { title, payload = title, description } = one;
    return { title, payload, ...(description !== undefined && description.trim() !== '' && { description }) };
  });
  if (choices.length === 0) throw new HiloError('INVALID_OPTIONS', { reason: 'There are no options to choose from: the list is empty' });
  if (choices.length > maxChoices)
    throw new HiloError('INVALID_OPTIONS', { reason: `There are ${choices.length} options; at most ${maxChoices} can be offered` });
  for (const [name, keys] of [
    ['title', choices.map(({ title }) => foldLetters(title))],
    ['payload', choices.map(({ payload }) => payload)],
  ] as const)
    if (new Set(keys).size < keys.length) throw new HiloError('INVALID_OPTIONS', { reason: `Two options have the same ${name}` });
  return choices;
}

const kindOf = (value: Json): string =>
  Array.isArray(value) ? 'this list' : value === null ? 'null' : isJsonObject(value) ? 'an object' : `a ${typeof value}`;

/**
 * The question with its options, drawn as the channel can: as buttons where there are few and short ones, else as a list, else as
 * numbered lines of text.
 */
export function withChoices(question: RenderedMessage, choices: readonly Choice[], channel: Channel | undefined): RenderedMessage {
  if (question.kind === 'invalid') return question;
  const { message } = question;
  if (message.type !== 'text' || message.buttons !== undefined)
    return { kind: 'invalid', problems: [{ path: ['type'], message: 'A question with options of its own is a text without buttons' }] };
  const { text } = message;
  const isPlain = choices.every(({ title, payload, description }) => title === payload && description === undefined);
  const drawings: Json[] = [
    ...(isPlain ? [{ type: 'quick_reply', text, quick_replies: choices.map(({ title }) => ({ title })) }] : []),
    { ...message, buttons: { options: choices.map((choice) => ({ ...choice })) } },
  ];
  for (const drawing of drawings) {
    const drawn = checkMessage(drawing, channel);
    if (drawn.kind === 'message' && (channel === undefined || problemsAtProvider(drawn.message, channel).length === 0)) return drawn;
  }
  return checkMessage({ type: 'text', text: numberChoices(text, choices) }, channel);
}

/** A text with choices as numbered lines below it. */
export const numberChoices = (text: string, choices: readonly Choice[]): string =>
  [
    text,
    ...choices.map(({ title, description }, index) => `${index + 1}. ${title}${description === undefined ? '' : `: ${description}`}`),
  ].join('\n');

/**
 * The option that a reply chooses: by the payload of a press, its title, its number, or its payload in writing, in this order: what was
 * shown counts before what nobody saw.
 *
 * @param isNumbered - whether the options were shown as numbered lines
 */
export function findChoice(
  { text = '', payload }: Pick<Partial<InboundMessage>, 'text' | 'payload'>,
  choices: readonly Choice[],
  isNumbered: boolean,
): Choice | undefined {
  return (
    choices.find((choice) => choice.payload === payload) ??
    choices.find(({ title }) => title === payload) ??
    findTitle(choices, text) ??
    findNumber(choices, text, isNumbered) ??
    findNumber(choices, text, true) ??
    choices.find((choice) => choice.payload === text) ??
    findTitle(
      choices.map((choice) => ({ title: choice.payload, choice })),
      text,
      false,
    )?.choice
  );
}
