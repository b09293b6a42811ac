import { defineNode, fail, leave, perform } from '@hilo/engine/contract';
import { z } from 'zod';
import { changeTags, TagAction } from './effects/change-tags.ts';

/** More tags than a person would look through. */
const maxTags = 100;

/** Changes the tags of the user's conversation with the bot, which operators see and filter by (TAG-03 to TAG-08). */
export const tags = defineNode({
  type: 'tags',
  config: z
    .strictObject({
      action: TagAction.meta({ description: 'Adds the tags, removes them, replaces all tags with them, or removes all tags' }),
      tags: z.array(z.int().positive()).max(maxTags).default([]).meta({ description: 'Ids of tags of the company' }),
    })
    .superRefine(({ action, tags: ids }, context) => {
      const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['tags'], message });
      if (action === 'clear' && ids.length > 0) refuse('"clear" takes all tags away: leave "tags" out');
      if (action !== 'clear' && ids.length === 0) refuse(`"${action}" needs at least one tag id; to take all away use "clear"`);
    }),
  visual: {
    label: 'Tags',
    category: 'people',
    icon: 'tags',
    colour: '#ea580c',
    description: "Adds tags to the user's conversation, removes or replaces them, or removes all.",
    summary: ({ action, tags: ids = [] }) => (action === 'clear' ? 'clear' : `${action ?? ''} ${ids.join(', ')}`.trim()),
  },
  facts: { needs: 'tags of the company' },
  ports: ['next'],
  optionalPorts: ['error'],
  supports: { kinds: ['skill'] },
  references: ({ tags: ids }) => ids.map((id, place) => ({ kind: 'tag', id: String(id), at: ['tags', place] })),
  effects: [changeTags],
  risk: () => 'change',
  run: ({ config: { action, tags: ids } }) =>
    perform(changeTags({ action, tags: ids }), (result) =>
      result.kind === 'changed' ? leave('next') : fail(result.cause, result.message),
    ),
});
