// The adapters that come with Hilo.
import type { ChannelAdapter } from './channel-adapter.ts';
import { customChannel } from './custom/index.ts';
import { logChannel } from './log/index.ts';
import { instagramChannel, messengerChannel } from './meta/page-channel.ts';
import { slackChannel } from './slack/index.ts';
import { teamsChannel } from './teams/index.ts';
import { webChannel } from './web/index.ts';
import { whatsappChannel } from './whatsapp/index.ts';
import { xChannel } from './x/index.ts';

/** Every kind of provider that a bot may have, one value for each; a host adds its own by `openService({ channels })`. */
export const channelAdapters: readonly ChannelAdapter[] = [
  customChannel,
  logChannel,
  webChannel,
  whatsappChannel,
  messengerChannel,
  instagramChannel,
  slackChannel,
  teamsChannel,
  xChannel,
];
