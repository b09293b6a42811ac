import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import { said } from '../platform/http/openapi.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import type { Service } from '../service.ts';
import { describedSend, sendHeaders, sendRefusals, Sent } from './send-responses.ts';
import { findBot } from './find-bot.ts';
import { checkForChannel, readSend } from './read-send.ts';
import { withSendBody } from './send-body.ts';
import { answerBefore, keyTaken, sendKeyOf } from './request-send-key.ts';
import { checkMedia } from './sendable-media.ts';
import { checkWindow } from './session-window.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/bots/{botId}/messages',
  tags: ['Messages'],
  summary: 'Sends a message to a user of a bot',
  security: [{ basic: [] }],
  request: { params: z.object({ botId: z.string() }), headers: sendHeaders, body: { required: true, ...describedSend } },
  responses: { 200: said('Durably accepted; it leaves in the order of its user', Sent), ...sendRefusals },
});

/** `POST /v1/bots/{botId}/messages` (MSG-01 to MSG-43). Its checks come in the order of GEN-09. */
export function sendRoute(app: OpenAPIHono<HttpEnv>, service: Service, traffic: Pick<Traffic, 'admission'>): void {
  app.openAPIRegistry.registerPath(route);
  app.post('/v1/bots/:botId/messages', (c) => {
    const bot = findBot(c, service);
    const at = { companyId: bot.companyId, botId: bot.id };
    return withSendBody(c, traffic, async (body) => {
      const { userId, request, message } = readSend(body, bot);
      const key = sendKeyOf(c, body);
      const before = await answerBefore(service.outbox, at, key);
      if (before !== undefined) return c.json({ success: true, messageId: before });
      checkForChannel(request, bot);
      const contact = await service.store.executions.contact(bot.companyId, bot.id, [userId]);
      await checkWindow(service, bot, userId, contact);
      await checkMedia(service.media, request, bot);
      await checkWindow(service, bot, userId, contact); // the look at a file takes its time (WIN-04)
      const send = { ...at, userId, knownAs: contact?.userId ?? userId, message, ...(key !== undefined && { key }) };
      const acceptance = await service.outbox.accept(send);
      if (acceptance.kind !== 'accepted' && acceptance.kind !== 'repeated') throw keyTaken();
      return c.json({ success: true, messageId: acceptance.messageId });
    });
  });
}
