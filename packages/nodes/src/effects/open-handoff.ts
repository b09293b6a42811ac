import { defineEffect } from '@hilo/engine/contract';
import { z } from 'zod';

/**
 * Opens a conversation between the user of the execution and an operator: a given one, one of a given team, or any. A user in an open
 * conversation stays in it. `key` is the correlation of the signal at the end of the conversation, across transfers; the execution is
 * signalled only when `waits` is true.
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
  samples: (_request, { text }) =>
    [
      { kind: 'opened', conversationId: 'conversation-1', key: 'conversation-1' },
      { kind: 'noAgent' },
      { kind: 'refused', cause: 'TEAM_NOT_FOUND', message: text },
    ] as const,
});
