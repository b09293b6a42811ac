/** A question for several values: as a form of the channel, or field by field where the channel has none. */
import { type Channel, type ConfigProblem, Json, JsonObject, leave, type Outcome, type Variables } from '@hilo/engine/contract';
import type { FieldProblem } from '../fields/check-fields.ts';
import type { Field } from '../fields/field.ts';
import { findLocale } from '../fields/reading/clean.ts';
import { findTextProblem, readField, readFields } from '../fields/read-fields.ts';
import { english, type FormWords, formWords } from '../fields/form-words.ts';
import { checkMessage, type MessageTemplate, messageChecks, type RenderedMessage, textChecks } from '../message-config.ts';
import { invalidMessage, sendThen } from '../message-sending.ts';
import type { Message } from '../messages/message.ts';
import { foldText } from '../messages/folded-text.ts';
import { plainText } from '../messages/plain-text.ts';
import { drawsForms, formProblems } from '../messages/provider-rules.ts';
import { isLonger } from '../messages/text.ts';
import { awaitReply, createWrites, type Received, renderInvalidMessage, type Reply, type Visit } from './awaiting.ts';
import { type Choice, findChoice, numberChoices, withChoices } from './choices.ts';
import { type FormInput, maxFormBytes } from './form-input.ts';
import { findWritten, textOf } from './sent-words.ts';

type FormMessage = Extract<Message, { readonly type: 'flow' }>;

/** Asks for the fields of a form. A message that opens a form is sent as one where the channel draws it; every other way asks in turn. */
export function askForm(visit: Visit, input: FormInput): Outcome<string> {
  const { config, variables, channel } = visit;
  const rendered = config.message(variables, channel);
  if (rendered.kind === 'invalid') return invalidMessage(rendered);
  const { message } = rendered;
  if (message.type === 'flow') {
    const problems = channel === undefined ? [] : formProblems(message, channel);
    const isRefused = input.fallback === 'refuse' && problems.length > 0;
    if (isRefused) return invalidMessage({ kind: 'invalid', problems });
    if (drawsForms(channel) || input.fallback === 'refuse')
      return offerForm({ visit, input, message }, { attemptsLeft: config.attempts, tokens: [], problems: [] });
  }
  return sendThen(checkMessage({ type: 'text', text: plainText(message) }, channel), () => askField(visit, input, 0, {}));
}

/** A form that a channel draws. */
interface Form {
  readonly visit: Visit;
  readonly input: FormInput;
  readonly message: FormMessage;
}

interface Offer {
  readonly attemptsLeft: number;
  /** The ids of the messages that offered the form: a form that comes back carries one of them. */
  readonly tokens: readonly string[];
  /** What was wrong with the form before. */
  readonly problems: readonly FieldProblem[];
  /** What is said in place of the text of the message. */
  readonly text?: string;
}

/** Sends the form and waits until it comes back. */
function offerForm(form: Form, offer: Offer): Outcome<string> {
  const { input, message, visit } = form;
  const { parameters, text } = message;
  const { exchange } = input;
  const context = exchange?.context?.(visit.variables);
  const rendered = checkMessage(
    Json.parse({
      ...message,
      text: offer.text ?? text,
      parameters: {
        ...parameters,
        form: {
          fields: input.fields,
          submit: parameters.flow_cta ?? formWords(findLocale(visit.variables)).send,
          ...(offer.problems.length > 0 && { problems: offer.problems }),
        },
        ...(exchange !== undefined &&
          visit.channel !== 'web' && { exchange: { workflowId: exchange.workflowId, ...(context !== undefined && { context }) } }),
      },
    }),
    visit.channel,
  );
  return sendThen(rendered, (_, messageId) => awaitForm(form, { ...offer, tokens: [...offer.tokens, messageId] }));
}

