const node = (id: string, type: string, data: object = {}) => ({ id, type, data });
const text = (said: string) => ({ message: { type: 'text', text: said } });
/** Says hello, asks, echoes the answer, pauses, and says bye. */
export const talk = {
  schemaVersion: 1,
  id: 'talk',
  name: 'Talk',
  nodes: [
    node('begin', 'start', { fallback: true }),
    node('hello', 'message', text('Hello')),
    node('ask', 'ask', { ...text('And?'), input: { kind: 'text' }, saveAs: '$context.said' }),
    node('echo', 'message', text('You said {{$context.said}}')),
    node('pause', 'delay', { duration: 'PT0.2S' }),
    node('bye', 'message', text('Bye')),
    node('done', 'end'),
  ],
  edges: [
    { source: 'begin', target: 'hello' },
    { source: 'hello', sourceHandle: 'sent', target: 'ask' },
    { source: 'ask', sourceHandle: 'answered', target: 'echo' },
    { source: 'echo', sourceHandle: 'sent', target: 'pause' },
    { source: 'pause', sourceHandle: 'elapsed', target: 'bye' },
    { source: 'bye', sourceHandle: 'sent', target: 'done' },
  ],
};
