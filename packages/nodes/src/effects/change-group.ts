import { defineEffect } from '@hilo/engine/contract';
import { z } from 'zod';

/** What is done to the membership of a contact. */
export const GroupAction = z.enum(['add', 'remove']);

/** What the name of a group is, wherever one is written. */
export const groupName = {
  /** No letter that is not drawn, such as a Hangul filler, which makes two names look alike. */
  pattern: /^(?!.{0,99}\p{Default_Ignorable_Code_Point})[\p{L}\p{N}][\p{L}\p{N} _.:@-]{0,99}$/u,
  problem: 'a group has 1 to 100 letters, digits, blanks, "_", ".", ":", "@" or "-"',
} as const;

export const GroupName = z.string('a group is a text').regex(groupName.pattern, groupName.problem);

/** Adds the user of the execution to a group of contacts, or takes them out of it. A change that was made already is the same change. */
export const changeGroup = defineEffect('group.change', {
  request: z.strictObject({ action: GroupAction, group: GroupName }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('changed') }),
    z.strictObject({ kind: z.literal('refused'), cause: z.string(), message: z.string() }),
  ]),
  samples: (_request, { text }) => [{ kind: 'changed' }, { kind: 'refused', cause: 'USER_NOT_FOUND', message: text }] as const,
});
