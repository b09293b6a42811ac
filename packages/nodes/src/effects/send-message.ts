import { defineEffect, Json } from '@hilo/engine/contract';
import { z } from 'zod';

/**
 * Sends a message to the user of the execution. `message` is a whole `Message`, its texts rendered. `windowClosed` says
 * that only a template would go out now (WIN-01); `refused`, that the channel does not take this message at all.
 */
export const sendMessage = defineEffect('message.send', {
  request: z.strictObject({ message: Json }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('sent'), messageId: z.string() }),
    z.strictObject({ kind: z.literal('windowClosed') }),
    z.strictObject({ kind: z.literal('refused'), cause: z.string(), message: z.string() }),
  ]),
});
