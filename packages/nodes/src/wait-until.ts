// The node `wait-until`.
import { defineNode, durationMs, fail, instantAt, leave, perform, TimedDuration, TimedInstant, timer } from '@hilo/engine/contract';
import { z } from 'zod';
import { nextOpening, OpeningHours, openingZone } from './opening-hours.ts';

const Config = z
  .strictObject({
    at: TimedInstant.meta({ description: 'The instant to wait for: ISO 8601 with a zone, or an expression' }).optional(),
    before: TimedDuration.meta({ description: 'Ends the wait this long before "at": "P1D" is 24 hours before it' }).optional(),
    opening: OpeningHours.meta({ description: 'Waits for the next time these hours are open, in place of "at"' }).optional(),
  })
  .superRefine(({ at, before, opening }, context) => {
    if (at === undefined && opening === undefined)
      context.addIssue({ code: 'custom', path: ['at'], message: 'Say until when: give "at" an instant, or "opening" the hours' });
    if (at !== undefined && opening !== undefined)
      context.addIssue({ code: 'custom', path: ['opening'], message: 'Give either "at" or "opening", not both' });
    if (before !== undefined && at === undefined)
      context.addIssue({ code: 'custom', path: ['before'], message: 'Give "at", the instant that this is before' });
  });

/**
 * Waits until an instant or some time before it, or until a business opens. Leaves by `past` at once when that time is over, or is now; by
 * `elapsed` at once when it is open now. With an edge at `interrupted`, a message of the user's cuts the wait short.
 */
export const waitUntil = defineNode({
  type: 'wait-until',
  config: Config,
  visual: {
    label: 'Wait until',
    category: 'time',
    icon: 'calendar-clock',
    colour: '#d97706',
    description: 'Waits until a date and time or some time before it, or until you open. A time that has passed has its own port.',
    summary: ({ at, before, opening }) =>
      at === undefined ? (opening === undefined ? '' : 'the next opening') : before === undefined ? at : `${before} before ${at}`,
    formHints: { at: 'moment', before: 'duration', 'opening.week': 'week', 'opening.timeZone': 'expression' },
  },
  facts: { ports: '`elapsed`, with `at` also `past`; [`interrupted`], [`error`]' },
  ports: ({ opening }) => (opening === undefined ? (['elapsed', 'past'] as const) : (['elapsed'] as const)),
  optionalPorts: ['interrupted', 'error'],
  run({ config, variables, nowMs, isConnected }) {
    const { at, before, opening } = config;
    const atMs = at === undefined ? undefined : instantAt(at, variables);
    const earlierMs = before === undefined ? 0 : durationMs(before, variables, atMs);
    const dueAtMs = opening === undefined ? atMs && atMs - earlierMs : nextOpening(opening, openingZone(opening, variables), nowMs);
    if (dueAtMs === undefined) return fail('NEVER_OPEN', 'Every day of the next two years is a holiday, or has no hours');
    if (dueAtMs <= nowMs) return leave(opening === undefined ? 'past' : 'elapsed');
    return perform(timer({ dueAtMs, isInterruptible: isConnected('interrupted') }), ({ kind }) => leave(kind));
  },
  heardBefore: () => ['interrupted'],
  writingFields: [],
  waitsBefore: ({ opening }) => (opening === undefined ? ['elapsed', 'interrupted'] : ['interrupted']),
  writes: () => ({ interrupted: ['$message'] }),
});
