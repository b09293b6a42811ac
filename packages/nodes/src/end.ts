import { defineNode, finish, ValueTemplate, VariableName } from '@hilo/engine/contract';
import { z } from 'zod';

/** Ends the execution. A calling workflow gets the outputs, and continues by `success` or by `error`. */
export const end = defineNode({
  type: 'end',
  config: z.strictObject({
    outcome: z.enum(['done', 'failed']).default('done').meta({ description: 'Whether the execution counts as completed or as failed' }),
    outputs: z.record(VariableName, ValueTemplate).default({}).meta({ description: 'What the calling workflow gets, by name' }),
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
  compile({ outcome, outputs }) {
    const entries = Object.entries(outputs);
    const without = finish(outcome, {});
    if (entries.length === 0) return { run: () => without };
    return { run: ({ variables }) => finish(outcome, Object.fromEntries(entries.map(([name, value]) => [name, value(variables)]))) };
  },
});
