// The smallest canvas for tests of durability: it says one thing and is done.
import type { Engine } from '@hilo/engine';
import type { Clock } from '@hilo/engine/contract';

export const systemClock: Clock = { now: Date.now, setTimeout, clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout) };

/** Says one thing and is done. */
export const visiting = {
  schemaVersion: 1,
  id: 'visiting',
  name: 'Visiting',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'greet', type: 'message', data: { message: { type: 'text', text: 'Hello {{$user.id}}' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'greet' },
    { source: 'greet', sourceHandle: 'sent', target: 'done' },
  ],
};

/** Starts the visit of a user, once for any number of calls. */
export const startVisit = (engine: Engine, userId: string): Promise<{ readonly executionId: string }> =>
  engine.startWorkflow({
    origin: { companyId: '1', botId: 'bot', userId, channel: 'whatsapp', route: 'production' },
    workflowId: visiting.id,
    idempotencyKey: userId,
  });
