import { defineNode, leave } from '@hilo/engine/contract';
import { z } from 'zod';

/** Where an execution continues, once, after a failure that no port handled. `$error` describes it. */
export const catchNode = defineNode({
  type: 'catch',
  config: z.strictObject({}),
  visual: {
    label: 'Catch',
    category: 'entry',
    icon: 'shield-alert',
    colour: '#16a34a',
    description: 'Continues here after a failure that nothing else handles.',
  },
  ports: ['caught'],
  entry: { kind: 'catch' },
  run: () => leave('caught'),
  writes: () => ({ caught: ['$error'] }),
});
