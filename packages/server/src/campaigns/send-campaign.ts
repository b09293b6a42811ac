// Sends one campaign to its recipients, at its rate, until it ends or another process has it.
import { createHash } from 'node:crypto';
import type { AbortSignal, Clock, ExecutionStore } from '@hilo/engine/contract';
import { userIdProblem } from '@hilo/nodes';
import { parametersProblem } from '@hilo/nodes/effects';
import { asCondition, type Call, encodeText, type Runner } from '@hilo/stores';
import {
  campaignKeyPrefix,
  type Deliver,
  type Delivered,
  type OutboundMessage,
  type Paces,
  templateMessage,
  templateStopped,
} from '../messages/messages.ts';
import type { Logger } from '../platform/logging/logger.ts';
import type { Bot, Companies } from '../tenants/companies.ts';
import { createConsentGate, isStopped, noConsent } from '../messages/consent-gate.ts';
import { explainUnapproved, heldReason, isHeld } from '../tenants/template-status.ts';
import { createPacer } from '../platform/jobs/pacer.ts';
import { countMessage, countSkipped, type OpenCampaign, pauseOpen, settleRecipient, stillSends, waitingRecipients } from './sql.ts';

interface SendingParts {
  readonly runner: Runner;
  readonly executions: Pick<ExecutionStore, 'contact'>;
  readonly companies: Pick<Companies, 'botOf' | 'company' | 'template'>;
  /** Hands a message to its user, in the order of all that is sent to them (P9). */
  readonly deliver: Deliver;
  readonly paces: Pick<Paces, 'campaign' | 'campaignAtOnce'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Recipients read at a time. */
const pageSize = 100;

/**
 * Sends a campaign to its pending recipients with bounded concurrency, so that neither a slow user nor a slow provider delays the
 * others (P9), and stores each outcome. After a crash the rest is sent with the same keys, so that no recipient gets a message twice.
 *
 * @returns whether it has come to an end: all recipients are done, or the campaign is paused; false when sending was stopped before
 * @throws {HiloError} `STORE_UNAVAILABLE`: an outcome that was not stored is sent again under the same key
 */
export async function sendCampaign(parts: SendingParts, campaign: OpenCampaign, signal: AbortSignal): Promise<boolean> {
  const { companyId, id, botId, templateId, perSecond } = campaign;
  const place = { companyId, id };
  const bot = parts.companies.botOf(companyId, botId);
  const maxOnTheirWay = bot === undefined ? pageSize : parts.paces.campaignAtOnce(bot);
  const onTheirWay = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  const take = createPacer({ clock: parts.clock, isBusy: () => false });
  /** Looked at for each recipient: whoever pauses a campaign, in whichever process, means at once. */
  const goesOn = async (): Promise<boolean> => {
    const template = parts.companies.template(companyId, templateId);
    if (template === undefined || !isHeld(template)) return (await parts.runner.readOne(stillSends(place))) !== undefined;
    await parts.runner.write([pauseOpen({ ...place, nowMs: parts.clock.now(), reason: heldReason(template) })]);
    return false;
  };
  while (!signal.aborted && failures.length === 0) {
    // Those on their way are pending as well.
    const pending = await parts.runner.read(waitingRecipients({ ...place, limit: pageSize + onTheirWay.size }));
    const page = pending.filter(({ userKey }) => !onTheirWay.has(userKey));
    if (page.length === 0 && onTheirWay.size === 0) return true;
    if (page.length === 0) await Promise.race(onTheirWay.values());
    for (const recipient of page) {
      if (bot !== undefined) await parts.paces.campaign(bot, signal).catch((error: unknown) => void failures.push(error));
      if (perSecond !== undefined) await take(perSecond, signal).catch(() => undefined);
      if (signal.aborted || failures.length > 0) break;
      if (!(await goesOn())) {
        await Promise.all(onTheirWay.values());
        if (failures.length > 0) throw failures[0];
        return true;
      }
      const sending: Promise<void> = sendTo(parts, campaign, recipient, signal)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => onTheirWay.delete(recipient.userKey));
      onTheirWay.set(recipient.userKey, sending);
      if (onTheirWay.size >= maxOnTheirWay) await Promise.race(onTheirWay.values());
    }
  }
  await Promise.all(onTheirWay.values());
  if (!signal.aborted) throw failures[0];
  return false;
}

