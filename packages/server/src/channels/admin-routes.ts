import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { CompanyQuery, errorResponses } from '../platform/http/admin.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { jsonResponse } from '../platform/http/openapi.ts';
import { requireBotById } from '../tenants/companies.ts';
import type { ChannelParts } from './channels.ts';

const Check = z
  .object({
    botId: z.string(),
    kind: z.string().openapi({ description: 'Of its provider' }),
    isWorking: z.boolean().nullable().openapi({ description: 'Null where the provider has nothing to read' }),
    message: z.string().openapi({ description: 'The name of the bot at the provider, or what is wrong and where to look' }),
  })
  .openapi('ChannelCheck');

const OfBot = z.object({
  companyId: CompanyQuery.shape.companyId.openapi({ description: 'Optional: the id of a bot is unique among all companies' }),
});

const check = createRoute({
  method: 'post',
  path: '/bots/{botId}/check',
  operationId: 'checkBot',
  tags: ['Channels'],
  summary: "Makes the cheapest read of a bot's provider with its credentials; sends no message",
  description: 'Tells an expired token or a wrong id before a user notices it.',
  request: { params: z.object({ botId: z.string() }), query: OfBot },
  responses: { 200: jsonResponse('The result of the check', Check), ...errorResponses },
});

/** Checks whether a bot's provider accepts its credentials. */
export function channelRoutes(app: OpenAPIHono<HttpEnv>, { companies, channels }: Pick<ChannelParts, 'companies' | 'channels'>): void {
  app.openapi(check, async (c) => {
    const { botId } = c.req.valid('param');
    const bot = requireBotById({ companies }, botId, c.req.valid('query').companyId);
    const { kind } = bot.provider;
    const answer = (isWorking: boolean | null, message: string) => c.json({ botId, kind, isWorking, message }, 200);
    const channel = channels.of(bot);
    if (channel === undefined) return answer(false, `There is no adapter for providers of kind "${kind}" here`);
    const { connected, host } = channel;
    if ('unfitFields' in connected)
      return answer(false, `The workspace lacks fields of this provider, or has them wrong: ${connected.unfitFields.join(', ')}`);
    if (connected.check === undefined) return answer(null, `A provider of kind "${kind}" has nothing to read: send a message to see`);
    const { isWorking, message } = await connected.check(host());
    return answer(isWorking, message);
  });
}
