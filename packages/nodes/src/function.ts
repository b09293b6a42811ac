// The node `function`.
import {
  defaultTimeoutMs,
  defineNode,
  durationMs,
  fail,
  formatPath,
  holdCapMs,
  leave,
  perform,
  TimedDuration,
  ValueTemplate,
  VariablePath,
} from '@hilo/engine/contract';
import { z } from 'zod';
import { callFunction } from './effects/call-function.ts';
import { holdUser } from './outside-call.ts';

/**
 * Calls a deployed function of the company and keeps what it returns. The function sees the same idempotency key at every
 * attempt. It runs with us and not over HTTP: its time is its own, 60 s if unset, and no plan limits it.
 */
export const functionNode = defineNode({
  type: 'function',
  config: z.strictObject({
    functionId: z
      .string()
      .min(1)
      .max(128)
      .meta({ description: 'The id of the deployed function', examples: ['fn_echo'] }),
    body: ValueTemplate.optional().meta({ description: 'The input of the function' }),
    timeout: TimedDuration.optional().meta({ description: 'How long the call may take in all' }),
    saveAs: VariablePath.optional().meta({ description: 'Where the answer of the function is kept' }),
  }),
  visual: {
    label: 'Function',
    category: 'integration',
    icon: 'square-function',
    colour: '#0d9488',
    description: 'Calls a deployed function and keeps what it returns.',
    summary: ({ functionId }) => functionId ?? '',
    formHints: { body: 'expression', timeout: 'duration', saveAs: 'variable' },
  },
  facts: {
    needs: 'a deployed function',
    limits: '60 s if unset; 64 MB of heap, 50 calls at once, an answer of 64 KB',
    holds: 'for its timeout, 60 s if unset',
  },
  ports: ['success'],
  optionalPorts: ['error'],
  effects: [callFunction],
  risk: () => 'change',
  run({ config, variables, hold: holdConfig }) {
    const { functionId, body, saveAs } = config;
    const timeout = config.timeout === undefined ? undefined : durationMs(config.timeout, variables);
    const appliedMs = timeout ?? defaultTimeoutMs;
    const details = { limitMs: null, configuredMs: timeout ?? null, appliedMs };
    const hold = holdUser(holdConfig, holdCapMs('function', timeout), variables);

    return perform(
      callFunction({ functionId, body: body?.(variables) ?? null, timeoutMs: appliedMs }),
      (result) => {
        if (result.kind === 'returned') return leave('success', saveAs === undefined ? [] : [{ path: saveAs, value: result.value }]);
        const { reason, message, outcome, retryAfterMs } = result;
        const known = { ...(outcome !== undefined && { outcome }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
        if (reason === 'timeout') return fail('TIMEOUT', message, { ...details, ...known });
        return fail(causes[reason], message, { reason, ...known });
      },
      { deadline: { appliedMs, cause: 'TIMEOUT', details }, ...(hold !== undefined && { hold }) },
    );
  },
  writingFields: ['saveAs'],
  writes: ({ saveAs }) => ({ success: saveAs === undefined ? [] : [formatPath(saveAs)] }),
  references: ({ functionId }) => [{ kind: 'function', id: functionId, at: ['functionId'] }],
});

const causes = {
  'not-found': 'FUNCTION_NOT_FOUND',
  threw: 'FUNCTION_FAILED',
  crash: 'FUNCTION_STOPPED',
  memory: 'FUNCTION_STOPPED',
  unavailable: 'FUNCTION_UNAVAILABLE',
} as const;
