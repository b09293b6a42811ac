import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenants/companies.ts';
import type { ChannelRegistry } from '../channels/channels.ts';
import type { PublicUrl } from '../platform/public-url.ts';
import type { ChatStreams } from './streams.ts';
import type { ChatWidget } from './widget.ts';

/** What the chat of the web channel works with. */
export type ChatParts = Pick<Platform, 'settings' | 'engine' | 'store' | 'clock' | 'isAccepting' | 'log'> &
  Tenancy & { readonly channels: ChannelRegistry; readonly chat: Chat };

/** What chats of one process share. */
export interface Chat {
  readonly streams: ChatStreams;
  /** Where files that visitors sent are read. */
  readonly publicUrl: Pick<PublicUrl, 'get'>;
  /** The script that pages load, as it was built; `undefined` where it was not. */
  readonly widget: ChatWidget | undefined;
}

export { type ChatStreams, createChatStreams } from './streams.ts';
export { findWidget } from './widget.ts';
