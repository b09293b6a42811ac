import { createHash } from 'node:crypto';
import { userIdProblem } from '@hilo/nodes';
import { read } from '@hilo/stores';
import type { Delivered } from '../messages/delivery.ts';
import { parametersProblem, templateMessage } from '../messages/template-text.ts';
import type { Bot, Companies } from '../tenants/companies.ts';
import type { OutboundMessage } from '../messages/message-log.ts';

/** A campaign as it is sent. */
export interface OpenCampaign {
  readonly company_id: string;
  readonly id: string;
  readonly bot_id: string;
  readonly template_id: string;
}

/** Whom it is sent to. */
export interface Recipient {
  readonly user_key: string;
  readonly user_id: string;
  /** JSON. */
  readonly parameters: string;
}

type Refused = Extract<Delivered, { readonly kind: 'refused' }>;

/** The message for a recipient and the bot that sends it, or why there can be none. Templates and bots are looked at now, not when the campaign was made. */
export function recipientMessage(
  companies: Pick<Companies, 'botOf' | 'template'>,
  campaign: OpenCampaign,
  recipient: Recipient,
): { readonly bot: Bot; readonly message: OutboundMessage } | Refused {
  const [companyId, botId, templateId] = [read(campaign.company_id), read(campaign.bot_id), read(campaign.template_id)];
  const bot = companies.botOf(companyId, botId);
  if (bot === undefined) return refused('BOT_NOT_FOUND', `There is no bot "${botId}" to send through`);
  const userId = read(recipient.user_id);
  const wrongId = userIdProblem(userId, bot.channel, bot.settings.userIdFormat);
  if (wrongId !== undefined) return refused('INVALID_USER_ID', wrongId);
  const template = companies.template(companyId, templateId);
  if (template === undefined || template.botId !== botId || template.status !== 'APPROVED')
    return refused('INVALID_TEMPLATE', `Template "${templateId}" is missing, of another bot, or not approved`);
  const parameters = JSON.parse(recipient.parameters) as { readonly [name: string]: string };
  const wrongParameters = parametersProblem(template, parameters);
  if (wrongParameters !== undefined) return refused('INVALID_PARAMETERS', wrongParameters);
  const message = templateMessage(template, parameters);
  return { bot, message: { companyId, botId, userId, message, idempotencyKey: recipientKey(campaign, recipient) } };
}

/** The same in every process and for every attempt, so that a recipient gets one message whoever sends it, however often (P4). */
const recipientKey = (campaign: OpenCampaign, { user_key }: Recipient): string =>
  `campaign:${createHash('sha256')
    .update(JSON.stringify([campaign.id, user_key]))
    .digest('hex')}`;

const refused = (cause: string, message: string): Refused => ({ kind: 'refused', cause, message });
