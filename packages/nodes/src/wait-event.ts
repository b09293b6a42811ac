// The node `wait-event`.
import {
  defineNode,
  durationMs,
  formatPath,
  interruptible,
  leave,
  perform,
  signal,
  Template,
  TimedDuration,
  VariablePath,
} from '@hilo/engine/contract';
import { z } from 'zod';

/** Waits for a named signal with this correlation value, and stores its payload. With an edge at `interrupted`, a message of the user's ends it. */
export const waitEvent = defineNode({
  type: 'wait-event',
  config: z.strictObject({
    name: Template.refine(({ source }) => source.trim() !== '', { error: 'Give the event a name' }).meta({
      description: 'The name of the event',
      examples: ['order.paid'],
    }),
    correlation: Template.prefault('').meta({
      description: 'Selects the event by a text that sender and waiter share, such as the number of an order',
    }),
    timeout: TimedDuration.optional().meta({
      description: 'How long the node waits before it leaves by "timeout"; for ever, when left out',
    }),
    saveAs: VariablePath.optional().meta({ description: 'Where the payload of the event is kept' }),
  }),
  visual: {
    label: 'Wait for an event',
    category: 'time',
    icon: 'radio',
    colour: '#d97706',
    description:
      'Waits for a signal by name, such as a payment or a delivery, from another flow or system. A message from the user can end it early.',
    summary: ({ name, correlation = '' }) => [name ?? '', correlation].filter((text) => text !== '').join(' · '),
    formHints: { name: 'expression', correlation: 'expression', timeout: 'duration', saveAs: 'variable' },
  },
  facts: { needs: 'a sender of the event' },
  ports: ['received'],
  optionalPorts: ['timeout', 'interrupted', 'error'],
  run({ config, variables, isConnected }) {
    const { timeout, saveAs } = config;
    const request = { name: config.name(variables), correlation: config.correlation(variables) };
    const event = signal({ ...request, ...(timeout !== undefined && { dueInMs: durationMs(timeout, variables) }) });
    return perform(interruptible(event, isConnected), (answer) => {
      if (answer.kind === 'received') return leave('received', saveAs === undefined ? [] : [{ path: saveAs, value: answer.payload }]);
      if (answer.kind === 'interrupted') return leave('interrupted');
      return leave('timeout', [], { failure: { cause: 'TIMEOUT', message: `No event "${request.name}" came in time` } });
    });
  },
  heardBefore: () => ['interrupted'],
  waitFields: { timeout: ['timeout'] },
  writingFields: ['saveAs'],
  waitsBefore: () => ['received', 'timeout', 'interrupted'],
  writes: ({ saveAs }) => ({ received: saveAs === undefined ? [] : [formatPath(saveAs)], interrupted: ['$message'] }),
});
