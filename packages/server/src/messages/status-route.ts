import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import { said } from '../platform/http/openapi.ts';
import { notFound } from '../platform/http/refusal.ts';
import type { Service } from '../service.ts';
import { sendRefusals } from './send-responses.ts';
import { findBot } from './find-bot.ts';

const Status = z
  .object({
    messageId: z.string(),
    status: z.enum(['queued', 'sent', 'delivered', 'read', 'failed']),
    error: z.object({ code: z.string(), message: z.string() }).optional().openapi({ description: 'Why it failed' }),
    updatedAt: z.string().openapi({ format: 'date-time' }),
  })
  .openapi('MessageStatus');

const { 400: _noBody, ...refusals } = sendRefusals;

const route = createRoute({
  method: 'get',
  path: '/v1/bots/{botId}/messages/{messageId}',
  tags: ['Messages'],
  summary: 'What became of a message that was sent',
  security: [{ basic: [] }],
  request: { params: z.object({ botId: z.string(), messageId: z.string() }) },
  responses: { 200: said('Where it stands', Status), ...refusals },
});

/** `GET /v1/bots/{botId}/messages/{messageId}` (MSG-42). */
export function statusRoute(app: OpenAPIHono<HttpEnv>, service: Service): void {
  app.openapi(route, async (c) => {
    const bot = findBot(c, service);
    const { messageId } = c.req.valid('param');
    const found = await service.outbox.find(bot.companyId, bot.id, messageId);
    if (found === undefined) throw notFound('MESSAGE_NOT_FOUND', `Bot "${bot.id}" has sent no message "${messageId}"`);
    const { error, updatedAtMs } = found;
    const status = Status.shape.status.parse(found.status);
    return c.json({ messageId, status, ...(error !== undefined && { error }), updatedAt: new Date(updatedAtMs).toISOString() }, 200);
  });
}
