import type { JsonObject } from '@hilo/engine/contract';
import { lines, plainText } from '@hilo/nodes/effects';
import type { ChannelMessage } from '../channel-adapter.ts';
import { parseMessage, requireText, unsupported } from '../refusal.ts';

/** A direct message: a text, or a file that is uploaded first. X has no buttons in version 2 of its interface. */
export interface XMessage {
  readonly text: string;
  readonly media?: { readonly url: string; readonly kind: 'image' | 'video' };
}

/** Converts a message to the form of X. @throws {DriverError} for what X does not accept */
export function xMessage({ message }: Pick<ChannelMessage, 'message'>): XMessage {
  const read = parseMessage('twitter', message);
  switch (read.type) {
    case 'image':
    case 'video':
      return { text: lines(read.text), media: { url: read.mediaUrl, kind: read.type } };
    case 'flow':
    case 'carousel':
      throw unsupported(read.type, 'twitter');
    default:
      return { text: requireText(plainText(read)) };
  }
}

/** The body of `POST /2/dm_conversations/with/{userId}/messages`. */
export const directMessage = ({ text }: XMessage, mediaId: string | undefined): JsonObject => ({
  ...(text !== '' && { text }),
  ...(mediaId !== undefined && { attachments: [{ media_id: mediaId }] }),
});
