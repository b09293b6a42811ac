import { defineNode, durationMs, leave, perform, TimedDuration, timer } from '@hilo/engine/contract';
import { z } from 'zod';

/** Waits for a time. With an edge at `interrupted`, a message of the user's cuts it short; without one it goes wherever else it leads. */
export const delay = defineNode({
  type: 'delay',
  config: z.strictObject({ duration: TimedDuration.meta({ description: 'How long to wait' }) }),
  visual: {
    label: 'Delay',
    category: 'time',
    icon: 'hourglass',
    colour: '#d97706',
    description: 'Waits for a time, from seconds to weeks. A message from the user can end it early.',
    summary: ({ duration }) => duration ?? '',
    formHints: { duration: 'duration' },
  },
  ports: ['elapsed'],
  optionalPorts: ['interrupted', 'error'],
  run: ({ config, variables, nowMs, isConnected }) =>
    perform(timer({ dueAtMs: nowMs + durationMs(config.duration, variables), isInterruptible: isConnected('interrupted') }), ({ kind }) =>
      leave(kind),
    ),
  heardBefore: () => ['interrupted'],
  waitFields: { duration: ['elapsed'] },
  writingFields: [],
  waitsBefore: () => ['elapsed', 'interrupted'],
  writes: () => ({ interrupted: ['$message'] }),
});
