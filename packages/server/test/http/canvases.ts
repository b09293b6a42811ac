/** Canvases that the tests of the surfaces share: the smallest ones that show a rule. */

const edge = (source: string, target: string, sourceHandle?: string) => ({
  source,
  target,
  ...(sourceHandle !== undefined && { sourceHandle }),
});

/** A webhook that accepts orders, waits for a second request, and ends. */
export const order = (data: object = {}, id = 'order') => ({
  schemaVersion: 1,
  id,
  name: id,
  nodes: [
    {
      id: 'hook',
      type: 'webhook',
      data: {
        variableName: 'order',
        methods: ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'],
        userIdPath: 'user.id',
        executionIdPath: 'meta.executionId',
        ...data,
      },
    },
    { id: 'pause', type: 'delay', data: { duration: 'PT1S' } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [edge('hook', 'pause', 'new'), edge('hook', 'done', 'resume'), edge('pause', 'hook')],
});

/** A webhook that answers its caller with `respond` after a pause. */
export const respondLater = (data: object = {}, pause = 'PT1S') => ({
  schemaVersion: 1,
  id: 'respond-later',
  name: 'Respond later',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'call', methods: ['POST'], userIdPath: 'user.id', respond: 'onFinish' } },
    { id: 'pause', type: 'delay', data: { duration: pause } },
    {
      id: 'answer',
      type: 'respond',
      data: {
        status: 201,
        headers: { 'x-shop': 'open' },
        body: { got: '{{$webhook.call.body.n}}' },
        ...data,
      },
    },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [edge('hook', 'pause', 'new'), edge('pause', 'answer'), edge('answer', 'done')],
});

/** A webhook that waits for an event of its order, for an hour. */
export const paid = {
  schemaVersion: 1,
  id: 'paid',
  name: 'Paid',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user.id' } },
    {
      id: 'wait',
      type: 'wait-event',
      data: { name: 'payment.received', correlation: '{{$webhook.order.body.number}}', saveAs: '$context.payment', timeout: 'PT1H' },
    },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [edge('hook', 'wait', 'new'), edge('wait', 'done', 'received'), edge('wait', 'done', 'timeout')],
};

/** A conversation: any message starts it, a reply ends it. */
export const greeting = {
  schemaVersion: 1,
  id: 'greeting',
  name: 'Greeting',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'ask', type: 'ask', data: { message: { type: 'text', text: 'Your name?' }, input: { kind: 'text' }, saveAs: '$context.name' } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [edge('begin', 'ask'), edge('ask', 'done', 'answered'), edge('ask', 'done', 'invalid'), edge('ask', 'done', 'error')],
};
