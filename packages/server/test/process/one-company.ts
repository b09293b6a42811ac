import type { JsonObject } from '@hilo/engine/contract';
import { keys } from './caller.ts';

/** A workspace of one company with the key `keys.acme`, one bot that keeps what it sends, and published workflows. */
export const oneCompany = (appSecret: string, canvases: readonly JsonObject[]): JsonObject => ({
  companies: [
    {
      id: 1,
      name: 'Acme',
      kind: 'enterprise',
      plan: 'enterprise',
      apiKeys: [{ id: 'key', key: keys.acme }],
      bots: [{ id: 'bot_web', name: 'Web', channel: 'web', connectedAt: '2025-01-01T00:00:00Z', provider: { kind: 'log', appSecret } }],
      workflows: canvases.map((canvas) => ({ canvas, publish: true })),
    },
  ],
});
