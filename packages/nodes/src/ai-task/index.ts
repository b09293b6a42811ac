import { signingIn } from '../credential-kinds.ts';
import { defineNode, durationMs, formatPath, holdCapMs, leave, type Outcome } from '@hilo/engine/contract';
import { askModel } from '../effects/ask-model.ts';
import { askModels, writeQuestion } from '../model-call/ask-models.ts';
import { listCredentials } from '../model-call/model.ts';
import { readJsonAnswer } from '../model-call/read-json.ts';
import { holdUser } from '../outside-call.ts';
import { AiTaskConfig, listEndpoints } from './config.ts';

/** All calls of one visit together have five minutes, the longest that a user may be held (RET-01). */
const defaultTimeoutMs = holdCapMs('ai-task', undefined);

/**
 * Gives a task to a language model and stores its answer, an object that is valid under a JSON Schema. An invalid answer may be repaired
 * once; a second model may be called when the first fails. A model has no tools, and its answer is data: it is never evaluated as an
 * expression (T15).
 */
export const aiTask = defineNode({
  type: 'ai-task',
  config: AiTaskConfig,
  visual: {
    label: 'AI task',
    category: 'integration',
    icon: 'sparkles',
    colour: '#7c3aed',
    description: 'Asks a language model and keeps its answer, checked against a schema.',
    summary: ({ model, instructions }) => `${model ?? ''}: ${instructions?.slice(0, 60) ?? ''}`,
    formHints: {
      'auth.credentialId': 'credential',
      'fallback.auth.credentialId': 'credential',
      instructions: 'multiline',
      input: 'expression',
      timeout: 'duration',
      saveAs: 'variable',
    },
  },
  facts: {
    needs: 'a model behind an OpenAI-compatible address, and its credential',
    limits: '5 minutes if unset; 16,384 tokens, one attempt to repair',
    holds: 'for 5 minutes',
  },
  ports: ['success'],
  optionalPorts: ['invalidOutput', 'error'],
  effects: [askModel],
  run({ config, variables, hold: holdConfig }) {
    const { instructions, schema, saveAs } = config;
    const timeout = config.timeout === undefined ? undefined : durationMs(config.timeout, variables);
    const appliedMs = timeout ?? defaultTimeoutMs;
    const hold = holdUser(holdConfig, holdCapMs('ai-task', timeout), variables);
    const details = { limitMs: null, configuredMs: timeout ?? null, appliedMs };
    return askModels(
      {
        question: writeQuestion([instructions], schema.source, config.input(variables)),
        details,
        read: (text) => readJsonAnswer(text, schema.problem),
        onAnswer: (value): Outcome<Port> => leave('success', saveAs === undefined ? [] : [{ path: saveAs, value }]),
        onInvalid: (cause, message, model) => leave('invalidOutput', [], { failure: { cause, message, details: { model } } }),
        ...(hold !== undefined && { hold }),
      },
      listEndpoints(config),
      appliedMs,
    );
  },
  writingFields: ['saveAs'],
  writes: ({ saveAs }) => ({ success: saveAs === undefined ? [] : [formatPath(saveAs)] }),
  references: ({ auth, fallback }) => [
    ...(auth === undefined ? [] : [{ kind: 'credential' as const, suits: signingIn, id: auth.credentialId, at: ['auth', 'credentialId'] }]),
    ...listCredentials({ fallback }),
  ],
});

type Port = 'success' | 'invalidOutput';
