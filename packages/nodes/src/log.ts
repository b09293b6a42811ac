import { defineNode, leave, perform, Template, ValueTemplate } from '@hilo/engine/contract';
import { z } from 'zod';
import { LogLevel, logEvent } from './effects/log-event.ts';

/** Reports a named event to operators: a line to search for, an event to count. */
export const log = defineNode({
  type: 'log',
  config: z.strictObject({
    name: z
      .string()
      .min(1)
      .max(500)
      .pipe(Template)
      .meta({ description: 'The name of the event in the log and the metrics', examples: ['lead-qualified'] }),
    level: LogLevel.default('info').meta({ description: 'The log level' }),
    data: ValueTemplate.optional().meta({ description: 'The data to record with the event' }),
  }),
  visual: {
    label: 'Log',
    category: 'data',
    icon: 'scroll-text',
    colour: '#0891b2',
    description: 'Records a named event for metrics and for the log. The user does not see it.',
    summary: ({ name, level = 'info' }) => `${level}: ${name ?? ''}`,
    formHints: { name: 'expression', data: 'expression' },
  },
  names: ['name'],
  ports: ['next'],
  optionalPorts: ['error'],
  effects: [logEvent],
  run: ({ config: { name, level, data }, variables }) =>
    perform(logEvent({ name: name(variables), level, data: data?.(variables) ?? null }), () => leave('next')),
});
