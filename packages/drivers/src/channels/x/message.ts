import type { JsonObject } from '@hilo/engine/contract';
import { lines, type Message, plainText } from '@hilo/nodes/effects';
import { DriverError } from '../../driver-error.ts';
import type { ChannelMessage } from '../channel-adapter.ts';
import { messageFor, unsupported } from '../refusal.ts';

/** A direct message: a text, or a file that is uploaded first. X has no buttons in version 2 of its interface. */
export interface XMessage {
  readonly text: string;
  readonly media?: { readonly url: string; readonly kind: 'image' | 'video' };
}

/** @throws {DriverError} for what X would not take */
export function xMessage({ message }: Pick<ChannelMessage, 'message'>): XMessage {
  const read = messageFor('twitter', message);
  switch (read.type) {
    case 'image':
    case 'video':
      return { text: lines(read.text), media: { url: read.mediaUrl, kind: read.type } };
    case 'flow':
    case 'carousel':
      throw unsupported(read.type, 'twitter');
    default:
      return { text: words(read) };
  }
}

function words(message: Message): string {
  const text = plainText(message);
  if (text.trim() === '') throw new DriverError('INVALID_REQUEST', 'The message says nothing: give it a text');
  return text;
}

/** The body of `POST /2/dm_conversations/with/{userId}/messages`. */
export const directMessage = ({ text }: XMessage, mediaId: string | undefined): JsonObject => ({
  ...(text !== '' && { text }),
  ...(mediaId !== undefined && { attachments: [{ media_id: mediaId }] }),
});
