// The node `ask`.
import { type Channel, defineNode, formatPath, type Json, leave, type Outcome, type ValueKind } from '@hilo/engine/contract';
import { sendMessage } from '../effects/send-message.ts';
import { messageChecks, checkMessage, messageNames, messageSummary, textChecks } from '../message-config.ts';
import { sendThen } from '../message-sending.ts';
import type { Message } from '../messages/message.ts';
import { showsNothing } from '../messages/folded-text.ts';
import { channelFacts } from '../messages/channel.ts';
import { plainText } from '../messages/plain-text.ts';
import { chosenOption } from '../messages/options.ts';
import { awaitReply, createWrites, renderInvalidMessage, type Reply, type Visit } from './awaiting.ts';
import { readChoices, withChoices } from './choices.ts';
import { answerForm } from './answer-form.ts';
import { AskConfig, expectedAnswer, portOptions } from './config.ts';
import { askForm, formChecks } from './form.ts';
import { checkKnown, type Expected, readAnswer } from './input.ts';
import { joinParts, type Refused, takesBackBefore } from './parts.ts';
import { namesAt } from '../names-at.ts';

/** Sends a question and waits for the reply: one of its options, or an answer of a kind, with further attempts. */
export const ask = defineNode({
  type: 'ask',
  config: AskConfig,
  visual: {
    label: 'Ask',
    category: 'message',
    icon: 'message-circle-question-mark',
    colour: '#2563eb',
    description:
      'Asks the user something and waits: for one of the options, a form, or a text, number, date, time, place, file, order … that is checked.',
    summary: ({ message, input }) => [messageSummary(message), input?.kind].filter(Boolean).join(' → '),
    formHints: {
      input: 'answer',
      message: 'message',
      saveAs: 'variable',
      invalidMessage: 'multiline',
      timeout: 'duration',
      skipIfSet: 'variable',
    },
  },
  facts: {
    needs: 'a bot of the channel, and its 24-hour window open',
    limits: 'those of the channel; 1 to 10 attempts',
    ports: 'one for each option and `other`, or with `input` or a form `answered`; [`invalid`], [`timeout`], [`windowClosed`], [`error`]',
  },
  names: [...messageNames, 'input.options', 'input.options.title', 'input.fields.*.label', 'input.fields.*.options.title'],
  ports: answerPorts,
  optionalPorts: (config): readonly string[] => [...invalidPort(config), 'timeout', 'windowClosed', 'error'],
  supports: { kinds: ['skill'] },
  advisedPorts: (config) => [...invalidPort(config), ...(config.timeout === undefined ? [] : ['timeout'])],
  effects: [sendMessage],
  run(visit) {
    const { config, variables, channel } = visit;
    const known = visit.isAnswered === true ? undefined : findKnownAnswer(visit);
    if (known !== undefined) return leave(choosePort(known.answer, config), known.isInPlace ? [] : createWrites(known.answer, config));
    const { input } = config;
    if (input?.kind === 'form') return askForm(visit, input);
    const rendered = config.message(variables, channel);
    const drawn = input?.kind === 'option' ? withChoices(rendered, readChoices(input.options, variables), channel) : rendered;
    return sendThen(drawn, (question) => awaitAnswer(visit, question, config.attempts));
  },
  heardBefore: (config) => [...answerPorts(config), ...invalidPort(config)],
  waitFields: { timeout: ['timeout'] },
  writingFields: ['saveAs'],
  sends: () => 'message',
  waitsBefore: (config) => [...(config.skipIfSet === false ? answerPorts(config) : []), ...invalidPort(config), 'timeout'],
  writes(config) {
    const { saveAs } = config;
    return saveAs === undefined ? {} : Object.fromEntries(answerPorts(config).map((port) => [port, [formatPath(saveAs)]]));
  },
  writtenKinds(config) {
    const { saveAs, skipIfSet } = config;
    const expected = expectedAnswer(config);
    // Where no kind is asked for, an answer that was known before is kept as it is.
    const kind = expected === undefined ? (skipIfSet === false ? 'string' : undefined) : answerKinds[expected.kind];
    return saveAs === undefined || kind === undefined ? {} : { [formatPath(saveAs)]: kind };
  },
  writtenForms(config) {
    const { saveAs, skipIfSet, input } = config;
    const form = saveAs === undefined || (skipIfSet !== false && skipIfSet !== true) ? undefined : answerForm(input);
    return saveAs === undefined || form === undefined ? {} : { [formatPath(saveAs)]: form };
  },
  /** The message after an invalid reply sees that reply. */
  writesBefore: (_, [field]) => (field === 'invalidMessage' ? ['$message'] : []),
  shapes: ({ input, saveAs, skipIfSet }) => {
    if (input?.kind === 'form') return namesAt(saveAs, Object.keys(input.fields));
    if (input?.kind === 'order') return namesAt(saveAs, ['items', 'currency', 'total', 'note']);
    // What was known before the question is kept as it is, with whatever names it has.
    return input?.kind === 'location' && skipIfSet === false ? namesAt(saveAs, ['lat', 'long']) : {};
  },
  references: ({ input }) =>
    input?.kind === 'form' && input.exchange !== undefined
      ? [{ kind: 'workflow', id: input.exchange.workflowId, at: ['input', 'exchange', 'workflowId'] }]
      : [],
  check: ({ message, input, invalidMessage }, { channels }) => [
    ...(input?.kind === 'form' ? formChecks(message, input, channels) : messageChecks(message, channels)),
    ...(invalidMessage === undefined ? [] : textChecks(invalidMessage, ['invalidMessage'], channels)),
  ],
});

