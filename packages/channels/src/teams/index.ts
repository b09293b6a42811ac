import { defineChannel } from '../channel-adapter.ts';
import { isFromConnector, readsKeys } from './authenticate.ts';
import { unauthorized } from '../provider-answer.ts';
import { config, send, type TeamsState } from './send.ts';
import { teamsMessage } from './message.ts';
import { fetchFile, receive } from './receive.ts';
import { accessToken } from './token.ts';

/** Microsoft Teams, over the Bot Connector. Without idempotency keys, a send of unknown outcome is not repeated (P5). */
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
  compose: teamsMessage,
  send,
  signatureHeader: 'authorization',
  authenticate: (delivery, context) => isFromConnector(delivery, context),
  receive: (delivery, context) => receive(delivery, context),
  fetchFile: (file, context) => fetchFile(file, context),
  async check(context) {
    const access = await accessToken(context);
    if (access.kind !== 'token') {
      const { cause, message } = access;
      const said =
        cause === unauthorized.cause
          ? `${message}. Check appId, appPassword and tenantId`
          : `There is no token for the app (${cause}): ${message}. Check tokenUrl, the network, and HILO_EGRESS_ALLOW`;
      return { isWorking: false, message: said };
    }
    const hasKeys = await readsKeys(context);
    return hasKeys
      ? { isWorking: true, message: `The connector gives a token for the app ${context.config.appId}, and its keys can be read` }
      : { isWorking: false, message: 'The keys that deliveries are signed with cannot be read: every delivery is refused. Check keysUrl' };
  },
});
