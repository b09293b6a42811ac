import { defineEffect } from '@hilo/engine/contract';
import { z } from 'zod';

/**
 * Opens a conversation between the user of the execution and an operator: this one, one of this team, or anybody. A user
 * whom an operator attends already stays with them. `key` is what the end of the conversation is signalled with, whomever
 * it is transferred to; the execution is signalled only where `waits` is true.
 */
export const openHandoff = defineEffect('handoff.open', {
  request: z.strictObject({
    teamId: z.int().positive().optional(),
    operatorId: z.int().positive().optional(),
    /** After how long without a message the conversation expires. */
    idleMs: z.int().positive(),
    waits: z.boolean(),
  }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('opened'), conversationId: z.string(), key: z.string() }),
    z.strictObject({ kind: z.literal('noAgent') }),
    z.strictObject({ kind: z.literal('refused'), cause: z.string(), message: z.string() }),
  ]),
});