/** The kinds in which answers are kept. */
const answerKinds: { readonly [Kind in Expected['kind']]: ValueKind } = {
  text: 'string',
  email: 'string',
  phone: 'string',
  date: 'string',
  time: 'string',
  number: 'number',
  location: 'object',
  media: 'object',
  form: 'object',
  order: 'object',
  contact: 'array',
  option: 'string',
};

/** The ports of an answer: one an option and `other`, or `answered`. */
function answerPorts(config: AskConfig): readonly string[] {
  return expectedAnswer(config) === undefined ? [...portOptions(config).map(({ port }) => port), 'other'] : ['answered'];
}

/** The port after the last reply that is no answer, where replies are checked. */
const invalidPort = (config: AskConfig): readonly 'invalid'[] => (expectedAnswer(config) === undefined ? [] : ['invalid']);

/** Waits for a reply; after an invalid one the retry message is sent, while attempts are left, and the wait begins again. */
function awaitAnswer(visit: Visit, question: Message, attemptsLeft: number, refused?: Refused): Outcome<string> {
  const { config, channel } = visit;
  const { attempts } = config;
  const expected = expectedAnswer(config);
  return awaitReply(visit, ({ reply: received, message, atMs }): Outcome<string> => {
    const isFirst = refused === undefined && attemptsLeft === attempts;
    const takesBack = isFirst && takesBackBefore({ reply: received, atMs }, visit.variables.get(['$message']), visit.nowMs);
    if (expected === undefined) {
      const chosen = takesBack ? undefined : chosenOption(question, received, channel);
      return leave(chosen?.port ?? 'other', createWrites(chosen?.payload ?? received.text ?? received.payload ?? null, config));
    }
    // A reply after which the user was asked again was refused: it is not judged anew with each later one.
    const isRefused = (visit.resultCount ?? 0) > 2 * (attempts - attemptsLeft + 1);
    const reply = { reply: received, atMs };
    const answer = isRefused || takesBack ? undefined : judgeReply(visit, refused, reply, expected, question);
    if (answer !== undefined) return leave('answered', createWrites(answer, config));
    if (attemptsLeft > 1) {
      const text = renderInvalidMessage(visit, message);
      const retry = text === undefined ? ({ kind: 'message', message: question } as const) : checkMessage({ type: 'text', text }, channel);
      return sendThen(retry, () => awaitAnswer(visit, question, attemptsLeft - 1, reply));
    }
    const failure = { cause: 'INVALID_ANSWER', message: `None of ${attempts} replies was an answer of the kind "${expected.kind}"` };
    return leave('invalid', [], { failure });
  });
}

/** The answer of a reply: together with the refused one just before it where both are parts of a sentence, else alone. */
function judgeReply(visit: Visit, refused: Refused | undefined, given: Refused, expected: Expected, question: Message): Json | undefined {
  const whole = refused === undefined ? undefined : joinParts(refused, given, expected, visit.variables);
  return readReply(visit, whole === undefined ? given.reply : { ...given.reply, text: whole }, expected, question, given.atMs);
}

/** The answer in a reply; `undefined` when there is none. */
function readReply({ variables, channel }: Visit, received: Reply, input: Expected, question: Message, atMs: number): Json | undefined {
  // Options that were shown as numbered lines are chosen by number first; a payload that nobody saw comes last.
  const isNumbered = (question.type === 'text' && question.buttons === undefined) || numbersOptions(channel);
  if (input.kind === 'option') return readAnswer(received, input, variables, atMs, isNumbered);
  // The channel is left out: a number may itself be the requested answer.
  const chosen = chosenOption(question, received);
  return readAnswer(
    chosen === undefined ? received : { ...received, text: chosen.payload },
    input,
    variables,
    atMs,
    false,
    plainText(question),
  );
}

const numbersOptions = (channel: Channel | undefined): boolean => channel !== undefined && channelFacts[channel].numbersOptions === true;

interface KnownAnswer {
  readonly answer: Json;
  /** Whether it is where `saveAs` keeps it, in the form of an answer. */
  readonly isInPlace: boolean;
}

/** The answer that is there before the question, under `skipIfSet`, and is one by the question's own rules. Null and a text that shows nothing are none. */
function findKnownAnswer({ config, variables, nowMs }: Visit): KnownAnswer | undefined {
  const { skipIfSet, saveAs } = config;
  const path = skipIfSet === true ? saveAs : skipIfSet === false ? undefined : skipIfSet;
  const found = (path === undefined ? undefined : variables.get(path)) ?? undefined;
  if (found === undefined || (typeof found === 'string' && showsNothing(found))) return undefined;
  const expected = expectedAnswer(config);
  const answer = expected === undefined ? found : checkKnown(found, expected, variables, nowMs);
  return answer === undefined ? undefined : { answer, isInPlace: skipIfSet === true && answer === found };
}

/** The port of a known answer: that of the option it names, as for a reply. */
function choosePort(known: Json, config: AskConfig): string {
  if (expectedAnswer(config) !== undefined) return 'answered';
  const { authored } = config.message;
  const text = typeof known === 'object' ? '' : String(known);
  return (authored === undefined ? undefined : chosenOption(authored, { text, payload: text }))?.port ?? 'other';
}
