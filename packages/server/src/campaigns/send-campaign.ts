import type { AbortSignal, ExecutionStore } from '@hilo/engine/contract';
import { type Call, call, condition, type Runner } from '@hilo/stores';
import type { Delivered, Deliver } from '../messages/delivery.ts';
import type { Companies } from '../tenants/companies.ts';
import type { Logger } from '../platform/logging/logger.ts';
import type { OutboundMessage } from '../messages/message-log.ts';
import type { Pace } from './pace.ts';
import { type OpenCampaign, type Recipient, recipientMessage } from './recipient-message.ts';
import { countMessage, settleRecipient, waitingRecipients } from './sql.ts';

interface SendingParts {
  readonly runner: Runner;
  readonly executions: Pick<ExecutionStore, 'contact'>;
  readonly companies: Pick<Companies, 'botOf' | 'template'>;
  /** Hands a message to its user, in the order of all that is sent to them (P9). */
  readonly deliver: Deliver;
  readonly pace: Pace;
  readonly log: Logger;
}

/** Recipients read at a time. */
const pageSize = 100;

/** Messages on their way at once: a slow user delays no other (P9). */
const mostOnTheirWay = 32;

/**
 * Sends a campaign to all who wait for it, and keeps what became of each before the next page is read. Whoever sends the
 * rest after a crash sends the same messages under the same keys: nobody has one twice.
 *
 * @returns whether nobody is left; false when it was told to stop
 * @throws {HiloError} `STORE_UNAVAILABLE`: what was not kept is sent again, as the same message
 */
export async function sendCampaign(parts: SendingParts, campaign: OpenCampaign, signal: AbortSignal): Promise<boolean> {
  const given = { companyId: campaign.company_id, id: campaign.id, limit: pageSize };
  for (;;) {
    const page = await parts.runner.read(call(waitingRecipients, given));
    if (page.length === 0) return true;
    const onTheirWay = new Set<Promise<void>>();
    const failures: unknown[] = [];
    for (const recipient of page) {
      await parts.pace.turn(signal);
      if (signal.aborted || failures.length > 0) break;
      const sending: Promise<void> = sendTo(parts, campaign, recipient, signal)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => onTheirWay.delete(sending));
      onTheirWay.add(sending);
      if (onTheirWay.size >= mostOnTheirWay) await Promise.race(onTheirWay);
    }
    await Promise.all(onTheirWay);
    if (signal.aborted) return false;
    if (failures.length > 0) throw failures[0];
  }
}

async function sendTo(
  { runner, executions, companies, deliver, log }: SendingParts,
  campaign: OpenCampaign,
  recipient: Recipient,
  signal: AbortSignal,
): Promise<void> {
  const prepared = recipientMessage(companies, campaign, recipient);
  const delivered = 'bot' in prepared ? await deliver(prepared.bot, await addressed(executions, prepared.message), signal) : prepared;
  if (delivered.kind === 'refused') {
    const { cause, message } = delivered;
    log.warn(
      { companyId: campaign.company_id, campaignId: campaign.id, cause, reason: message },
      'A recipient of a campaign gets no message',
    );
  }
  await runner.write(settling(campaign, recipient, delivered));
}

/** By the id under which the bot knows the user, as all that they are sent: whatever the campaign calls them, they have one order (P9, UID-04). */
async function addressed(executions: Pick<ExecutionStore, 'contact'>, message: OutboundMessage): Promise<OutboundMessage> {
  const contact = await executions.contact(message.companyId, message.botId, [message.userId]);
  return contact === undefined ? message : { ...message, userId: contact.userId };
}

/** Keeps what became of a recipient, and counts it: once, whoever comes with it again. */
function settling({ company_id: companyId, id }: OpenCampaign, { user_key: userKey }: Recipient, delivered: Delivered): readonly Call[] {
  const isSent = delivered.kind === 'sent';
  const messageId = isSent ? delivered.messageId : null;
  return [
    condition(settleRecipient, { companyId, id, userKey, status: isSent ? 'sent' : 'failed', messageId }),
    call(countMessage, { companyId, id, delivered: isSent ? 1 : 0, failed: isSent ? 0 : 1 }),
  ];
}
