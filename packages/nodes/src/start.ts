import { defineNode, type JsonObject, leave } from '@hilo/engine/contract';
import { z } from 'zod';
import { foldedText } from './folded-text.ts';

const Keyword = z
  .string()
  .max(200)
  .refine((keyword) => foldedText(keyword) !== '', { error: 'A keyword needs at least one visible character' })
  .transform(foldedText);

/** Starts a conversation: by a keyword that is the user's whole message, or by any message, as the fallback. */
export const start = defineNode({
  type: 'start',
  config: z.strictObject({ keywords: z.array(Keyword).max(100).default([]), fallback: z.boolean().default(false) }),
  visual: {
    label: 'Start',
    category: 'entry',
    icon: 'play',
    colour: '#16a34a',
    description: 'Where a conversation begins: when the user writes one of the keywords, or anything that no other flow knows.',
    summary: ({ keywords = [], fallback = false }) => [...keywords, ...(fallback ? ['anything else'] : [])].join(', ') || 'When called',
  },
  facts: { limits: '100 keywords of 200 characters' },
  ports: ['next'],
  entry: {
    kind: 'message',
    match: ({ keywords, fallback }, { text }: JsonObject) => {
      if (typeof text === 'string' && keywords.includes(foldedText(text))) return 'keyword';
      return fallback ? 'fallback' : undefined;
    },
  },
  run: () => leave('next'),
});
