import { z } from '@hono/zod-openapi';
import { CompanyQuery, errorResponses } from '../platform/http/admin.ts';
import { defineRoute } from '../platform/http/define-route.ts';
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

/** Checks whether a bot's provider accepts its credentials. */
export const checkBot = defineRoute({
  post: '/admin/v1/bots/{botId}/check',
  operationId: 'checkBot',
  auth: 'operator',
  permission: 'operate',
  tags: ['Channels'],
  summary: "Makes the cheapest read of a bot's provider with its credentials; sends no message",
  description: 'Tells an expired token or a wrong id before a user notices it.',
  params: z.object({ botId: z.string() }),
  query: OfBot,
  answer: jsonResponse('The result of the check', Check),
  refusals: errorResponses,
  example: { path: { botId: 'bot_wa' }, query: { companyId: '1' } },
  async handle({ params: { botId }, query: { companyId } }, { companies, channels }: Pick<ChannelParts, 'companies' | 'channels'>) {
    const bot = requireBotById({ companies }, botId, companyId);
    const { kind } = bot.provider;
    const answer = (isWorking: boolean | null, message: string) => ({ botId, kind, isWorking, message });
    const channel = channels.of(bot);
    if (channel === undefined) return answer(false, `There is no adapter for providers of kind "${kind}" here`);
    const { connected, host } = channel;
    if ('unfitFields' in connected)
      return answer(false, `The workspace lacks fields of this provider, or has them wrong: ${connected.unfitFields.join(', ')}`);
    if (connected.check === undefined) return answer(null, `A provider of kind "${kind}" has nothing to read: send a message to see`);
    const { isWorking, message } = await connected.check(host());
    return answer(isWorking, message);
  },
});
