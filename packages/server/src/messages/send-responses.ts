import { JsonObject } from '@hilo/engine/contract';
import { SendRequest } from '@hilo/nodes';
import { z } from '@hono/zod-openapi';
import { Problem, said } from '../platform/http/openapi.ts';
import { anyRefusals } from '../platform/http/rest-envelope.ts';

/** What a message that was accepted is answered (MSG-02). */
export const Sent = z.object({ success: z.literal(true), messageId: z.string() }).openapi('Sent');

/** The body, by the very schema that judges it. It is judged by hand, so that checks keep their order (GEN-09). */
export const describedSend = { content: { 'application/json': { schema: bodySchema() } } };

function bodySchema(): JsonObject {
  const { $schema: _dialect, ...schema } = JsonObject.parse(z.toJSONSchema(SendRequest, { io: 'input', unrepresentable: 'any' }));
  return schema;
}

export const sendHeaders = z.object({
  'idempotency-key': z.string().max(128).optional().openapi({ description: 'The same key and body within 24 hours is one message' }),
});

export const sendRefusals = {
  ...anyRefusals,
  400: said('A field, the user, the file or the window: see error', Problem),
  404: said('No such bot, campaign or user: see error', Problem),
};
