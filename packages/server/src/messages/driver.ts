// The drivers of nodes that send.
import { type BoundDriver, drive, type DriverContext, isJsonObject, type JsonObject } from '@hilo/engine/contract';
import { Message } from '@hilo/nodes';
import { findTemplate, reopeningWindow, sendMessage, sendTemplate, withSessionWindow } from '@hilo/nodes/effects';
import { type Deliver, type Delivered, templateMessage } from './messages.ts';
import { createConsentGate, isStopped, noConsent } from './consent-gate.ts';
import type { PresentFile } from '../platform/name-files.ts';
import type { MediaCheck } from './media/media-check.ts';
import { unfitFile } from './send-request.ts';
import type { Bot, Companies } from '../tenants/companies.ts';

interface SendingParts {
  readonly companies: Pick<Companies, 'botOf' | 'company' | 'template' | 'templates'>;
  readonly deliver: Deliver;
  /** Whether keeping a message is all there is to sending it. */
  readonly isRecordOnly: (bot: Bot) => boolean;
  /** Looks at files before they are sent. */
  readonly media: MediaCheck;
  /** Gives the file of a message an address where it has a handle. */
  readonly present: PresentFile;
}

const refusal = (cause: string, message: string): Delivered => ({ kind: 'refused', cause, message });

/**
 * Sends messages and templates through the bot of the execution, under its 24-hour window settings (WIN-01 to WIN-04), with
 * checked files (MED-01 to MED-06). The test route needs no user: messages without one are for the tester to read.
 */
export function createSendingDrivers({ companies, deliver, isRecordOnly, media, present }: SendingParts): readonly BoundDriver[] {
  const botOf = ({ companyId, botId }: DriverContext['origin']): Bot | undefined =>
    botId === undefined ? undefined : companies.botOf(companyId, botId);

  const consent = createConsentGate(companies);

  const send = async (message: JsonObject, { origin, idempotencyKey, executionId, nodeId, signal }: DriverContext): Promise<Delivered> => {
    const bot = botOf(origin);
    if (bot === undefined) return refusal('BOT_NOT_FOUND', 'This execution has no bot to send through');
    const userId = origin.userId ?? (origin.route === 'test' && isRecordOnly(bot) ? tester : undefined);
    if (userId === undefined) return refusal('USER_NOT_FOUND', 'This execution has no user to send to');
    return deliver(bot, { companyId: bot.companyId, botId: bot.id, userId, message, idempotencyKey, executionId, nodeId }, signal);
  };

  /** Most messages are texts, and carry nothing. */
  const unfitIn = async (message: JsonObject, bot: Bot | undefined) => {
    const carrying = message['type'] === 'text' ? undefined : Message.safeParse(message).data;
    return bot === undefined || carrying === undefined ? undefined : unfitFile(media, carrying, bot);
  };

  return [
    drive(
      sendMessage,
      withSessionWindow(
        async ({ message }, context) => {
          if (!isJsonObject(message)) return refusal('INVALID_REQUEST', 'A message is an object with a "type"');
          const bot = botOf(context.origin);
          const presented = bot === undefined ? { kind: 'fits' as const, message } : await present(message, bot);
          if (presented.kind === 'refused') return refusal(presented.code, presented.message);
          // One with a link of ours was judged by its bytes.
          const unfit = presented.message === message ? await unfitIn(message, bot) : undefined;
          if (unfit !== undefined) return refusal(unfit.code, unfit.message);
          const delivered = await send(presented.message, context);
          // It may close while the message waits for its turn (WIN-04).
          return delivered.kind === 'refused' && delivered.cause === 'OUTSIDE_SESSION_WINDOW' ? { kind: 'windowClosed' } : delivered;
        },
        { enforce: (origin) => origin.userId !== undefined && (botOf(origin)?.settings.enforceSessionWindow ?? true) },
      ),
    ),
    drive(
      sendTemplate,
      reopeningWindow(
        async ({ templateId, parameters }, context) => {
          const { companyId, botId } = context.origin;
          const ofCompany = {
            template: (id: string) => companies.template(companyId, id),
            templates: () => companies.templates(companyId),
          };
          const locales = [context.contact?.locale, companies.company(companyId)?.locale];
          const found = findTemplate(ofCompany, { templateId, botId, locales, parameters });
          if (found.kind !== 'found') return found;
          const message = templateMessage(found.template, parameters);
          return isStopped(consent, { companyId }, message, context.contact) ? noConsent : send(message, context);
        },
        (origin) => botOf(origin)?.settings.templateReopensWindow ?? 'onReply',
      ),
    ),
  ];
}

/** The recipient on the test route when no user is named. */
const tester = 'tester';
