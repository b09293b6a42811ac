// A canvas whose execution waits for a reply from its first message on: the example that properties play before what they draw. So what they
// are about happens in each run of tests, whichever values a seed draws.
import type { CanvasFamily } from '../../packages/testing/src/arbitraries/canvases.ts';

export const waitingFamily: CanvasFamily = {
  main: {
    schemaVersion: 1,
    id: 'main',
    name: 'Waiting',
    kind: 'skill',
    settings: {},
    variables: {},
    nodes: [
      { id: 'begin', type: 'start', data: { fallback: true } },
      {
        id: 'who',
        type: 'ask',
        data: { message: { type: 'text', text: 'Who are you?' }, input: { kind: 'text' }, saveAs: '$context.name', timeout: 'P1D' },
      },
      { id: 'done', type: 'end', data: {} },
    ],
    edges: [
      { source: 'begin', sourceHandle: 'next', target: 'who' },
      { source: 'who', sourceHandle: 'answered', target: 'done' },
    ],
  },
  children: [],
};
