// The node `decide`: a model chooses a branch.
import {
  defineNode,
  durationMs,
  formatPath,
  holdCapMs,
  isTemplate,
  type JsonObject,
  leave,
  type Outcome,
  TimedDuration,
  ValueTemplate,
  VariablePath,
} from '@hilo/engine/contract';
import { z } from 'zod';
import { askModel } from '../effects/ask-model.ts';
import { checkFields } from '../fields/check-fields.ts';
import { fieldsToJsonSchema } from '../fields/describe-fields.ts';
import type { Fields } from '../fields/field.ts';
import { askModels, writeQuestion } from '../model-call/ask-models.ts';
import { endpointOf, listCredentials, Model } from '../model-call/model.ts';
import { readJsonAnswer } from '../model-call/read-json.ts';
import { holdUser } from '../outside-call.ts';
import { namesAt } from '../names-at.ts';

/** Names that no option has: the other ports, and the word by which a model chooses none. */
const reservedNames = ['otherwise', 'error', 'none'];

const DecideOption = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(64)
    .refine((name) => !isTemplate(name), {
      error: 'The name is a port, which is known before the flow runs: write it without an expression',
    })
    .meta({ description: 'The name of the option, and of its port', examples: ['refund'] }),
  when: z
    .string()
    .min(1)
    .max(500)
    .meta({ description: 'When the model is to choose it', examples: ['The customer wants money back.'] }),
  examples: z
    .array(z.string().min(1).max(500))
    .max(10)
    .optional()
    .meta({ description: 'Texts for which it is right', examples: [['I want my money back']] }),
});

const DecideConfig = z.strictObject({
  model: Model.meta({ description: 'The model to ask' }),
  fallback: Model.optional().meta({ description: 'The model to ask when the first one fails, or its answer remains invalid' }),
  question: z
    .string()
    .min(1)
    .max(32_768)
    .refine((text) => !isTemplate(text), { error: 'The question holds no {{expressions}}: put values into "input"' })
    .meta({
      description: 'What the model decides; put values into "input", where they count as data',
      examples: ['What does the customer want?'],
    }),
  input: ValueTemplate.optional().meta({
    description: 'The data that it decides about, which never counts as instructions',
    examples: ['{{$message.text}}'],
  }),
  options: z
    .array(DecideOption)
    .min(2)
    .max(20)
    .superRefine((options, context) => {
      for (const [index, { name }] of options.entries()) {
        const refuse = (message: string): void => context.addIssue({ code: 'custom', path: [index, 'name'], message });
        if (reservedNames.includes(name)) refuse(`An option cannot be called "${name}": choose another name`);
        else if (options.findIndex((other) => other.name === name) < index) refuse(`There is an option "${name}" already`);
      }
    })
    .meta({ description: 'What it chooses from; each is a port' }),
  minConfidence: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .meta({ description: 'Below this confidence the node leaves by "otherwise". It is what the model says of itself, and no probability' }),
  timeout: TimedDuration.optional().meta({ description: 'How long all calls together may take' }),
  saveAs: VariablePath.optional().meta({ description: 'Where { choice, confidence, reason, cause } is kept' }),
});
type DecideConfig = z.output<typeof DecideConfig>;

/** All calls of one visit together have five minutes, the longest that a user may be held (RET-01). */
const defaultTimeoutMs = holdCapMs('ai-task', undefined);

/**
 * Lets a language model choose one of some ports. A model that refuses, is unsure or gives no valid answer leaves by `otherwise`, so that
 * each way is the author's. The model gets no tools, and its answer is data (T15).
 */
