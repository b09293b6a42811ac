/** A canvas with a chain of nodes, each entered by the named port of the one before. */
const chain = (
  id: string,
  kind: 'skill' | 'tool',
  nodes: readonly (readonly [id: string, type: string, data?: object, port?: string])[],
  input?: string,
) => ({
  schemaVersion: 1,
  id,
  name: id,
  kind,
  nodes: nodes.map(([nodeId, type, data]) => ({ id: nodeId, type, ...(data !== undefined && { data }) })),
  ...(input !== undefined && { settings: { inputs: { [input]: { type: 'any' } } } }),
  edges: nodes.slice(1).map(([target], index) => {
    const [source, , , port] = nodes[index] ?? [];
    return { source, target, ...(port !== undefined && { sourceHandle: port }) };
  }),
});

const text = (said: string): object => ({ message: { type: 'text', text: said } });
const end = (outputs: object = {}) => ['done', 'end', { outputs }] as const;

/** Echoes the user's message, asks, and echoes the answer. */
const conversation = chain('talk', 'skill', [
  ['begin', 'start', { fallback: true }],
  ['hello', 'message', text('Hello {{$message.text}}'), 'sent'],
  ['ask', 'ask', { ...text('And?'), input: { kind: 'text' }, saveAs: '$context.said' }, 'answered'],
  ['echo', 'message', text('You said {{$context.said}}'), 'sent'],
  end({ said: '{{$context.said}}' }),
]);

/** Begins by a request, and waits for one more. */
const order = chain('order', 'skill', [
  ['hook', 'webhook', { variableName: 'order', methods: ['POST'], userIdPath: 'user', executionIdPath: 'executionId' }, 'new'],
  ['placed', 'message', text('Placed'), 'sent'],
  ['paid', 'wait-external', {}, 'resumed'],
  ['thanks', 'message', text('Paid by {{$webhook.order.body.by}}'), 'sent'],
  end({ by: '{{$webhook.order.body.by}}' }),
]);

/** How long `nap` and the child of `parent` wait, in milliseconds. */
export const napMs = 400;

const nap = chain('nap', 'tool', [['begin', 'start', {}], ['sleep', 'delay', { duration: `PT${napMs / 1_000}S` }, 'elapsed'], end()]);

const child = chain(
  'child',
  'skill',
  [
    ['begin', 'start', {}],
    ['inside', 'message', text('Inside'), 'sent'],
    ['sleep', 'delay', { duration: `PT${napMs / 1_000}S` }, 'elapsed'],
    end({ doubled: '{{$input.value * 2.0}}' }),
  ],
  'value',
);

const parent = chain('parent', 'skill', [
  ['begin', 'start', {}],
  ['call', 'workflow', { workflowId: 'child', inputs: { value: 21 }, saveAs: '$context.found' }, 'success'],
  ['tell', 'message', text('Found {{$context.found.doubled}}'), 'sent'],
  end({ found: '{{$context.found.doubled}}' }),
]);

const awaiting = chain(
  'awaiting',
  'tool',
  [
    ['begin', 'start', {}],
    ['event', 'wait-event', { name: 'paid', correlation: '{{$input.order}}', saveAs: '$context.paid' }, 'received'],
    end({ paid: '{{$context.paid}}' }),
  ],
  'order',
);

const sending = chain(
  'sending',
  'tool',
  [
    ['begin', 'start', {}],
    ['event', 'send-event', { name: 'paid', correlation: '{{$input.order}}', payload: 'by event', saveAs: '$context.waits' }],
    end({ waits: '{{$context.waits}}' }),
  ],
  'order',
);

/** Sends an event that is held where nothing waits for it. */
const holding = chain(
  'holding',
  'tool',
  [
    ['begin', 'start', {}],
    ['event', 'send-event', { name: 'paid', correlation: '{{$input.order}}', payload: 'by event', ttl: 'PT1H', saveAs: '$context.waits' }],
    end({ waits: '{{$context.waits}}' }),
  ],
  'order',
);

/** Sends one message, and tries again when that fails. */
const stubborn = chain('stubborn', 'skill', [
  ['begin', 'start', {}],
  ['say', 'message', { ...text('Again'), retry: { attempts: 3, delay: 'PT0.05S' } }, 'sent'],
  end(),
]);

/** Asks one of several questions that a user may have open. */
const asking = chain(
  'asking',
  'skill',
  [
    ['begin', 'start', {}],
    ['ask', 'ask', { ...text('{{$input.about}}?'), input: { kind: 'text' }, saveAs: '$context.said' }, 'answered'],
    end({ said: '{{$context.said}}' }),
  ],
  'about',
);

/** A wait for others that a message of the user's ends, and all else that it may come to, the end. */
const stoppable = (type: string, data: object, ...others: readonly string[]) => {
  const canvas = chain(`stop-${type}`, 'skill', [
    ['begin', 'start', {}],
    ['wait', type, data, 'interrupted'],
    ['tell', 'message', text('Stopped {{$message.text}}'), 'sent'],
    end({ by: 'message' }),
  ]);
  return {
    ...canvas,
    nodes: [...canvas.nodes, { id: 'other', type: 'end', data: { outputs: { by: 'other' } } }],
    edges: [...canvas.edges, ...others.map((sourceHandle) => ({ source: 'wait', target: 'other', sourceHandle }))],
  };
};

const hook = { variableName: 'call', methods: ['POST'], userIdPath: 'user', executionIdPath: 'executionId' };
const external = stoppable('wait-external', {}, 'resumed');

/** Each kind of wait for others, by the id of its canvas. */
export const stoppables: readonly { readonly id: string }[] = [
  stoppable('wait-event', { name: 'paid', correlation: 'stop' }, 'received'),
  {
    ...external,
    nodes: [...external.nodes, { id: 'hook', type: 'webhook', data: hook }],
    edges: [...external.edges, { source: 'hook', target: 'wait', sourceHandle: 'new' }],
  },
  stoppable('webhook', hook, 'new', 'resume'),
  stoppable('workflow', { workflowId: 'awaiting', inputs: { order: 'stop' } }, 'success'),
];

/** Callees before callers. */
export const publishedCanvases: readonly object[] = [
  conversation,
  order,
  nap,
  child,
  parent,
  awaiting,
  sending,
  holding,
  stubborn,
  asking,
  ...stoppables,
];
