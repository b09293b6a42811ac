import type { Contact } from '@hilo/engine/contract';
import { windowIsOpen } from '@hilo/nodes/effects';
import { call, keyOf, written } from '@hilo/stores';
import { Refusal } from '../platform/http/refusal.ts';
import type { Bot } from '../tenants/companies.ts';
import type { Service } from '../service.ts';
import { templateOnItsWay } from './session-window-sql.ts';

type WindowParts = Pick<Service, 'store' | 'clock'>;

/**
 * Lets a message through that its user may be sent now: within 24 hours of their last one, or behind a template that opens
 * the window when it leaves. Whether that came to pass is looked at once more when the message leaves (WIN-04).
 *
 * @param contact - what the bot knows of the user, as it was read before
 * @throws {Refusal} 400 when only a template would go out now (WIN-01, WIN-03)
 */
export async function checkWindow(parts: WindowParts, bot: Bot, userId: string, contact: Contact | undefined): Promise<void> {
  if (isOpen(parts, bot, contact)) return;
  if (bot.settings.templateReopensWindow === 'onSend') {
    if (await isBehindTemplate(parts, bot, contact?.userId ?? userId)) return;
    // One that was on its way may have left since the contact was read.
    if (isOpen(parts, bot, await parts.store.executions.contact(bot.companyId, bot.id, [userId]))) return;
  }
  throw new Refusal(400, 'OUTSIDE_SESSION_WINDOW', 'The user has not written for 24 hours: only a template can be sent now');
}

const isOpen = ({ clock }: Pick<Service, 'clock'>, { settings, channel }: Bot, contact: Contact | undefined): boolean =>
  !settings.enforceSessionWindow || windowIsOpen(contact, channel, clock.now());

/** Whether a template that was accepted is on its way to the user: what is sent now leaves after it (P9, WIN-02). */
async function isBehindTemplate({ store: { runner } }: WindowParts, { companyId, id }: Bot, knownAs: string): Promise<boolean> {
  const lane = { companyId: written(companyId), botId: written(id), userKey: keyOf(knownAs) };
  return (await runner.read(call(templateOnItsWay, lane))).length > 0;
}
