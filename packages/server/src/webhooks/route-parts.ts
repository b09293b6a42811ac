// What the routes of webhooks and of callbacks have in common.
import type { WebhookMethod } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import type { Address } from '../platform/http/define-route.ts';

/** The answer to a call that was accepted. */
export const Accepted = z
  .object({
    success: z.literal(true),
    executionId: z.string(),
    mode: z.enum(['new', 'resume']),
    isNewExecution: z.boolean(),
    ignored: z.literal(true).optional().openapi({ description: 'A resume after the first under oneTimeOnly' }),
    status: z.string().optional().openapi({ description: 'How the execution ended, where the webhook answers on finish' }),
  })
  .openapi('WebhookAccepted');

/** A path with the method that it is called by. */
export function addressOf(method: WebhookMethod, path: `/${string}`): Address {
  switch (method) {
    case 'GET':
      return { get: path };
    case 'POST':
      return { post: path };
    case 'PUT':
      return { put: path };
    case 'PATCH':
      return { patch: path };
    case 'DELETE':
      return { delete: path };
  }
}
