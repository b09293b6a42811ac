import { defineEffect } from '@hilo/engine/contract';
import { z } from 'zod';

/** The change of a conversation's tags: `clear` removes all, `replace` leaves only the given ones. */
export const TagAction = z.enum(['add', 'remove', 'replace', 'clear']);

/**
 * Changes the tags of the room of the bot and the user of the execution. Changes that others make at the same
 * time are kept (TAG-08). `tags` are the ids that the room has then.
 */
export const changeTags = defineEffect('tags.change', {
  request: z.strictObject({ action: TagAction, tags: z.array(z.int()) }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('changed'), tags: z.array(z.int()) }),
    z.strictObject({ kind: z.literal('refused'), cause: z.string(), message: z.string() }),
  ]),
  samples: ({ action, tags }, { text }) =>
    [
      { kind: 'changed', tags: action === 'remove' || action === 'clear' ? [] : tags },
      { kind: 'refused', cause: 'TAG_NOT_FOUND', message: text },
    ] as const,
});

/** The tags after a change, by what they are: those that two changes name are there once (TAG-04). */
export const changedTags = (current: readonly number[], action: z.output<typeof TagAction>, given: readonly number[]): readonly number[] =>
  ({
    add: () => [...new Set([...current, ...given])],
    remove: () => current.filter((id) => !given.includes(id)),
    replace: () => [...new Set(given)],
    clear: () => [],
  })[action]();
