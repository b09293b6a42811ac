import { pageChannel } from '../meta/page-channel.ts';

/** The Messenger Platform of Facebook pages. */
export const messengerChannel = pageChannel('messenger', {
  channel: 'facebook',
  asksForPhone: true,
  messagesPerSecond: 300,
});
