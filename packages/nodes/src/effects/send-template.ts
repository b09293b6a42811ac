import { defineEffect } from '@hilo/engine/contract';
import { z } from 'zod';

/**
 * Sends an approved template to the user of the execution, inside the 24-hour window or outside it (TPL-10).
 * `windowUntilMs` comes with a result that opened the window again (WIN-02), in milliseconds since the Unix epoch.
 */
export const sendTemplate = defineEffect('template.send', {
  request: z.strictObject({ templateId: z.string(), parameters: z.record(z.string(), z.string()) }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('sent'), messageId: z.string(), windowUntilMs: z.number().exactOptional() }),
    z.strictObject({ kind: z.literal('refused'), cause: z.string(), message: z.string() }),
  ]),
});
