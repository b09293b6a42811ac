import type { Json, JsonObject } from '@hilo/engine/contract';

/** The key of the third company. */
export const thirdKey = 'hk_third_0123456789abcdef';

const edge = (source: string, target: string, sourceHandle?: string): JsonObject => ({
  source,
  target,
  ...(sourceHandle !== undefined && { sourceHandle }),
});

/** A webhook at `hook` and what follows it, published. */
const workflow = (
  id: string,
  webhook: JsonObject,
  nodes: readonly JsonObject[],
  edges: readonly JsonObject[],
  kind = 'skill',
): JsonObject => ({
  publish: true,
  canvas: {
    schemaVersion: 1,
    id,
    name: id,
    kind,
    nodes: [
      { id: 'hook', type: 'webhook', data: { variableName: 'call', methods: ['POST'], userIdPath: 'user.id', ...webhook } },
      ...nodes,
      { id: 'done', type: 'end', data: {} },
    ],
    edges: [...edges],
  },
});

const bot = (id: string, connectedAt: string): JsonObject => ({
  id,
  name: id,
  channel: 'custom',
  connectedAt,
  provider: { kind: 'log', appSecret: `secret-of-${id}` },
});

/** A webhook that ends at once. */
export const noted = (id: string, webhook: JsonObject = {}): JsonObject => workflow(id, webhook, [], [edge('hook', 'done', 'new')]);

/** A company for the rules of webhooks that the example has no canvas for. */
export const thirdCompany: Json = {
  id: 3,
  name: 'Third',
  kind: 'self-service',
  plan: 'free',
  apiKeys: [{ id: 'third-key', key: thirdKey }],
  bots: [bot('bot_old', '2026-01-01T00:00:00Z'), bot('bot_new', '2026-02-01T00:00:00Z'), bot('bot_older', '2025-01-01T00:00:00Z')],
  workflows: [
    noted('noted', { legacyId: 'wh-1999' }),
    noted('earlier', { storage: 'context' }),
    workflow('gadget', { userIdPath: 'user.id' }, [], [edge('hook', 'done', 'new')], 'tool'),
    workflow(
      'answering',
      { respond: 'onFinish' },
      [{ id: 'answer', type: 'respond', data: { status: 201, headers: { 'x-shop': 'open' }, body: { got: '{{$webhook.call.body.n}}' } } }],
      [edge('hook', 'answer', 'new'), edge('answer', 'done')],
    ),
    workflow(
      'twice',
      { executionIdPath: 'meta.executionId', oneTimeOnly: false },
      [{ id: 'pause', type: 'delay', data: { duration: 'PT1S' } }],
      [edge('hook', 'pause', 'new'), edge('pause', 'hook'), edge('hook', 'done', 'resume')],
    ),
  ],
};
