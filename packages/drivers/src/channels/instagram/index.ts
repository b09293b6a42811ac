import { pageChannel } from '../meta/page-channel.ts';

/** Messages of Instagram's professional accounts. */
export const instagramChannel = pageChannel('instagram', {
  channel: 'instagram',
  asksForPhone: false,
  messagesPerSecond: 100,
});
