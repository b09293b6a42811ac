import type { JsonObject } from '@hilo/engine/contract';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import { said } from '../platform/http/openapi.ts';
import { notFound, Refusal } from '../platform/http/refusal.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import { parametersProblem, templateMessage } from '../messages/template-text.ts';
import type { Bot } from '../tenants/companies.ts';
import type { Service } from '../service.ts';
import { sendHeaders, sendRefusals, Sent } from '../messages/send-responses.ts';
import { findBot } from '../messages/find-bot.ts';
import { withSendBody } from '../messages/send-body.ts';
import { answerBefore, keyTaken, sendKeyOf } from '../messages/request-send-key.ts';
import { campaignOver, findCampaign, isOver, type OpenCampaign } from './find-campaign.ts';
import { readTemplateSend, TemplateSend } from './read-template-send.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/bots/{botId}/campaigns/{campaignId}/template-messages',
  tags: ['Messages'],
  summary: 'Sends a template to a recipient of a campaign',
  security: [{ basic: [] }],
  request: {
    params: z.object({ botId: z.string(), campaignId: z.string() }),
    headers: sendHeaders,
    body: { required: true, content: { 'application/json': { schema: TemplateSend } } },
  },
  responses: { 200: said('Durably accepted; it leaves in the order of its user', Sent), ...sendRefusals },
});

/** `POST /v1/bots/{botId}/campaigns/{campaignId}/template-messages` (TPL-01 to TPL-11). Its checks come in the order of GEN-09. */
export function templateRoute(app: OpenAPIHono<HttpEnv>, service: Service, traffic: Pick<Traffic, 'admission'>): void {
  app.openAPIRegistry.registerPath(route);
  app.post('/v1/bots/:botId/campaigns/:campaignId/template-messages', async (c) => {
    const bot = findBot(c, service);
    const campaign = await findCampaign(c, service, bot);
    const at = { companyId: bot.companyId, botId: bot.id };
    return withSendBody(c, traffic, async (body) => {
      const { userId, templateId, parameters } = readTemplateSend(body, bot);
      const key = sendKeyOf(c, body);
      const before = await answerBefore(service.outbox, at, key);
      if (before !== undefined) return c.json({ success: true, messageId: before });
      if (isOver(campaign.status)) throw campaignOver(campaign.id); // what the path names, before what the body refers to
      const knownAs = await recipientOf(service, bot, campaign, userId);
      const message = readyTemplate(service, bot, templateId, parameters);
      const send = { ...at, userId, knownAs, message, guard: [campaign.stillOpen], ...(key !== undefined && { key }) };
      const acceptance = await service.outbox.accept(send);
      if (acceptance.kind === 'guarded') throw campaignOver(campaign.id);
      if (acceptance.kind !== 'accepted' && acceptance.kind !== 'repeated') throw keyTaken();
      return c.json({ success: true, messageId: acceptance.messageId });
    });
  });
}

/**
 * The recipient by the id their bot knows them by: whoever is in the campaign by their phone is so by their business-scoped
 * id too (UID-04).
 *
 * @throws {Refusal} 404 `USER_NOT_FOUND` for who is not in the campaign (TPL-04)
 */
async function recipientOf({ store }: Pick<Service, 'store'>, bot: Bot, campaign: OpenCampaign, userId: string): Promise<string> {
  const contact = await store.executions.contact(bot.companyId, bot.id, [userId]);
  const ids = [userId, contact?.userId, contact?.phone, contact?.bsuid].filter((id) => typeof id === 'string');
  if (!(await campaign.hasRecipient(ids)))
    throw notFound('USER_NOT_FOUND', `User "${userId}" is no recipient of campaign "${campaign.id}"`);
  return contact?.userId ?? userId;
}

/** @throws {Refusal} 400 `INVALID_TEMPLATE`, `INVALID_PARAMETERS` (TPL-03, TPL-05) */
function readyTemplate(
  { companies }: Pick<Service, 'companies'>,
  { companyId, id: botId }: Bot,
  templateId: string,
  parameters: { readonly [name: string]: string },
): JsonObject {
  const template = companies.template(companyId, templateId);
  if (template === undefined || template.botId !== botId || template.status !== 'APPROVED')
    throw new Refusal(400, 'INVALID_TEMPLATE', `Template "${templateId}" is missing, of another bot, or not approved`);
  const problem = parametersProblem(template, parameters);
  if (problem !== undefined) throw new Refusal(400, 'INVALID_PARAMETERS', problem);
  return templateMessage(template, parameters);
}
