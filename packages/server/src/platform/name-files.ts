// What gives files of users their handles, for those who take messages in: the files themselves know the channels.
import type { ChannelUser } from '@hilo/drivers';
import type { InboundMessage } from '@hilo/nodes';

/** A message on its way in. */
export interface SentMessage {
  readonly eventId: string;
  readonly user: ChannelUser;
  readonly message: InboundMessage;
}

/** Gives a user's message with a file its handle. Written before the message is: nothing is fetched. */
export interface FileNames {
  name(bot: { readonly companyId: string; readonly id: string }, sent: SentMessage): Promise<InboundMessage>;
}
