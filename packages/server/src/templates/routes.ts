// The route by which template messages are sent.
import { type JsonObject, phoneNumberChannels, phoneSpellings } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { boundIssues } from '../platform/bound-issues.ts';
import { sendHeaders, sendErrorResponses, Sent } from '../messages/send-request.ts';
import { recordedResponse, checkBotId, findBot, keyTaken, readUserId, sendKeyOf, withSendBody } from '../messages/send-request.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { exampleUser } from '../platform/http/example-requests.ts';
import { createConsentGate, isStopped, noConsent } from '../messages/consent-gate.ts';
import { HttpError, invalidRequest, notFound } from '../platform/http/errors.ts';
import { jsonResponse } from '../platform/http/openapi.ts';
import type { RestTraffic } from '../platform/http/rest.ts';
import type { Bot } from '../tenants/companies.ts';
import { withShare } from '../tenants/company-limits.ts';
import { campaignOver, findCampaign, isOver, type OpenCampaign, type TemplateParts } from './find-campaign.ts';
import { readyTemplate } from './templates.ts';

const line = (name: string) =>
  z.string(`"${name}" must be a text that is not empty`).refine((text) => text.trim() !== '', `"${name}" must be a text that is not empty`);

/** The body of `POST …/template-messages`, beside its `userId` (TPL-02 to TPL-06). */
const Fields = z.object({
  type: z.literal('template', '"type" must be "template"'),
  templateId: line('templateId'),
  parameters: z
    .record(
      z.string(),
      z.union([z.string(), z.number().transform(String)], 'A parameter is a text or a number'),
      '"parameters" must be an object of names and values',
    )
    .default({}),
  botId: line('botId').optional(),
});

/** The body, for the description of the interface. */
const TemplateSend = z
  .object({
    type: z.literal('template'),
    templateId: z.string().min(1),
    userId: z.string(),
    parameters: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    botId: z.string().optional(),
  })
  .openapi('TemplateSend');

interface ReadTemplateSend {
  readonly userId: string;
  readonly templateId: string;
  readonly parameters: { readonly [name: string]: string };
}

/**
 * Judges the body of a request to send a template by its fields alone: the recipient first, as for a message (GEN-09).
 *
 * @throws {HttpError} 400 with the code of the first thing that is wrong (ERR-30)
 */
function readTemplateSend(body: JsonObject, bot: Bot): ReadTemplateSend {
  const userId = readUserId(body['userId'], bot);
  const { data, error } = boundIssues(Fields).safeParse(body);
  if (data === undefined) throw invalidRequest(error.issues[0]?.message ?? 'The body is no template message');
  checkBotId(data.botId, bot);
  return { userId, templateId: data.templateId, parameters: data.parameters };
}

/** `POST /v1/bots/{botId}/campaigns/{campaignId}/template-messages` (TPL-01 to TPL-11). Its checks come in the order of GEN-09. */
export const sendTemplate = defineRoute({
  post: '/v1/bots/{botId}/campaigns/{campaignId}/template-messages',
  operationId: 'sendTemplate',
  tags: ['Messages'],
  summary: 'Sends a template to a recipient of a campaign',
  description: 'The values of the template are in parameters. Messages to the same user leave in the order in which they were accepted.',
  auth: 'basic',
  params: z.object({ botId: z.string(), campaignId: z.string() }),
  headers: sendHeaders,
  body: { required: true, content: { 'application/json': { schema: TemplateSend } } },
  answer: jsonResponse('Durably accepted; messages to the same user are sent in order', Sent),
  refusals: sendErrorResponses,
  example: {
    path: { botId: 'bot_wa', campaignId: 'camp_s' },
    body: { type: 'template', templateId: 'tpl1', userId: exampleUser.id, parameters: { name: 'Ana', code: 'A1' } },
  },
  async handle({ c }, service: TemplateParts & RestTraffic) {
    const bot = findBot(c, service);
    const campaign = await findCampaign(c, service, bot);
    const at = { companyId: bot.companyId, botId: bot.id };
    return withSendBody(c, service.traffic, async (body) => {
      const { userId, templateId, parameters } = readTemplateSend(body, bot);
      const key = sendKeyOf(c, body);
      const before = await recordedResponse(service.outbox, at, key);
      if (before !== undefined) return { success: true, messageId: before };
      if (isOver(campaign.status)) throw campaignOver(campaign.id); // what the path names, before what the body refers to
      const knownAs = await recipientOf(service, bot, campaign, userId);
      const message = readyTemplate(service, bot, templateId, parameters);
      if (
        isStopped(
          createConsentGate(service.companies),
          bot,
          message,
          await service.store.executions.contact(bot.companyId, bot.id, [knownAs]),
        )
      )
        throw new HttpError(400, noConsent.cause, noConsent.message);
      const send = { ...at, userId, knownAs, message, guard: [campaign.stillOpen], ...(key !== undefined && { key }) };
      const acceptance = await withShare(
        service.shares?.takeMessage(bot.companyId),
        () => service.outbox.accept(send),
        ({ kind }) => kind === 'accepted',
      );
      if (acceptance.kind === 'guarded') throw campaignOver(campaign.id);
      if (acceptance.kind !== 'accepted' && acceptance.kind !== 'repeated') throw keyTaken();
      return { success: true, messageId: acceptance.messageId };
    });
  },
});

/**
 * The recipient by the id that their bot knows: a recipient named by phone number in the campaign is found by their business-scoped id
 * too (UID-04).
 *
 * @throws {HttpError} 404 `USER_NOT_FOUND` for a user who is not in the campaign (TPL-04)
 */
async function recipientOf({ store }: Pick<TemplateParts, 'store'>, bot: Bot, campaign: OpenCampaign, userId: string): Promise<string> {
  const contact = await store.executions.contact(bot.companyId, bot.id, [userId]);
  const known = [userId, contact?.userId, contact?.phone, contact?.bsuid].filter((id) => typeof id === 'string');
  const ids = phoneNumberChannels.has(bot.channel) ? [...new Set(known.flatMap(phoneSpellings))] : known;
  if (!(await campaign.hasRecipient(ids)))
    throw notFound('USER_NOT_FOUND', `User "${userId}" is no recipient of campaign "${campaign.id}"`);
  return contact?.userId ?? userId;
}