function awaitForm(form: Form, offer: Offer): Outcome<string> {
  const { visit, input } = form;
  const { config } = visit;
  return awaitReply(visit, (received): Outcome<string> => {
    const judged = judgeForm(input, received, offer.tokens);
    switch (judged.kind) {
      case 'older':
        return awaitForm(form, offer);
      case 'valid':
        return leave('answered', createWrites(judged.values, config));
      case 'invalid': {
        const { problems } = judged;
        if (offer.attemptsLeft <= 1) return leaveInvalid(visit, problems);
        // A failure says it in English, and the person is told in theirs.
        const again = judgeForm(input, received, offer.tokens, formWords(findLocale(visit.variables)));
        const said = again.kind === 'invalid' ? again.problems : problems;
        const text = renderInvalidMessage(visit, received.message) ?? said[0]?.message ?? '';
        return offerForm(form, { ...offer, attemptsLeft: offer.attemptsLeft - 1, problems: said, text });
      }
    }
  });
}

type Judged =
  | { readonly kind: 'valid'; readonly values: JsonObject }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** A form that another question offered: it says nothing about this one. */
  | { readonly kind: 'older' };

/** @param words - in which it is said what is wrong */
function judgeForm({ fields }: FormInput, { reply }: Received, tokens: readonly string[], words: FormWords = english): Judged {
  const { data: response } = JsonObject.safeParse(reply.type === 'flow' ? reply.response : undefined);
  const token = response?.['flow_token'];
  if (token !== undefined && !(typeof token === 'string' && tokens.includes(token))) return { kind: 'older' };
  if (response !== undefined && isLonger(JSON.stringify(response), maxFormBytes, 'bytes'))
    return { kind: 'invalid', problems: [{ field: '', message: words.tooMuch }] };
  const read = readFields(fields, response ?? {}, words);
  if (read.kind === 'invalid' || response !== undefined) return read;
  return { kind: 'invalid', problems: [{ field: '', message: words.fillIn }] };
}

/** The last reply was no answer either. */
function leaveInvalid({ config: { attempts } }: Visit, problems: readonly FieldProblem[]): Outcome<string> {
  const failure = {
    cause: 'INVALID_ANSWER',
    message: `None of ${attempts} replies was an answer of the kind "form": ${problems[0]?.message ?? ''}`,
    details: { fields: problems.map(({ field, message }) => ({ field, message })) },
  };
  return leave('invalid', [], { failure });
}

/** Asks for a field, and then for the next; leaves with the values after the last. */
function askField(visit: Visit, input: FormInput, index: number, values: JsonObject): Outcome<string> {
  const [name, field] = Object.entries(input.fields)[index] ?? [];
  if (name === undefined || field === undefined) return leaveWithValues(visit, input, values);
  const choices = choicesOf(field);
  const ask = (text: string, attemptsLeft: number): Outcome<string> =>
    sendThen(drawField(text, field, choices, visit.channel), (question) =>
      awaitReply(visit, ({ reply, message, atMs }): Outcome<string> => {
        const text = textOf(reply);
        if (!field.required && isSkip(text, field)) return askField(visit, input, index + 1, values);
        const isNumbered = question.type === 'text' && question.buttons === undefined;
        const chosen = choices === undefined ? undefined : findChoice(reply, choices, isNumbered)?.payload;
        const value = chosen ?? findField(field, reply, visit.variables, atMs);
        if (value !== undefined) return askField(visit, input, index + 1, { ...values, [name]: value });
        const whyNot = (words: FormWords): string =>
          `"${field.label ?? name}" ${findTextProblem(field, text, visit.variables, atMs, words) ?? words.notUnderstood}.`;
        if (attemptsLeft <= 1) return leaveInvalid(visit, [{ field: name, message: whyNot(english) }]);
        return ask(renderInvalidMessage(visit, message) ?? whyNot(formWords(findLocale(visit.variables))), attemptsLeft - 1);
      }),
    );
  return ask(questionOf(name, field, findLocale(visit.variables)), visit.config.attempts);
}

/** What a user writes to leave out a field that may be left out. */
const skipMark = '-';

