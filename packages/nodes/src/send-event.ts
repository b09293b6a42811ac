// The node `send-event`.
import {
  broadcast,
  defineNode,
  durationBounds,
  durationMs,
  fail,
  formatPath,
  leave,
  limits,
  perform,
  Template,
  TimedDuration,
  ValueTemplate,
  VariablePath,
} from '@hilo/engine/contract';
import { z } from 'zod';

const tooLong = 'An event is held for 30 days at most';

const isTooLong = (ms: number): boolean => ms > limits.heldSignals.longestMs;

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
    ttl: TimedDuration.optional().meta({
      description:
        'How long the event is held for the first flow that comes to wait for it, where none waits now; not at all, when left out',
    }),
    saveAs: VariablePath.optional().meta({ description: 'Where the number of executions that waited is kept' }),
  }),
  visual: {
    label: 'Send an event',
    category: 'flow',
    icon: 'radio-tower',
    colour: '#475569',
    description: 'Notifies every flow of the company that waits for this event, such as a paid order or a product that is back in stock.',
    summary: ({ name, correlation = '' }) => [name ?? '', correlation].filter((text) => text !== '').join(' · '),
    formHints: { name: 'expression', correlation: 'expression', payload: 'expression', ttl: 'duration', saveAs: 'variable' },
  },
  facts: { limits: 'a payload of 64 KB; 1,000 events of a company that are held, for 30 days at most' },
  ports: ['next'],
  optionalPorts: ['error'],
  risk: () => 'change',
  run({ config, variables }) {
    const { saveAs, ttl } = config;
    const ttlMs = ttl === undefined ? undefined : durationMs(ttl, variables);
    if (ttlMs !== undefined && isTooLong(ttlMs)) return fail('INVALID_EVENT', tooLong);
    const event = {
      ...(ttlMs !== undefined && { ttlMs }),
      name: config.name(variables),
      correlation: config.correlation(variables),
      payload: config.payload(variables),
    };
    if (event.name === '') return fail('INVALID_EVENT', 'The name of the event is an empty text');
    return perform(broadcast(event), ({ waits }) => leave('next', saveAs === undefined ? [] : [{ path: saveAs, value: waits }]));
  },
  // No rule of the config: what was published before can still be run.
  check: ({ ttl }) =>
    isTooLong(durationBounds(ttl)?.[1] ?? 0)
      ? [
          {
            code: 'INVALID_CONFIG',
            severity: 'error',
            at: ['ttl'],
            message: tooLong,
            hint: 'Write at most P30D; a month may have 31 days.',
          },
        ]
      : [],
  writingFields: ['saveAs'],
  writes: ({ saveAs }) => ({ next: saveAs === undefined ? [] : [formatPath(saveAs)] }),
});
