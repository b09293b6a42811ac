import { defineNode, fail, formatPath, leave, perform, broadcast, Template, ValueTemplate, VariablePath } from '@hilo/engine/contract';
import { z } from 'zod';

/** Answers every `wait-event` of the company that waits for this name and correlation value, and continues at once. */
export const sendEvent = defineNode({
  type: 'send-event',
  config: z.strictObject({
    name: Template.refine(({ source }) => source.trim() !== '', { error: 'Give the event a name' }).meta({
      description: 'The name of the event',
      examples: ['order.paid'],
    }),
    correlation: Template.prefault('').meta({
      description: 'Resumes only the executions that wait with the same text, such as the number of an order',
    }),
    payload: ValueTemplate.prefault(null).meta({ description: 'The payload that the waiting nodes receive' }),
    saveAs: VariablePath.optional().meta({ description: 'Where the number of executions that waited is kept' }),
  }),
  visual: {
    label: 'Send an event',
    category: 'flow',
    icon: 'radio-tower',
    colour: '#475569',
    description: 'Notifies every flow of the company that waits for this event, such as a paid order or a product that is back in stock.',
    summary: ({ name, correlation = '' }) => [name ?? '', correlation].filter((text) => text !== '').join(' · '),
    formHints: { name: 'expression', correlation: 'expression', payload: 'expression', saveAs: 'variable' },
  },
  facts: { limits: 'a payload of 64 KB' },
  ports: ['next'],
  optionalPorts: ['error'],
  run({ config, variables }) {
    const { saveAs } = config;
    const event = { name: config.name(variables), correlation: config.correlation(variables), payload: config.payload(variables) };
    if (event.name === '') return fail('INVALID_EVENT', 'The name of the event is an empty text');
    return perform(broadcast(event), ({ waits }) => leave('next', saveAs === undefined ? [] : [{ path: saveAs, value: waits }]));
  },
  writes: ({ saveAs }) => ({ next: saveAs === undefined ? [] : [formatPath(saveAs)] }),
});