/** What people write for it: another dash, a word that says so or, where it can be no value, that there is none. */
const skips = /^(?:-{1,3}|skip|omit|omitir|saltar|pular|n\/?a)$/;
const nothings = /^(?:no|none|nothing|nada|ningun[oa]?|nenhuma?|no tengo|nao tenho|i (?:don't|dont) have(?: one| any)?|no hay|x)$/;

function isSkip(text: string, field: Field): boolean {
  const said = foldText(text);
  return skips.test(said) || (field.type !== 'text' && field.type !== 'boolean' && field.type !== 'option' && nothings.test(said));
}

/** The value of a field in a reply: as it is written, or in the card or the pin that was sent in place of writing it. */
function findField(field: Field, reply: Reply, variables: Variables, atMs: number): Json | undefined {
  const read = (text: string): Json | undefined => readField(field, text, variables, atMs);
  if (field.type === 'text') return read(textOf(reply));
  return field.type === 'phone' || field.type === 'email' ? findWritten(reply, field.type, read) : read(reply.text ?? '');
}

const questionOf = (name: string, { label = name, required }: Field, locale?: string): string =>
  required ? label : `${label} (${formWords(locale).leaveOut(skipMark)})`;

/** All values that were typed, as the form would have sent them. */
function leaveWithValues(visit: Visit, { fields }: FormInput, values: JsonObject): Outcome<string> {
  if (!isLonger(JSON.stringify(values), maxFormBytes, 'bytes')) return leave('answered', createWrites(values, visit.config));
  const [field = ''] = Object.keys(fields);
  return leaveInvalid(visit, [{ field, message: 'The answers have too much in them.' }]);
}

/** The options of which one is chosen; of several the titles are listed, and written together. */
function choicesOf(field: Field): readonly Choice[] | undefined {
  if (field.type !== 'option' || field.several) return undefined;
  return optionChoices(field);
}

const optionChoices = ({ options }: Extract<Field, { readonly type: 'option' }>): readonly Choice[] =>
  options.map(({ title, payload = title, description }) => ({ title, payload, ...(description !== undefined && { description }) }));

/** The question for a field, with its options as the channel draws them. */
function drawField(text: string, field: Field, choices: readonly Choice[] | undefined, channel: Channel | undefined): RenderedMessage {
  const isList = field.type === 'option' && choices === undefined;
  const plain = checkMessage({ type: 'text', text: isList ? numberChoices(text, optionChoices(field)) : text }, channel);
  return choices === undefined ? plain : withChoices(plain, choices, channel);
}

/** What a channel would refuse: the form where it is drawn, elsewhere the text and the questions for its fields. */
export function formChecks(message: MessageTemplate, input: FormInput, channels: readonly Channel[]): readonly ConfigProblem[] {
  const { authored } = message;
  if (authored === undefined || input.fallback === 'refuse') return messageChecks(message, channels);
  const asking = channels.filter((channel) => authored.type !== 'flow' || !drawsForms(channel));
  const drawing = channels.filter((channel) => !asking.includes(channel));
  // The web chat draws the fields itself: its form needs no name.
  const isMeant = ({ code }: ConfigProblem): boolean =>
    code !== 'FLOW_WITHOUT_NAME' || channels.length === 0 || drawing.includes('whatsapp');
  return [
    ...(channels.length === 0 || drawing.length > 0 ? messageChecks(message, drawing).filter(isMeant) : []),
    ...(asking.length === 0 ? [] : textChecks({ source: plainText(authored) }, ['message', 'text'], asking)),
    ...(asking.length === 0 ? [] : Object.entries(input.fields).flatMap(([name, field]) => fieldChecks(name, field, asking))),
  ];
}

/** The longest text that a question for a field can come to, against the channels on which it is asked. */
function fieldChecks(name: string, field: Field, channels: readonly Channel[]): readonly ConfigProblem[] {
  const text = questionOf(name, field);
  const choices = choicesOf(field);
  const refused = channels.find((channel) => drawField(text, field, choices, channel).kind === 'invalid');
  return refused === undefined
    ? []
    : [
        {
          code: 'CHANNEL_LIMIT',
          severity: 'error',
          message: `The question for the field "${name}" is longer than ${refused} takes`,
          hint: 'Shorten or change the message so that the channel accepts it, or list the channels of the canvas in its settings.',
          at: ['input', 'fields', name],
        },
      ];
}