async function sendTo(
  { runner, executions, companies, deliver, clock, log }: SendingParts,
  campaign: OpenCampaign,
  recipient: Recipient,
  signal: AbortSignal,
): Promise<void> {
  const deliverTo = async (bot: Bot, message: OutboundMessage): Promise<Delivered> => {
    const contact = await executions.contact(message.companyId, message.botId, [message.userId]);
    if (isStopped(createConsentGate(companies), bot, message.message, contact)) return noConsent;
    // By the id under which the bot knows the user, so that all their messages share one order (P9, UID-04).
    return deliver(bot, contact === undefined ? message : { ...message, userId: contact.userId }, signal);
  };
  const prepared = recipientMessage(companies, campaign, recipient);
  const delivered = 'bot' in prepared ? await deliverTo(prepared.bot, prepared.message) : prepared;
  if (delivered.kind === 'refused' && delivered.cause !== noConsent.cause) {
    const { cause, message } = delivered;
    log.warn(
      { companyId: campaign.companyId, campaignId: campaign.id, cause, reason: message },
      'A recipient of a campaign gets no message',
    );
  }
  // Nothing has left: the campaign is paused, and this recipient is among those who wait for it to go on.
  if (delivered.kind === 'refused' && delivered.cause === templateStopped) return;
  await runner.write(settling(campaign, recipient, delivered, clock.now()));
}

/** Keeps the outcome of a recipient, and counts it once, however often it is reported. */
function settling(campaign: OpenCampaign, { userKey }: Recipient, delivered: Delivered, nowMs: number): readonly Call[] {
  const isSent = delivered.kind === 'sent';
  const messageId = isSent ? delivered.messageId : undefined;
  const place = { companyId: campaign.companyId, id: campaign.id };
  const outcome = { ...place, userKey, messageId, cause: isSent ? undefined : delivered.cause, nowMs };
  if (!isSent && delivered.cause === noConsent.cause)
    return [asCondition(settleRecipient({ ...outcome, status: 'skipped' })), countSkipped(place)];
  return [
    asCondition(settleRecipient({ ...outcome, status: isSent ? 'sent' : 'failed' })),
    countMessage({ ...place, delivered: isSent ? 1 : 0, failed: isSent ? 0 : 1 }),
  ];
}

/** The recipient. */
interface Recipient {
  readonly userKey: string;
  readonly userId: string;
  readonly parameters: { readonly [name: string]: string };
}

type Refused = Extract<Delivered, { readonly kind: 'refused' }>;

/** The message for a recipient and the bot that sends it, or why there can be none. Templates and bots are looked at now, not when the campaign was made. */
function recipientMessage(
  companies: Pick<Companies, 'botOf' | 'template'>,
  campaign: OpenCampaign,
  recipient: Recipient,
): { readonly bot: Bot; readonly message: OutboundMessage } | Refused {
  const { companyId, botId, templateId } = campaign;
  const { userId, parameters } = recipient;
  const bot = companies.botOf(companyId, botId);
  if (bot === undefined) return refusal('BOT_NOT_FOUND', `There is no bot "${botId}" to send through`);
  const wrongId = userIdProblem(userId, bot.channel, bot.settings.userIdFormat);
  if (wrongId !== undefined) return refusal('INVALID_USER_ID', wrongId);
  const template = companies.template(companyId, templateId);
  if (template === undefined || template.botId !== botId || template.status !== 'APPROVED')
    return refusal('INVALID_TEMPLATE', explainUnapproved(templateId, botId, template));
  const wrongParameters = parametersProblem(template, parameters);
  if (wrongParameters !== undefined) return refusal('INVALID_PARAMETERS', wrongParameters);
  const message = templateMessage(template, parameters);
  return { bot, message: { companyId, botId, userId, message, idempotencyKey: recipientKey(campaign, recipient) } };
}

/** The same in every process and for every attempt, so that a recipient gets one message, however often it is sent (P4). */
const recipientKey = ({ id }: OpenCampaign, { userKey }: Recipient): string =>
  `${campaignKeyPrefix}${createHash('sha256')
    .update(JSON.stringify([encodeText(id), userKey]))
    .digest('hex')}`;

const refusal = (cause: string, message: string): Refused => ({ kind: 'refused', cause, message });
