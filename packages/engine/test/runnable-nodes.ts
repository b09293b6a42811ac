import { z } from 'zod';
import { defineNode, finish, leave } from '../src/contract/index.ts';

/** How nodes look that nobody sees. */
export const visual = { label: '', category: 'flow', icon: 'x', colour: '#000000', description: '' } as const;
export const none = z.strictObject({});

/** Begins with whatever message. Between it and an {@link end} stands the node that a test is of. */
export const start = defineNode({
  type: 'start',
  config: none,
  visual,
  ports: ['next'],
  entry: { kind: 'message', match: () => 'fallback' },
  run: () => leave('next'),
});

export const end = defineNode({ type: 'end', config: none, visual, ports: [], run: () => finish('done', {}) });
