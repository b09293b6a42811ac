import { defineNode, leave } from '@hilo/engine/contract';
import { isOpenAt, OpeningHours, openingZone } from './opening-hours.ts';

/** Chooses a way by whether a business is open at the instant of the event that is handled. */
export const businessHours = defineNode({
  type: 'business-hours',
  config: OpeningHours,
  visual: {
    label: 'Business hours',
    category: 'logic',
    icon: 'store',
    colour: '#7c3aed',
    description: 'Chooses a path by the clock: one while you are open, another at night, on weekends and on holidays.',
    summary: ({ week }) => (week === undefined ? '' : Object.keys(week).join(', ')),
    formHints: { week: 'week', timeZone: 'expression' },
  },
  facts: { limits: '20 pairs of times for each day, 400 holidays' },
  ports: ['open', 'closed'],
  optionalPorts: ['error'],
  run: ({ config, variables, nowMs }) => leave(isOpenAt(config, openingZone(config, variables), nowMs) ? 'open' : 'closed'),
});
