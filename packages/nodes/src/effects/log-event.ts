import { defineEffect, Json } from '@hilo/engine/contract';
import { z } from 'zod';

/** The schema of how grave a logged event is. */
export const LogLevel = z.enum(['info', 'warn', 'error']);

/** Reports a named event to operators, to be counted and searched. */
export const logEvent = defineEffect('log.event', {
  request: z.strictObject({ name: z.string(), level: LogLevel, data: Json }),
  result: z.strictObject({ kind: z.literal('done') }),
  samples: () => [{ kind: 'done' } as const],
});
