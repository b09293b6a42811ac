import { defineNode, finish, ValueTemplate, VariableName } from '@hilo/engine/contract';
import { z } from 'zod';

/** Ends the execution. A calling workflow gets the outputs, and continues by `success` or by `error`. */
export const end = defineNode({
  type: 'end',
  config: z.strictObject({
    outcome: z.enum(['done', 'failed']).default('done'),
    outputs: z.record(VariableName, ValueTemplate).default({}),
  }),
  visual: {
    label: 'End',
    category: 'flow',
    icon: 'circle-stop',
    colour: '#475569',
    description: 'Ends the flow, as done or as failed, with outputs for the flow that called it.',
    summary: ({ outcome = 'done', outputs = {} }) => [outcome, ...Object.keys(outputs)].join(', '),
    formHints: { outputs: 'expression' },
  },
  ports: [],
  run: ({ config: { outcome, outputs }, variables }) =>
    finish(outcome, Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, value(variables)]))),
});
