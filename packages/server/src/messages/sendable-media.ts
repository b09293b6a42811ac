import type { MediaType, Message } from '@hilo/nodes';
import { Refusal } from '../platform/http/refusal.ts';
import type { Bot } from '../tenants/companies.ts';
import type { MediaCheck, MediaVerdict } from './media/media-check.ts';

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
