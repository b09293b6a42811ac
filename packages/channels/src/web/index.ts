import { defineChannel } from '../channel-adapter.ts';
import { config } from './config.ts';
import { receive } from './receive.ts';
import { bearerToken, visitorOf } from './visitor.ts';

/**
 * Hilo's own chat for web pages. Storing a message is sending it: the visitor's browser reads stored messages from its cursor. A delivery
 * is authenticated by the visitor's token.
 */
export const webChannel = defineChannel({
  kind: 'web',
  channels: ['web'],
  config,
  secrets: ['appSecret'],
  isRecordOnly: true,
  userIdFormat: 'open',
  send: () => ({ kind: 'sent' }),
  signatureHeader: 'authorization',
  async authenticate({ headers }, context) {
    const token = bearerToken(headers);
    return token !== undefined && (await visitorOf(token, context)) !== undefined;
  },
  receive,
});
