import type { Contact } from '@hilo/engine/contract';
import type { MediaType, Message } from '@hilo/nodes';
import { windowIsOpen } from '@hilo/nodes/effects';
import { ask, keyOf, written } from '@hilo/stores';
import { Refusal } from '../platform/http/errors.ts';
import type { Bot } from '../tenants/companies.ts';
import type { MediaCheck, MediaVerdict } from './media/media-check.ts';
import { templateOnItsWay } from './outbox-sql.ts';
import type { MessageParts } from './messages.ts';

type WindowParts = Pick<MessageParts, 'store' | 'clock'>;

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

const isOpen = ({ clock }: Pick<MessageParts, 'clock'>, { settings, channel }: Bot, contact: Contact | undefined): boolean =>
  !settings.enforceSessionWindow || windowIsOpen(contact, channel, clock.now());

/** Whether a template that was accepted is on its way to the user: what is sent now leaves after it (P9, WIN-02). */
async function isBehindTemplate({ store: { runner } }: WindowParts, { companyId, id }: Bot, knownAs: string): Promise<boolean> {
  const lane = { companyId: written(companyId), botId: written(id), userKey: keyOf(knownAs) };
  return (await runner.read(() => ask(templateOnItsWay, lane))).length > 0;
}

/** The files that a message carries. */
function filesOf(message: Message): readonly { readonly type: MediaType; readonly url: string }[] {
  if (message.type === 'carousel') return message.parameters.cards.map(({ header }) => ({ type: 'image', url: header.image.link }));
  return 'mediaUrl' in message ? [{ type: message.type, url: message.mediaUrl }] : [];
}

type Unfit = Extract<MediaVerdict, { kind: 'refused' }>;

/** Why the first file that cannot be sent is none; `undefined` where all fit (MED-01 to MED-06). */
export async function unfitFile(
  check: MediaCheck,
  message: Message,
  { companyId, channel }: Pick<Bot, 'companyId' | 'channel'>,
): Promise<Unfit | undefined> {
  const verdicts = await Promise.all(filesOf(message).map((file) => check({ ...file, channel, companyId })));
  return verdicts.find((verdict): verdict is Unfit => verdict.kind === 'refused');
}

/** @throws {Refusal} 400 with the code of the first file that cannot be sent */
export async function checkMedia(...asked: Parameters<typeof unfitFile>): Promise<void> {
  const unfit = await unfitFile(...asked);
  if (unfit !== undefined) throw new Refusal(400, unfit.code, unfit.message);
}
