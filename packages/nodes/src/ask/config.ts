// The data of the node `ask`, and its ports.
import { isTemplate, type Path, Template, TimedDuration, VariablePath } from '@hilo/engine/contract';
import { z } from 'zod';
import { MessageTemplate } from '../message-config.ts';
import { ReadPath } from '../read-path.ts';
import type { StrictMessage } from '../messages/message.ts';
import { type MessageOption, optionsOf } from '../messages/options.ts';
import { type Expected, Input } from './input.ts';

export const AskConfig = z
  .strictObject({
    message: MessageTemplate.meta({ description: 'The question' }),
    input: Input.optional().meta({
      description: 'The kind of answer to accept; without it, the answer is one of the options of the message, or the fields of its form',
    }),
    saveAs: VariablePath.optional().meta({
      description:
        'Where the answer is kept: the payload of an option, or its title where it has none; a text; a number; a date as 2026-12-01; a time as 15:30; lat and long of a place; a list of contacts; of a file its type, mediaUrl and text; of a form its fields; of an order its items, currency, total and note',
    }),
    attempts: z
      .int()
      .min(1)
      .max(10)
      .default(3)
      .meta({ description: 'With "input" or a form, how many replies are checked before the node leaves by "invalid"' }),
    invalidMessage: Template.refine(({ source }) => source.trim() !== '', { error: 'Say something, or leave it out' })
      .optional()
      .meta({
        description: 'The text after a reply that is not a valid answer; the question again, when left out',
        examples: ['A number, please, such as 4.'],
      }),
    timeout: TimedDuration.optional().meta({ description: 'How long to wait for each reply before the node leaves by "timeout"' }),
    skipIfSet: z
      .union([z.boolean(), ReadPath])
      .default(false)
      .meta({ description: 'Skips the question when the answer exists already: at "saveAs" (true), or at the given path' }),
  })
  .superRefine(({ message, input, saveAs, skipIfSet }, context) => {
    const { authored } = message;
    const isChosen = expectedAnswer({ message, input }) === undefined;
    const problems = isChosen ? optionProblems(authored) : messageProblems(authored, input);
    for (const { at, message } of problems) context.addIssue({ code: 'custom', path: [...at], message });
    if (skipIfSet === true && saveAs === undefined)
      context.addIssue({ code: 'custom', path: ['saveAs'], message: '"skipIfSet" looks at the place "saveAs" names: name one' });
  });
export type AskConfig = z.output<typeof AskConfig>;

/** The kind of answer that replies are checked for: `input`, or the form that the message opens; `undefined` where an option is chosen. */
export const expectedAnswer = ({ message: { authored }, input }: Pick<AskConfig, 'message' | 'input'>): Expected | undefined =>
  input ?? (authored?.type === 'flow' ? { kind: 'form' } : undefined);

/** The ports that are the same for every question. No option may be called like one of them. */
const fixedPorts = ['answered', 'other', 'invalid', 'timeout', 'windowClosed', 'error'] as const;

/** The longest port that an edge can name. */
const portMax = 256;

/** What keeps the options of a question from being ports. */
function optionProblems(authored: StrictMessage | undefined): readonly { readonly at: Path; readonly message: string }[] {
  if (authored === undefined) {
    return [
      {
        at: ['message'],
        message: 'The options come from an expression, so there are no ports to connect: write them out, or choose an "input"',
      },
    ];
  }
  const options = optionsOf(authored);
  if (options.length === 0)
    return [{ at: ['input'], message: 'The message has no options to choose from: add quick_replies or buttons, or choose an "input"' }];
  return options.flatMap(({ port }, index) => {
    const problem = portProblem(port, authored.type === 'quick_reply' ? 'title' : 'payload');
    const list = authored.type === 'quick_reply' ? ['quick_replies'] : ['buttons', 'options'];
    return problem === undefined ? [] : [{ at: ['message', ...list, index], message: problem }];
  });
}

/** What keeps a message from asking for this kind of answer. */
function messageProblems(authored: StrictMessage | undefined, input: Input | undefined): ReturnType<typeof plainTextProblems> {
  if (input?.kind === 'option') return plainTextProblems(authored);
  const isForm = authored === undefined || authored.type === 'flow' || authored.type === 'text';
  if (input?.kind !== 'form' || isForm) return [];
  const message = 'A form is asked for with a message of the type "flow", or "text", by which each field is asked for in turn';
  return [{ at: ['message', 'type'], message }];
}

/** A question with computed options is a text: the options are appended to it. */
function plainTextProblems(authored: StrictMessage | undefined): readonly { readonly at: Path; readonly message: string }[] {
  if (authored === undefined || (authored.type === 'text' && authored.buttons === undefined)) return [];
  return [{ at: ['message', 'type'], message: 'The options come from "input": ask with a message of the type text, without buttons' }];
}

/** @param field - the field of the option that the port is named by */
function portProblem(port: string, field: 'title' | 'payload'): string | undefined {
  if (isTemplate(port))
    return `The port of this option would be "${port}", which is known only when the flow runs: give it a ${field} without an expression`;
  if (fixedPorts.some((name) => name === port))
    return `An option cannot be called "${port}": the question has a port of that name already. Give it another ${field}`;
  return port.length > portMax
    ? `The port of this option would be longer than ${portMax} characters: give it a shorter ${field}`
    : undefined;
}

/** The options that are ports: with `input` an option is but a proposal. */
export const portOptions = ({ input, message: { authored } }: AskConfig): readonly MessageOption[] =>
  input === undefined && authored !== undefined ? optionsOf(authored) : [];