export const decide = defineNode({
  type: 'decide',
  config: DecideConfig,
  visual: {
    label: 'Decide',
    category: 'integration',
    icon: 'split',
    colour: '#7c3aed',
    description: 'Lets a language model choose one of some ways.',
    summary: ({ question, options }) => `${question?.slice(0, 60) ?? ''} (${options?.length ?? 0})`,
    formHints: {
      'model.auth.credentialId': 'credential',
      'fallback.auth.credentialId': 'credential',
      question: 'multiline',
      input: 'expression',
      timeout: 'duration',
      saveAs: 'variable',
    },
  },
  facts: {
    needs: 'a model, and its credential',
    limits: '2 to 20 options; 5 minutes if unset; one attempt to repair',
    ports: 'one for each option, and `otherwise`; [`error`]',
    holds: 'for 5 minutes',
  },
  names: ['options.name'],
  ports: listPorts,
  optionalPorts: ['error'] as readonly string[],
  effects: [askModel],
  run({ config, variables, hold: holdConfig }) {
    const { question, model, fallback, options } = config;
    const timeout = config.timeout === undefined ? undefined : durationMs(config.timeout, variables);
    const appliedMs = timeout ?? defaultTimeoutMs;
    const hold = holdUser(holdConfig, holdCapMs('ai-task', timeout), variables);
    const shape = describeAnswer(config);
    return askModels<JsonObject, string>(
      {
        question: writeQuestion([question, '', ...describeOptions(options)], fieldsToJsonSchema(shape), config.input?.(variables) ?? ''),
        details: { limitMs: null, configuredMs: timeout ?? null, appliedMs },
        read: (text) => readJsonAnswer(text, (value) => findProblem(shape, value)),
        onAnswer: (answer) => choose(config, answer),
        onInvalid: (cause, message) =>
          leaveOtherwise(config, { confidence: 0, reason: message.slice(0, 500).toWellFormed() }, { cause, message }),
        ...(hold !== undefined && { hold }),
      },
      [model, ...(fallback === undefined ? [] : [fallback])].map(endpointOf),
      appliedMs,
    );
  },
  writingFields: ['saveAs'],
  writes: (config) =>
    config.saveAs === undefined ? {} : Object.fromEntries(listPorts(config).map((port) => [port, [formatPath(config.saveAs ?? [])]])),
  shapes: ({ saveAs }) => namesAt(saveAs, ['choice', 'confidence', 'reason', 'cause']),
  references: ({ model, fallback }) => listCredentials({ model, fallback }),
});

function listPorts({ options }: Pick<DecideConfig, 'options'>): readonly string[] {
  return [...options.map(({ name }) => name), 'otherwise'];
}

const describeOptions = (options: DecideConfig['options']): readonly string[] => [
  'Choose one of these, or "none" when none of them is right:',
  ...options.map(({ name, when, examples = [] }) => {
    const such = examples.length === 0 ? '' : ` For example: ${examples.map((text) => JSON.stringify(text)).join(', ')}`;
    return `- ${JSON.stringify(name)}: ${when}${such}`;
  }),
  'Give your confidence from 0 to 1, and the reason in a sentence.',
];

/** The fields of the answer. */
const describeAnswer = ({ options }: DecideConfig): Fields => ({
  choice: { type: 'option', options: [...options, { name: 'none' }].map(({ name }) => ({ title: name })), several: false, required: true },
  confidence: { type: 'number', min: 0, max: 1, integer: false, required: true },
  reason: { type: 'text', minLength: 1, maxLength: 500, required: true },
});

function findProblem(shape: Fields, value: JsonObject): string | undefined {
  const checked = checkFields(shape, value);
  return checked.kind === 'valid' ? undefined : checked.problems.map(({ message }) => message).join(' ');
}

function choose(config: DecideConfig, answer: JsonObject): Outcome<string> {
  const { choice, confidence = 0, reason = '' } = answer;
  if (typeof choice !== 'string' || choice === 'none') return leaveOtherwise(config, { confidence, reason });
  const { minConfidence, saveAs } = config;
  if (typeof confidence === 'number' && confidence < minConfidence) {
    const message = `The model chose "${choice}" with a confidence of ${confidence}, and ${minConfidence} is wanted`;
    return leaveOtherwise(config, { confidence, reason }, { cause: 'LOW_CONFIDENCE', message });
  }
  return leave(choice, saveAs === undefined ? [] : [{ path: saveAs, value: { choice, confidence, reason } }]);
}

function leaveOtherwise(
  { saveAs }: DecideConfig,
  answer: JsonObject,
  failure?: { readonly cause: string; readonly message: string },
): Outcome<string> {
  const value = { choice: null, ...answer, ...(failure !== undefined && { cause: failure.cause }) };
  return leave('otherwise', saveAs === undefined ? [] : [{ path: saveAs, value }], failure === undefined ? {} : { failure });
}
