import type { MediaType, Message } from '@hilo/nodes';
import { Refusal } from '../../http/refusal.ts';
import type { Bot } from '../../service/companies.ts';
import type { MediaCheck, MediaVerdict } from '../media/media-check.ts';

/** The files that a message carries. */
function filesOf(message: Message): readonly { readonly type: MediaType; readonly url: string }[] {
  if (message.type === 'carousel') return message.parameters.cards.map(({ header }) => ({ type: 'image', url: header.image.link }));
  return 'mediaUrl' in message ? [{ type: message.type, url: message.mediaUrl }] : [];
}

/** @throws {Refusal} 400 with the code of the first file that cannot be sent (MED-01 to MED-06) */
export async function checkMedia(
  check: MediaCheck,
  message: Message,
  { companyId, channel }: Pick<Bot, 'companyId' | 'channel'>,
): Promise<void> {
  const verdicts = await Promise.all(filesOf(message).map((file) => check({ ...file, channel, companyId })));
  const refused = verdicts.find((verdict): verdict is Extract<MediaVerdict, { kind: 'refused' }> => verdict.kind === 'refused');
  if (refused !== undefined) throw new Refusal(400, refused.code, refused.message);
}
