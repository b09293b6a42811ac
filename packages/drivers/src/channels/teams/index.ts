import { defineChannel } from '../channel-adapter.ts';
import { isFromConnector } from './authenticate.ts';
import { config } from './config.ts';
import { receive } from './receive.ts';
import { send, type TeamsState } from './send.ts';

/** Microsoft Teams, over the Bot Connector. It knows no idempotency key: a send of unknown outcome is not repeated (P5). */
export const teamsChannel = defineChannel({
  kind: 'teams',
  channels: ['teams'],
  config,
  secrets: ['appPassword'],
  limits: { messagesPerSecond: 50 }, // for one app in one tenant
  state: (): TeamsState => ({
    access: { token: undefined, pending: undefined },
    keys: { keys: undefined, pending: undefined, triedAtMs: [] },
  }),
  send,
  signatureHeader: 'authorization',
  authenticate: (delivery, context) => isFromConnector(delivery, context),
  receive,
});
