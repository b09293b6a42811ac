// Parts of the example requests of several routes, with the names of `examples/workspace`.

/** The user of the bot `bot_wa`. */
export const exampleUser = { id: '5215512345678' };

/** The company of the workspace, where a query names it. */
export const acme = { query: { companyId: '1' } };

/** The path parameters of a workflow of the workspace. */
export const orderStatus = { workflowId: 'order-status' };

/** A canvas that greets. */
export const helloCanvas = {
  schemaVersion: 1,
  id: 'hello',
  name: 'Hello',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
    { id: 'greet', type: 'message', data: { message: { type: 'text', text: 'Hello {{$user.names ?? "there"}}!' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'greet' },
    { source: 'greet', sourceHandle: 'sent', target: 'done' },
  ],
};

/** An execution that an earlier answer told of. */
export const execution = { path: { executionId: 'EXECUTION_ID' } };

/** A conversation that an earlier answer told of. */
export const conversation = { path: { conversationId: 'CONVERSATION_ID' }, ...acme };

/** A month, where a query names it. */
export const january = { startAt: '2026-01-01T00:00:00Z', endAt: '2026-01-31T23:59:59Z' };
