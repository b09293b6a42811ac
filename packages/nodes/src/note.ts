import { defineNode, finish } from '@hilo/engine/contract';
import { z } from 'zod';

/** A remark for readers of the canvas. It is no part of the flow and never runs. */
export const note = defineNode({
  type: 'note',
  config: z.strictObject({ text: z.string().max(10_000).default('').meta({ description: 'The remark' }) }),
  visual: {
    label: 'Note',
    category: 'flow',
    icon: 'sticky-note',
    colour: '#ca8a04',
    description: 'A remark on the canvas.',
    summary: ({ text = '' }) => text,
    formHints: { text: 'multiline' },
  },
  facts: { limits: '10,000 characters' },
  names: ['text'],
  ports: [],
  isRemark: true,
  run: () => finish('done'),
});
