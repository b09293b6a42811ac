// What other resources know of files of users: the files themselves know the channels, so that channels, messages and contacts cannot know them.
import type { HandledFile } from '@hilo/drivers';
import type { ChannelUser } from '@hilo/channels';
import type { Channel, JsonObject } from '@hilo/engine/contract';
import type { InboundMessage } from '@hilo/nodes';
import type { ItemOf } from '@hilo/stores';
import type { files } from './tables/files.ts';

/** A message on its way in. */
interface SentMessage {
  readonly eventId: string;
  readonly user: ChannelUser;
  readonly message: InboundMessage;
}

/** Gives a user's message with a file its handle. Written before the message is: nothing is fetched. */
export interface FileNames {
  name(bot: { readonly companyId: string; readonly id: string }, sent: SentMessage): Promise<InboundMessage>;
}

/** What is known of a file. */
export type FileRow = ItemOf<typeof files.columns>;

/** What is kept of files of a person. */
export interface KeptFiles {
  /** The file, where its bytes were fetched before. */
  kept(row: FileRow): Promise<HandledFile | undefined>;
  /** Removes what an erasure must remove outside the store. */
  removeObjects(rows: readonly FileRow[]): Promise<void>;
}

/** Gives the file of a message an address where it has a handle, or says why it cannot be sent. */
export type PresentFile = (
  message: JsonObject,
  bot: { readonly companyId: string; readonly channel: Channel; readonly provider: { readonly kind: string } },
) => Promise<
  | { readonly kind: 'fits'; readonly message: JsonObject }
  | {
      readonly kind: 'refused';
      readonly code: 'INVALID_MEDIA_URL' | 'MEDIA_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE';
      readonly message: string;
    }
>;
